// The code of tiles. It is compiled more than once, with different machines in mind, so everything
// here is private to the file that includes it.
#pragma once

#include <utility>

#include "axial/kernels/dot_code.hpp"
#include "axial/kernels/pack_code.hpp"
#include "axial/kernels/point_code.hpp"

namespace axial::kernels {
namespace {

/// How operands lie, and whether there is something to fetch besides.
struct Reading {
  bool across, in_place, fetches;
};

/// `rows` rows from number `first` on, in vectors of `bytes` bytes, of which a panel has `wide`.
template <class T, int bytes, int wide, int rows, Reading reading>
inline void multiply_tile(const Panel<T>& panel, std::int64_t first) {
  typedef T Vector __attribute__((vector_size(bytes)));
  typedef T Loose __attribute__((vector_size(bytes), aligned(sizeof(T)), may_alias));
  const T* a[rows];
  Vector sums[rows][wide];
  T* c = panel.c + first * panel.c_stride;
  // Unrolled loops keep all sums in registers; C is on its way while they are computed.
#pragma GCC unroll 6
  for (int i = 0; i < rows; ++i) {
    a[i] = panel.a + panel.a_rows[first + i];
#pragma GCC unroll 4
    for (int j = 0; j < wide; ++j) sums[i][j] = Vector{};
    // The first of each line, and the last of all, since rows may begin anywhere in a line.
    constexpr int columns = wide * bytes / static_cast<int>(sizeof(T));
#pragma GCC unroll 4
    for (int j = 0; j < columns; j += static_cast<int>(strip_margin<T>)) {
      __builtin_prefetch(c + i * panel.c_stride + j, 1);
    }
    __builtin_prefetch(c + i * panel.c_stride + columns - 1, 1);
  }
  // What comes next is on its way, too: of rows that lie across a line further on, of others those of
  // the next tile, which often follow in memory; and of columns in place those beside the panel.
  const T* next = panel.a + panel.a_rows[std::min(first + rows, panel.rows - 1)];
  const Ahead& ahead = panel.ahead[static_cast<std::size_t>(first / tile_rows % 2)];
  const std::byte* soon = ahead.from + first / (2 * tile_rows) * panel.terms * ahead.step;
  for (std::int64_t k = 0; k < panel.terms; ++k) {
    if constexpr (reading.fetches) {
      __builtin_prefetch(soon, 0, 2);
      soon += ahead.step;
    }
    const auto* b = reinterpret_cast<const Loose*>(panel.b + panel.b_terms[k]);
    const std::int64_t term = panel.a_terms[k];
    __builtin_prefetch(reading.across ? a[rows - 1] + term + strip_margin<T> : next + k * rows);
    if constexpr (reading.in_place) {
#pragma GCC unroll 4
      for (int j = 0; j < wide; ++j) __builtin_prefetch(b + wide + j, 0, 2);
    }
    Vector columns[wide];
#pragma GCC unroll 4
    for (int j = 0; j < wide; ++j) columns[j] = b[j];
#pragma GCC unroll 6
    for (int i = 0; i < rows; ++i) {
      const T factor = a[i][term];
#pragma GCC unroll 4
      for (int j = 0; j < wide; ++j) sums[i][j] += factor * columns[j];
    }
  }
#pragma GCC unroll 6
  for (int i = 0; i < rows; ++i) {
    auto* row = reinterpret_cast<Loose*>(c + i * panel.c_stride);
#pragma GCC unroll 4
    for (int j = 0; j < wide; ++j) row[j] = panel.adds ? sums[i][j] + row[j] : sums[i][j];
  }
}

/// Tiles of all rows but the last few, then one of these.
template <class T, int bytes, int wide, Reading reading>
void multiply_tiles(const Panel<T>& panel) {
  std::int64_t first = 0;
  for (; first + tile_rows <= panel.rows; first += tile_rows) {
    multiply_tile<T, bytes, wide, tile_rows, reading>(panel, first);
  }
  static_assert(tile_rows == 6);
  switch (panel.rows - first) {
    case 1: return multiply_tile<T, bytes, wide, 1, reading>(panel, first);
    case 2: return multiply_tile<T, bytes, wide, 2, reading>(panel, first);
    case 3: return multiply_tile<T, bytes, wide, 3, reading>(panel, first);
    case 4: return multiply_tile<T, bytes, wide, 4, reading>(panel, first);
    case 5: return multiply_tile<T, bytes, wide, 5, reading>(panel, first);
    default: return;
  }
}

template <class T, int bytes, int wide>
void multiply_panel(const Panel<T>& panel) {
  // Only wide vectors leave time to fetch more than a line with each term.
  constexpr bool has_time = bytes == 64;
  constexpr auto of = [](bool across) {
    return across ? std::array{&multiply_tiles<T, bytes, wide, Reading{true, false, false}>,
                               &multiply_tiles<T, bytes, wide, Reading{true, has_time, false}>,
                               &multiply_tiles<T, bytes, wide, Reading{true, false, true}>}
                  : std::array{&multiply_tiles<T, bytes, wide, Reading{false, false, false}>,
                               &multiply_tiles<T, bytes, wide, Reading{false, has_time, false}>,
                               &multiply_tiles<T, bytes, wide, Reading{false, false, true}>};
  };
  constexpr std::array tiles = {of(false), of(true)};
  const bool fetches = panel.ahead[1].from != nullptr;
  tiles[panel.across][panel.in_place ? 1 : fetches ? 2 : 0](panel);
}

template <class T, int bytes, int wide>
constexpr PanelFunctions<T> panel_functions() {
  constexpr int columns = wide * bytes / static_cast<int>(sizeof(T));
  static_assert(columns % narrowest_panel<T> == 0 && columns <= widest_panel<T>);
  return {columns, &multiply_panel<T, bytes, wide>, &pack<T, columns>,
          packed_terms<columns>.data()};
}

/// Panels of so many vectors each, from the widest to the narrowest.
template <class T, int bytes, int... wide>
inline constexpr PanelFunctions<T> panels[] = {panel_functions<T, bytes, wide>()...};
template <class T, WorthCopying worth_copying, int bytes, int... wide>
inline constexpr TileFunctions<T> functions{
    worth_copying,           panels<T, bytes, wide...>, &pack<T, tile_rows>,
    dot_functions<T, bytes>, point_functions<T, bytes>, &turn<T>};

/// For vectors that fill no line of the cache.
inline constexpr WorthCopying for_short_vectors{.terms = 256,
                                                .rows = 13,
                                                .rows_of_many = 13,
                                                .many_columns = 32,
                                                .columns = 32,
                                                .columns_of_any = 1024};

}  // namespace
}  // namespace axial::kernels
