// Tables of offsets, and whether what they name lies side by side.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

namespace axial::kernels {

/// True if every offset is one more than the one before it.
inline bool are_neighbours(std::span<const std::int64_t> offsets) {
  const auto gap = [](std::int64_t left, std::int64_t right) { return right != left + 1; };
  return std::ranges::adjacent_find(offsets, gap) == offsets.end();
}

}  // namespace axial::kernels
