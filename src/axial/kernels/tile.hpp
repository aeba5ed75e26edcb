// The innermost part of a matrix product: a few rows of A times a panel of B, summed in registers.
#pragma once

#include <cstdint>

namespace axial::kernels {

/// How many rows and columns a tile has.
template <class T>
inline constexpr int tile_rows = 6;
template <class T>
inline constexpr int tile_columns = 64 / static_cast<int>(sizeof(T));

/// One tile: c[i][j] = Σ_k a[i][a_terms[k]] · b[b_terms[k] + j], added to c if `adds`.
template <class T>
struct Tile {
  const T* const* a;
  const std::int64_t* a_terms;
  const T* b;
  const std::int64_t* b_terms;
  std::int64_t terms;
  T* c;
  std::int64_t c_stride;
  bool adds;
};

/// Functions for tiles of 1 to 6 rows, for one kind of machine.
template <class T>
struct TileFunctions {
  void (*of_rows[tile_rows<T>])(const Tile<T>&);
};

/// The functions for this machine.
template <class T>
const TileFunctions<T>& tile_functions();

/// The same source, compiled for any machine and for one with 256-bit vectors and fused
/// multiply-add.
const TileFunctions<float>& plain_float_tiles();
const TileFunctions<double>& plain_double_tiles();
const TileFunctions<float>& avx2_float_tiles();
const TileFunctions<double>& avx2_double_tiles();

}  // namespace axial::kernels
