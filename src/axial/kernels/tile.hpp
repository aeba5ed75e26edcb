// The innermost part of a matrix product: a few rows of A times a panel of B, summed in registers;
// and copying rows and columns together for it.
#pragma once

#include <cstdint>

namespace axial::kernels {

/// How many rows and columns a tile has.
template <class T>
inline constexpr int tile_rows = 6;
template <class T>
inline constexpr int tile_columns = 64 / static_cast<int>(sizeof(T));

/// So many elements are kept free behind a strip that was copied together: a line of the cache, so that
/// strips do not compete for the same ones.
template <class T>
inline constexpr std::int64_t strip_margin = 64 / static_cast<std::int64_t>(sizeof(T));

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

/// So many terms are copied together at most: a panel of them stays in the first level of the cache
/// while rows pass by.
inline constexpr std::int64_t most_terms = 256;

/// Rows of A or columns of B: term k of line j lies at from[places[j] + terms[k]].
template <class T>
struct Lines {
  const T* from;
  const std::int64_t* places;
  std::int64_t count;
  const std::int64_t* terms;
  std::int64_t count_of_terms;
};

/// A matrix whose rows are to become columns: from[i · from_stride + j] goes to to[j · to_stride + i].
template <class T>
struct Turned {
  const T* from;
  std::int64_t from_stride;
  T* to;
  std::int64_t to_stride;
  std::int64_t rows, columns;
};

/// Functions for one kind of machine.
template <class T>
struct TileFunctions {
  /// Computes tiles of 1 to 6 rows.
  void (*of_rows[tile_rows<T>])(const Tile<T>&);
  /// Copy lines in strips, of as many as a tile has rows or columns: term k of line j of a strip goes
  /// to packed[k · lines of a strip + j], and strips are `stride` elements apart. Of the last strip
  /// missing lines are arbitrary; behind each strip there is room for `strip_margin` elements.
  void (*pack_rows)(const Lines<T>&, std::int64_t stride, T* packed);
  void (*pack_columns)(const Lines<T>&, std::int64_t stride, T* packed);
  void (*turn)(const Turned<T>&);
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
