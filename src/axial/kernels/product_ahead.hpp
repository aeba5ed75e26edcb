// What a product will copy together soon is fetched while something else is multiplied: copying has
// nothing else to do while it waits for memory.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "axial/kernels/blocks.hpp"
#include "axial/kernels/tile.hpp"

namespace axial::kernels {

/// Where a matrix of each operand begins; nowhere if there is none.
template <class T>
struct Operands {
  const T* a = nullptr;
  const T* b = nullptr;
};

/// Where some lines and terms of an operand lie, of which there must be any, and how far from its
/// beginning; empty if there are more places between them than elements.
struct Stretch {
  std::int64_t first = 0;
  std::int64_t count = 0;
};
inline Stretch stretch(std::span<const std::int64_t> lines, std::span<const std::int64_t> terms) {
  const auto [first_line, last_line] = std::ranges::minmax(lines);
  const auto [first_term, last_term] = std::ranges::minmax(terms);
  const std::int64_t count = last_line - first_line + last_term - first_term + 1;
  if (count > std::ssize(lines) * std::ssize(terms)) return {};
  return {first_line + first_term, count};
}

/// Deals a stretch of rows and one of columns out to the tiles of a block, which take turns.
template <class T>
class Fetching {
 public:
  Fetching() = default;
  /// `turns` says how many terms the tiles of each turn will multiply, all together.
  Fetching(const T* a, Stretch rows, const T* b, Stretch columns, std::int64_t turns) {
    if (columns.count == 0) return;
    if (rows.count == 0) {
      a = b;
      rows = {columns.first, columns.count / 2};
      columns = {rows.first + rows.count, columns.count - rows.count};
    }
    const auto ahead = [&](const T* from, Stretch each) {
      constexpr auto bytes = static_cast<std::int64_t>(sizeof(T));
      return Ahead{reinterpret_cast<const std::byte*>(from + each.first),
                   count_of_blocks(each.count * bytes, turns)};
    };
    next_ = {ahead(a, rows), ahead(b, columns)};
  }

  /// How many terms the tiles of each turn multiply, in a panel of so many rows.
  static constexpr std::int64_t turns(std::int64_t rows, std::int64_t terms) {
    return count_of_blocks(rows, 2 * tile_rows) * terms;
  }

  /// The share of a panel of so many turns.
  std::array<Ahead, 2> share(std::int64_t turns) {
    const std::array<Ahead, 2> own = next_;
    for (Ahead& each : next_) each.from += turns * each.step;
    return own;
  }

 private:
  std::array<Ahead, 2> next_ = {};
};

}  // namespace axial::kernels
