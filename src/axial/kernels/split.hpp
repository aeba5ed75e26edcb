// Products of float32 on machines that multiply small matrices of shorter numbers at once. An element
// is the sum of three parts of 8 bits each, so a product of two elements is the sum of nine products of
// parts; the three least of them are less than what float32 rounds away.
#pragma once

#include <cstdint>

#include "axial/kernels/blocks.hpp"
#include "axial/kernels/tile.hpp"

namespace axial::kernels {

/// So many rows and as many columns are multiplied at once, and so many terms.
inline constexpr std::int64_t split_lines = 32;
inline constexpr std::int64_t split_terms = 32;
/// So many terms are split together at most: rows of them stay near while columns pass by.
inline constexpr std::int64_t most_split_terms = 512;

/// One part of each of two terms.
using Pair = std::uint32_t;

/// How many pairs a strip takes: `split_lines` rows or columns with so many terms, all three parts; and
/// a line of the cache that says how they are written. Strips are read quickest if they begin with a line.
constexpr std::int64_t split_strip(std::int64_t terms) {
  constexpr std::int64_t parts = 3, line = 16;
  return rounded_up(terms, split_terms) * split_lines / 2 * parts + line;
}

/// Rows times columns: c[i · c_stride + j] = Σ_k a_ik b_kj, added to c if `adds`.
struct SplitPanel {
  /// One strip of rows, or fewer rows than that; and all columns, in as many strips as they need.
  const Pair* a = nullptr;
  std::int64_t rows = 0;
  const Pair* b = nullptr;
  std::int64_t columns = 0;
  std::int64_t terms = 0;
  float* c = nullptr;
  std::int64_t c_stride = 0;
  bool adds = false;
};

/// Functions for one kind of machine.
struct SplitFunctions {
  /// Whatever this thread multiplies lies between these: they set registers up, and give them back.
  void (*begin)();
  void (*end)();
  /// Splits rows or columns, strip behind strip. Strips keep their numbers as they are if parts cannot
  /// tell them, because one is not finite or the largest one is very small or very large.
  void (*split_rows)(const Lines<float>&, Pair* strips);
  void (*split_columns)(const Lines<float>&, Pair* strips);
  void (*multiply)(const SplitPanel&);
};

/// True if this machine has such functions, and the environment variable AXIAL_SPLIT does not say `never`.
bool can_split();

/// The functions, or null. The first call asks the system for them, which changes the process: stacks for
/// signals must be larger from then on. So nobody should ask who does not need them.
const SplitFunctions* split_functions();

/// Compiled for machines with tiles of bfloat16; null for processors of other families.
const SplitFunctions* amx_split_functions();

}  // namespace axial::kernels
