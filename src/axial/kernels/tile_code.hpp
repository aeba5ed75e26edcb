// The code of tiles. It is compiled more than once, with different machines in mind, so everything
// here is private to the file that includes it.
#pragma once

#include <utility>

#include "axial/kernels/dot_code.hpp"
#include "axial/kernels/pack_code.hpp"

namespace axial::kernels {
namespace {

/// `rows` rows from number `first` on, in vectors of `bytes` bytes, of which a panel has `wide`.
template <class T, int bytes, int wide, int rows>
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
    __builtin_prefetch(c + i * panel.c_stride, 1);
    __builtin_prefetch(c + i * panel.c_stride + wide * bytes / sizeof(T) - 1, 1);
  }
  // The rows of the next tile often follow in memory; they are on their way, too.
  const T* next = panel.a + panel.a_rows[std::min(first + rows, panel.rows - 1)];
  for (std::int64_t k = 0; k < panel.terms; ++k) {
    __builtin_prefetch(next + k * rows);
    const auto* b = reinterpret_cast<const Loose*>(panel.b + panel.b_terms[k]);
    const std::int64_t term = panel.a_terms[k];
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
template <class T, int bytes, int wide>
void multiply_panel(const Panel<T>& panel) {
  std::int64_t first = 0;
  for (; first + tile_rows <= panel.rows; first += tile_rows) {
    multiply_tile<T, bytes, wide, tile_rows>(panel, first);
  }
  static_assert(tile_rows == 6);
  switch (panel.rows - first) {
    case 1: return multiply_tile<T, bytes, wide, 1>(panel, first);
    case 2: return multiply_tile<T, bytes, wide, 2>(panel, first);
    case 3: return multiply_tile<T, bytes, wide, 3>(panel, first);
    case 4: return multiply_tile<T, bytes, wide, 4>(panel, first);
    case 5: return multiply_tile<T, bytes, wide, 5>(panel, first);
    default: return;
  }
}

template <class T, int bytes, int wide>
constexpr PanelFunctions<T> panel_functions() {
  constexpr int columns = wide * bytes / static_cast<int>(sizeof(T));
  static_assert(columns == narrowest_panel<T> || columns == widest_panel<T>);
  return {columns, &multiply_panel<T, bytes, wide>, &pack<T, columns>};
}

/// Vectors that fill a line of the cache are read in place nearly as quickly as from a copy.
template <int bytes>
inline constexpr WorthCopying worth_copying =
    bytes == 64 ? WorthCopying{.rows = 384, .columns = 256}
                : WorthCopying{.rows = 13, .columns = 32};

/// Panels of so many vectors each, from the widest to the narrowest.
template <class T, int bytes, int... wide>
inline constexpr PanelFunctions<T> panels[] = {panel_functions<T, bytes, wide>()...};
template <class T, int bytes, int... wide>
inline constexpr TileFunctions<T> functions{worth_copying<bytes>, panels<T, bytes, wide...>,
                                            &pack<T, tile_rows>, dot_functions<T, bytes>, &turn<T>};

}  // namespace
}  // namespace axial::kernels
