// Cutting counts into blocks.
#pragma once

#include <algorithm>
#include <cstdint>

namespace axial::kernels {

constexpr std::int64_t count_of_blocks(std::int64_t count, std::int64_t each) {
  return (count + each - 1) / each;
}
constexpr std::int64_t rounded_up(std::int64_t count, std::int64_t step) {
  return count_of_blocks(count, step) * step;
}

/// The length of blocks of at most so many, a multiple of `step`: all are equally long, but for the last
/// one, which may lack a few.
constexpr std::int64_t equal_blocks(std::int64_t count, std::int64_t most, std::int64_t step) {
  const std::int64_t blocks = std::max<std::int64_t>(1, count_of_blocks(count, most));
  return rounded_up(count_of_blocks(count, blocks), step);
}

}  // namespace axial::kernels
