// Rows times columns along their terms. Like the code of tiles it is compiled more than once, so
// everything here is private to the file that includes it.
#pragma once

#include "axial/kernels/tile.hpp"

namespace axial::kernels {
namespace {

/// `rows` rows and `columns` columns from `row` and `column` on, in vectors of `bytes` bytes.
template <class T, int bytes, int rows, int columns>
inline void add_dots(const Dots<T>& dots, std::int64_t row, std::int64_t column) {
  typedef T Vector __attribute__((vector_size(bytes)));
  typedef T Loose __attribute__((vector_size(bytes), aligned(sizeof(T)), may_alias));
  constexpr int lanes = bytes / static_cast<int>(sizeof(T));
  const T *a[rows], *b[columns];
  Vector sums[rows][columns];
  const auto place = [&](int i, int j) {
    return dots.sums + ((row + i) * dots.columns + column + j) * lanes;
  };
  // Unrolled loops keep all sums in registers.
#pragma GCC unroll 4
  for (int j = 0; j < columns; ++j) b[j] = dots.b + dots.b_columns[column + j];
#pragma GCC unroll 6
  for (int i = 0; i < rows; ++i) {
    a[i] = dots.a + dots.a_rows[row + i];
#pragma GCC unroll 4
    for (int j = 0; j < columns; ++j) sums[i][j] = *reinterpret_cast<const Loose*>(place(i, j));
  }
  std::int64_t k = 0;
  for (; k + lanes <= dots.terms; k += lanes) {
    Vector factors[columns];
#pragma GCC unroll 4
    for (int j = 0; j < columns; ++j) factors[j] = *reinterpret_cast<const Loose*>(b[j] + k);
#pragma GCC unroll 6
    for (int i = 0; i < rows; ++i) {
      const Vector factor = *reinterpret_cast<const Loose*>(a[i] + k);
#pragma GCC unroll 4
      for (int j = 0; j < columns; ++j) sums[i][j] += factor * factors[j];
    }
  }
#pragma GCC unroll 6
  for (int i = 0; i < rows; ++i) {
#pragma GCC unroll 4
    for (int j = 0; j < columns; ++j) *reinterpret_cast<Loose*>(place(i, j)) = sums[i][j];
  }
  // Terms that fill no vector.
  for (std::int64_t rest = k; rest < dots.terms; ++rest) {
    for (int i = 0; i < rows; ++i) {
      for (int j = 0; j < columns; ++j) place(i, j)[rest - k] += a[i][rest] * b[j][rest];
    }
  }
}

/// `rows` rows and all columns: some at a time, the last ones one by one.
template <class T, int bytes, int rows, int columns>
inline void add_dots_of_rows(const Dots<T>& dots, std::int64_t row) {
  std::int64_t column = 0;
  for (; column + columns <= dots.columns; column += columns) {
    add_dots<T, bytes, rows, columns>(dots, row, column);
  }
  for (; column < dots.columns; ++column) add_dots<T, bytes, rows, 1>(dots, row, column);
}

template <class T, int bytes, int rows, int columns>
void add_all_dots(const Dots<T>& dots) {
  std::int64_t row = 0;
  for (; row + rows <= dots.rows; row += rows) {
    add_dots_of_rows<T, bytes, rows, columns>(dots, row);
  }
  for (; row < dots.rows; ++row) add_dots_of_rows<T, bytes, 1, columns>(dots, row);
}

/// As many sums as fit in registers: machines with wide vectors have twice as many of them.
template <class T, int bytes>
inline constexpr DotFunctions<T> dot_functions{
    bytes / static_cast<int>(sizeof(T)),
    &add_all_dots<T, bytes, tile_rows, bytes == 64 ? dot_columns : dot_columns / 2>};

}  // namespace
}  // namespace axial::kernels
