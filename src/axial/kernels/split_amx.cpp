// Compiled with -mavx512f -mavx512vl -mfma -mamx-tile -mamx-bf16; called only where the machine has all of them.
#include "axial/kernels/split.hpp"

#if defined(__AMX_BF16__)
#include "axial/kernels/split_strips.hpp"

namespace axial::kernels {
namespace {

/// The numbers of a chunk again, line by line of its tiles: x of a pair in [half][0], y in [half][1].
struct Chunk {
  float numbers[2][2][tile_pairs];

  Chunk(const Pair* from, Written written) {
    for (int half = 0; half < 2; ++half, from += half_pairs) {
      for (int k = 0; k < tile_pairs; ++k) {
        const Pair first = from[k], second = from[k + tile_pairs], third = from[k + 2 * tile_pairs];
        const auto number = [&](auto part) {
          if (written == Written::as_they_are) {
            return std::bit_cast<float>(part(first) | part(second) >> 16);
          }
          return std::bit_cast<float>(part(first)) + std::bit_cast<float>(part(second)) +
                 std::bit_cast<float>(part(third));
        };
        numbers[half][0][k] = number([](Pair pair) { return pair << 16; });
        numbers[half][1][k] = number([](Pair pair) { return pair & 0xffff0000u; });
      }
    }
  }
};

/// Adds a block of rows and columns to sums, from numbers again: for strips that parts do not tell.
void add_numbers(const Pair* a, const Pair* b, std::int64_t chunks, Written a_written,
                 Written b_written, float* sums) {
  const auto vector = [](const float* from) {
    Floats numbers;
    std::memcpy(&numbers, from, sizeof numbers);
    return numbers;
  };
  for (std::int64_t chunk = 0; chunk < chunks; ++chunk) {
    const Chunk rows(a + chunk * chunk_pairs, a_written);
    const Chunk columns(b + chunk * chunk_pairs, b_written);
    for (int i = 0; i < split_lines; ++i) {
      float* own = sums + i * split_lines;
      Floats left = vector(own), right = vector(own + lanes);
      for (int k = 0; k < split_terms; ++k) {
        const float factor = rows.numbers[i / lanes][k / lanes][i % lanes * lanes + k % lanes];
        const std::int64_t term = k % lanes * lanes;
        left += factor * vector(columns.numbers[0][k / lanes] + term);
        right += factor * vector(columns.numbers[1][k / lanes] + term);
      }
      std::memcpy(own, &left, sizeof left);
      std::memcpy(own + lanes, &right, sizeof right);
    }
  }
}

/// What the registers hold: four tiles of C, two of A and two of B, all of 16 lines of 64 bytes.
struct alignas(64) Registers {
  std::uint8_t palette = 1, start = 0, reserved[14] = {};
  std::uint16_t bytes[16] = {64, 64, 64, 64, 64, 64, 64, 64};
  std::uint8_t lines[16] = {16, 16, 16, 16, 16, 16, 16, 16};
};

/// So many tiles of rows and of columns times each other: one part of A with one of B.
template <int down, int right>
void multiply_parts() {
  _tile_dpbf16ps(0, 4, 6);
  if constexpr (right > 1) _tile_dpbf16ps(1, 4, 7);
  if constexpr (down > 1) _tile_dpbf16ps(2, 5, 6);
  if constexpr (down > 1 && right > 1) _tile_dpbf16ps(3, 5, 7);
}
template <int down, int part>
void load_rows(const Pair* chunk) {
  _tile_loadd(4, chunk + part * tile_pairs, 64);
  if constexpr (down > 1) _tile_loadd(5, chunk + half_pairs + part * tile_pairs, 64);
}
template <int right, int part>
void load_columns(const Pair* chunk) {
  _tile_loadd(6, chunk + part * tile_pairs, 64);
  if constexpr (right > 1) _tile_loadd(7, chunk + half_pairs + part * tile_pairs, 64);
}

/// A block of C with so many tiles. Of each chunk the least products come first, and those that share a
/// factor follow one another.
template <int down, int right>
void multiply_block(const Pair* a, const Pair* b, std::int64_t chunks, float* c,
                    std::int64_t c_stride, bool adds) {
  const std::int64_t stride = c_stride * static_cast<std::int64_t>(sizeof(float));
  float* below = c + lanes * c_stride;
  // Compilers do not know that tiles are loaded from what was written before.
  asm volatile("" ::: "memory");
  // Sums of few terms are written so often that they must be on their way.
  constexpr std::int64_t few = 4;
  for (int i = 0; chunks <= few && i < down * lanes; ++i) {
#pragma GCC unroll 2
    for (int half = 0; half < right; ++half) __builtin_prefetch(c + i * c_stride + half * lanes, 1);
  }
  if (adds) {
    _tile_loadd(0, c, stride);
    if constexpr (right > 1) _tile_loadd(1, c + lanes, stride);
    if constexpr (down > 1) _tile_loadd(2, below, stride);
    if constexpr (down > 1 && right > 1) _tile_loadd(3, below + lanes, stride);
  } else {
    _tile_zero(0);
    _tile_zero(1);
    _tile_zero(2);
    _tile_zero(3);
  }
  for (std::int64_t chunk = 0; chunk < chunks; ++chunk, a += chunk_pairs, b += chunk_pairs) {
    load_columns<right, 0>(b);
    load_rows<down, 2>(a);
    multiply_parts<down, right>();
    load_rows<down, 1>(a);
    multiply_parts<down, right>();
    load_columns<right, 1>(b);
    multiply_parts<down, right>();
    load_rows<down, 0>(a);
    multiply_parts<down, right>();
    load_columns<right, 2>(b);
    multiply_parts<down, right>();
    load_columns<right, 0>(b);
    multiply_parts<down, right>();
  }
  _tile_stored(0, c, stride);
  if constexpr (right > 1) _tile_stored(1, c + lanes, stride);
  if constexpr (down > 1) _tile_stored(2, below, stride);
  if constexpr (down > 1 && right > 1) _tile_stored(3, below + lanes, stride);
}

void copy(const float* from, std::int64_t from_stride, float* to, std::int64_t to_stride,
          std::int64_t rows, std::int64_t columns) {
  for (std::int64_t i = 0; i < rows; ++i) {
    std::copy_n(from + i * from_stride, columns, to + i * to_stride);
  }
}

void multiply(const SplitPanel& panel) {
  constexpr void (*blocks[2][2])(const Pair*, const Pair*, std::int64_t, float*, std::int64_t,
                                 bool) = {{&multiply_block<1, 1>, &multiply_block<1, 2>},
                                          {&multiply_block<2, 1>, &multiply_block<2, 2>}};
  const std::int64_t chunks = count_of_blocks(panel.terms, split_terms);
  const auto trailer = [&](const Pair* strip) {
    Trailer found;
    std::memcpy(&found, strip + chunks * chunk_pairs, sizeof found);
    return found;
  };
  const Trailer rows = trailer(panel.a);
  const Pair* b = panel.b;
  for (std::int64_t column = 0; column < panel.columns; column += split_lines) {
    const std::int64_t columns = std::min(split_lines, panel.columns - column);
    float* c = panel.c + column;
    const auto block = blocks[panel.rows > lanes][columns > lanes];
    const Trailer right = trailer(b);
    const Pair* strip = b;
    b += split_strip(panel.terms);
    const bool is_told = rows.written == Written::as_parts && right.written == Written::as_parts &&
                         is_told_by_parts(rows.largest * right.largest);
    // Sums are left as they are, since tiles would take very small ones for zero.
    if (is_told && panel.adds && rows.largest * right.largest == 0) continue;
    if (is_told && panel.rows % lanes == 0 && columns % lanes == 0) {
      block(panel.a, strip, chunks, c, panel.c_stride, panel.adds);
      continue;
    }
    // What C lacks of a block is computed, too, but elsewhere; and in the same way, so that an element
    // does not depend on how many others are computed with it.
    alignas(64) float aside[split_lines * split_lines] = {};
    if (panel.adds) copy(c, panel.c_stride, aside, split_lines, panel.rows, columns);
    if (is_told) {
      block(panel.a, strip, chunks, aside, split_lines, panel.adds);
    } else {
      add_numbers(panel.a, strip, chunks, rows.written, right.written, aside);
    }
    copy(aside, split_lines, c, panel.c_stride, panel.rows, columns);
  }
}

void begin() {
  static constexpr Registers registers;
  _tile_loadconfig(&registers);
}
void end() { _tile_release(); }

constexpr SplitFunctions functions{&begin, &end, &split<false>, &split<true>, &multiply};

}  // namespace

const SplitFunctions* amx_split_functions() { return &functions; }

}  // namespace axial::kernels

#else

namespace axial::kernels {

const SplitFunctions* amx_split_functions() { return nullptr; }

}  // namespace axial::kernels

#endif
