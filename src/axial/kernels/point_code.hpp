// Inputs and results of windows at the points 0, 1, -1 and ∞. Like the code of tiles it is compiled
// more than once, so everything here is private to the file that includes it.
#pragma once

#include "axial/kernels/tile.hpp"

namespace axial::kernels {
namespace {

/// Four neighbours, so that their products with a kernel's values at the points are the points of two
/// neighbours of the result.
template <class V>
inline void evaluate(const V (&x)[4], V (&points)[4]) {
  points[0] = x[0] - x[2];
  points[1] = x[1] + x[2];
  points[2] = x[2] - x[1];
  points[3] = x[1] - x[3];
}

/// The two neighbours that have these values at the points.
template <class V>
inline void interpolate(const V (&points)[4], V (&y)[2]) {
  y[0] = points[0] + points[1] + points[2];
  y[1] = points[1] - points[2] - points[3];
}

/// Three neighbours of a kernel at the points; at 1 and -1 they are halved, so that results are sums and
/// differences.
template <class V>
inline void evaluate(const V (&w)[3], V (&points)[4]) {
  const V ends = (w[0] + w[2]) / 2, middle = w[1] / 2;
  points[0] = w[0];
  points[1] = ends + middle;
  points[2] = ends - middle;
  points[3] = w[2];
}

/// `bytes` bytes of channels of a square at all points, down each column, then along the rows.
template <class T, int bytes, int side>
inline void evaluate_some(const SquarePoints<T>& square, std::int64_t channel) {
  typedef T V __attribute__((vector_size(bytes)));
  typedef T Loose __attribute__((vector_size(bytes), aligned(sizeof(T)), may_alias));
  V down[4][side];
#pragma GCC unroll 4
  for (int q = 0; q < side; ++q) {
    V column[side], points[4];
#pragma GCC unroll 4
    for (int p = 0; p < side; ++p) {
      const T* input = square.inputs[side * p + q] + channel;
      column[p] = *reinterpret_cast<const Loose*>(input);
      // Squares overlap: these are not those of the squares above and to the left.
      if (p >= 2 && q >= 2) __builtin_prefetch(input + square.ahead, 0, 2);
    }
    evaluate(column, points);
#pragma GCC unroll 4
    for (int p = 0; p < 4; ++p) down[p][q] = points[p];
  }
#pragma GCC unroll 4
  for (int p = 0; p < 4; ++p) {
    V points[4];
    evaluate(down[p], points);
#pragma GCC unroll 4
    for (int q = 0; q < 4; ++q) {
      *reinterpret_cast<Loose*>(square.points + (4 * p + q) * square.stride + channel) = points[q];
    }
  }
}

/// `bytes` bytes of channels of a square of two by two from all points.
template <class T, int bytes>
inline void interpolate_some(const SquarePoints<T>& square, std::int64_t channel) {
  typedef T V __attribute__((vector_size(bytes)));
  typedef T Loose __attribute__((vector_size(bytes), aligned(sizeof(T)), may_alias));
  V down[2][4];
#pragma GCC unroll 4
  for (int q = 0; q < 4; ++q) {
    V points[4], column[2];
#pragma GCC unroll 4
    for (int p = 0; p < 4; ++p) {
      points[p] =
          *reinterpret_cast<const Loose*>(square.points + (4 * p + q) * square.stride + channel);
    }
    interpolate(points, column);
    down[0][q] = column[0];
    down[1][q] = column[1];
  }
#pragma GCC unroll 2
  for (int p = 0; p < 2; ++p) {
    V row[2];
    interpolate(down[p], row);
    *reinterpret_cast<Loose*>(square.results[2 * p] + channel) = row[0];
    *reinterpret_cast<Loose*>(square.results[2 * p + 1] + channel) = row[1];
  }
}

/// Calls `use` for vectors of channels, then for those that are left over.
template <class T, int bytes, class Use>
inline void in_vectors(std::int64_t channels, const Use& use) {
  constexpr std::int64_t lanes = bytes / static_cast<int>(sizeof(T));
  std::int64_t channel = 0;
  for (; channel + lanes <= channels; channel += lanes) use.template operator()<bytes>(channel);
  for (; channel < channels; ++channel) use.template operator()<int{sizeof(T)}>(channel);
}

template <class T, int bytes, int side>
void evaluate_square(const SquarePoints<T>& square) {
  in_vectors<T, bytes>(square.channels, [&]<int some>(std::int64_t channel) {
    evaluate_some<T, some, side>(square, channel);
  });
}
template <class T, int bytes>
void interpolate_square(const SquarePoints<T>& square) {
  in_vectors<T, bytes>(square.channels, [&]<int some>(std::int64_t channel) {
    interpolate_some<T, some>(square, channel);
  });
}

template <class T, int bytes>
inline constexpr PointFunctions<T> point_functions{
    &evaluate_square<T, bytes, 4>, &evaluate_square<T, bytes, 3>, &interpolate_square<T, bytes>};

}  // namespace
}  // namespace axial::kernels
