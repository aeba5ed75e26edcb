// The innermost part of a matrix product: some rows of A times a panel of B, a few rows at a time
// summed in registers, and copying rows and columns together for it; or rows times columns along
// their terms; or windows at points.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace axial::kernels {

/// How many rows a tile has.
inline constexpr int tile_rows = 6;
/// How many columns the narrowest and the widest panel have on any machine.
template <class T>
inline constexpr int narrowest_panel = 64 / static_cast<int>(sizeof(T));
template <class T>
inline constexpr int widest_panel = 4 * narrowest_panel<T>;

/// So many elements are kept free behind a strip that was copied together: a line of the cache, so that
/// strips do not compete for the same ones.
template <class T>
inline constexpr std::int64_t strip_margin = 64 / static_cast<std::int64_t>(sizeof(T));

/// Memory to be fetched on the way, which somebody will need soon: with each term `step` bytes more.
struct Ahead {
  const std::byte* from = nullptr;
  std::int64_t step = 0;
};

/// Rows times a panel: c[i · c_stride + j] = Σ_k a[a_rows[i] + a_terms[k]] · b[b_terms[k] + j], added to
/// c if `adds`, for all columns j of the panel.
template <class T>
struct Panel {
  const T* a = nullptr;
  const std::int64_t* a_rows = nullptr;
  const std::int64_t* a_terms = nullptr;
  std::int64_t rows = 0;
  const T* b = nullptr;
  const std::int64_t* b_terms = nullptr;
  std::int64_t terms = 0;
  T* c = nullptr;
  std::int64_t c_stride = 0;
  bool adds = false;
  /// Whether terms of a row lie in different lines of the cache, so that other rows lie beside each; and
  /// whether columns of other panels lie beside these: so much is known of what will be needed next.
  bool across = false, in_place = false;
  /// What to fetch besides, if anything: of tiles that follow one another, each looks at the other one.
  std::array<Ahead, 2> ahead = {};
};

/// So many terms are copied together at most on any machine.
inline constexpr std::int64_t most_terms = 512;

/// 0, step, 2·step, …: where the terms lie in what was copied together.
template <int step>
inline constexpr auto packed_terms = [] {
  std::array<std::int64_t, most_terms> terms{};
  for (std::int64_t k = 0; k < most_terms; ++k) terms[static_cast<std::size_t>(k)] = k * step;
  return terms;
}();

/// Rows of A or columns of B: term k of line j lies at from[places[j] + terms[k]].
template <class T>
struct Lines {
  const T* from;
  const std::int64_t* places;
  std::int64_t count;
  const std::int64_t* terms;
  std::int64_t count_of_terms;
};

/// Copies lines in strips, of as many as a tile has rows or a panel columns: term k of line j of a strip
/// goes to packed[k · lines of a strip + j], and strips are `stride` elements apart. Of the last strip
/// missing lines are arbitrary; behind each strip there is room for `strip_margin` elements.
template <class T>
using Pack = void (*)(const Lines<T>&, std::int64_t stride, T* packed);

/// Rows times columns whose terms lie side by side: terms whose number leaves the same rest are summed
/// apart, so that vectors of terms are multiplied. Adds to sums[(i · columns + j) · lanes + l] all
/// a[a_rows[i] + k] · b[b_columns[j] + k] with k mod lanes = l.
template <class T>
struct Dots {
  const T* a = nullptr;
  const std::int64_t* a_rows = nullptr;
  std::int64_t rows = 0;
  const T* b = nullptr;
  const std::int64_t* b_columns = nullptr;
  std::int64_t columns = 0;
  std::int64_t terms = 0;
  T* sums = nullptr;
};

/// So many columns, and as many rows as a tile has, are passed at once at most.
inline constexpr int dot_columns = 4;

template <class T>
struct DotFunctions {
  int lanes;
  void (*add)(const Dots<T>&);
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

/// A square of a product of windows, and its values at the 16 points: those of channel c lie at
/// points[k · stride + c].
template <class T>
struct SquarePoints {
  /// Where the channels of the elements of the square begin, row by row: four by four of the input,
  /// three by three of a kernel, or two by two of the result.
  const T* inputs[16] = {};
  T* results[4] = {};
  /// How far behind the inputs those lie that will be needed after the next products.
  std::int64_t ahead = 0;
  std::int64_t channels = 0;
  T* points = nullptr;
  std::int64_t stride = 0;
};

template <class T>
struct PointFunctions {
  /// Inputs to points, and kernels to points.
  void (*evaluate)(const SquarePoints<T>&);
  void (*evaluate_kernel)(const SquarePoints<T>&);
  /// Points to results.
  void (*interpolate)(const SquarePoints<T>&);
};

/// Functions for panels of one width.
template <class T>
struct PanelFunctions {
  int columns;
  void (*multiply)(const Panel<T>&);
  Pack<T> pack;
  /// Where the terms lie in a panel that was copied together.
  const std::int64_t* packed_terms;
};

/// Up to which number, and from which numbers on, copying together takes less time than it saves.
struct WorthCopying {
  /// So many terms are copied together at most: a panel of them stays near while rows pass by, and the
  /// more there are, the less often sums are read and written.
  std::int64_t terms;
  /// Columns that lie side by side are copied for so many rows, and for so many if there are
  /// `many_columns` of them.
  std::int64_t rows, rows_of_many, many_columns;
  /// Rows whose terms lie far apart are copied for so many columns, any rows for so many.
  std::int64_t columns, columns_of_any;
};

/// Functions for one kind of machine.
template <class T>
struct TileFunctions {
  WorthCopying worth_copying;
  /// From the widest to the narrowest.
  std::span<const PanelFunctions<T>> panels;
  Pack<T> pack_rows;
  DotFunctions<T> dots;
  PointFunctions<T> points;
  void (*turn)(const Turned<T>&);
};

/// The functions that this machine can run, the quickest last.
template <class T>
const std::vector<const TileFunctions<T>*>& supported_tiles();
template <>
const std::vector<const TileFunctions<float>*>& supported_tiles();
template <>
const std::vector<const TileFunctions<double>*>& supported_tiles();

/// The quickest of them.
template <class T>
const TileFunctions<T>& tile_functions() {
  return *supported_tiles<T>().back();
}

/// The same source, compiled for any machine, for one with vectors of 256 bits and fused multiply-add,
/// and for one with vectors of 512 bits.
const TileFunctions<float>& plain_float_tiles();
const TileFunctions<double>& plain_double_tiles();
const TileFunctions<float>& avx2_float_tiles();
const TileFunctions<double>& avx2_double_tiles();
const TileFunctions<float>& avx512_float_tiles();
const TileFunctions<double>& avx512_double_tiles();

}  // namespace axial::kernels
