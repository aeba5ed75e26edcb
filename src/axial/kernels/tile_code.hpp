// The code of tiles. It is compiled more than once, with different machines in mind, so everything
// here is private to the file that includes it.
#pragma once

#include <utility>

#include "axial/kernels/pack_code.hpp"

namespace axial::kernels {
namespace {

template <class T, int rows>
void multiply_tile(const Tile<T>& tile) {
  using Vector = typename Vectors<T>::Vector;
  using Loose = typename Vectors<T>::Loose;
  const T* a[rows];
  Vector low[rows], high[rows];
  // Unrolled loops keep all sums in registers; C is on its way while they are computed.
#pragma GCC unroll 6
  for (int i = 0; i < rows; ++i) {
    a[i] = tile.a[i];
    low[i] = high[i] = Vector{};
    __builtin_prefetch(tile.c + i * tile.c_stride, 1);
  }
  for (std::int64_t k = 0; k < tile.terms; ++k) {
    const auto* b = reinterpret_cast<const Loose*>(tile.b + tile.b_terms[k]);
    const std::int64_t term = tile.a_terms[k];
    const Vector left = b[0];
    const Vector right = b[1];
#pragma GCC unroll 6
    for (int i = 0; i < rows; ++i) {
      const T factor = a[i][term];
      low[i] += factor * left;
      high[i] += factor * right;
    }
  }
#pragma GCC unroll 6
  for (int i = 0; i < rows; ++i) {
    auto* c = reinterpret_cast<Loose*>(tile.c + i * tile.c_stride);
    static_assert(Vectors<T>::lanes * 2 == tile_columns<T>);
    c[0] = tile.adds ? low[i] + c[0] : low[i];
    c[1] = tile.adds ? high[i] + c[1] : high[i];
  }
}

template <class T, int... rows>
constexpr TileFunctions<T> functions_of(std::integer_sequence<int, rows...>) {
  return {{&multiply_tile<T, rows + 1>...},
          &pack<T, tile_rows<T>>,
          &pack<T, tile_columns<T>>,
          &turn<T>};
}

template <class T>
inline constexpr TileFunctions<T> functions =
    functions_of<T>(std::make_integer_sequence<int, tile_rows<T>>{});

}  // namespace
}  // namespace axial::kernels
