// Tables of offsets, and whether what they name lies side by side.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

namespace axial::kernels {

/// How many of the offsets, from the first on, are one more than the one before.
inline std::int64_t count_of_neighbours(std::span<const std::int64_t> offsets) {
  const auto gap = [](std::int64_t left, std::int64_t right) { return right != left + 1; };
  const auto last = std::ranges::adjacent_find(offsets, gap);
  return last - offsets.begin() + (last == offsets.end() ? 0 : 1);
}

/// True if every offset is one more than the one before it.
inline bool are_neighbours(std::span<const std::int64_t> offsets) {
  return count_of_neighbours(offsets) == std::ssize(offsets);
}

}  // namespace axial::kernels
