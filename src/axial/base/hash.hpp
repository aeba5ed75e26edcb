// Numbers that stand for what they were made from.
#pragma once

#include <cstdint>

namespace axial {

/// The two halves of a product of 128 bits, folded: every bit of the operands moves half of the result.
constexpr std::uint64_t folded_product(std::uint64_t left, std::uint64_t right) {
  __extension__ using Wide = unsigned __int128;
  const Wide product = static_cast<Wide>(left) * right;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

/// A number whose bits all depend on all bits of `value`.
constexpr std::uint64_t mixed(std::uint64_t value) {
  return folded_product(value ^ 0x9e3779b97f4a7c15, 0xa0761d6478bd642f);
}

}  // namespace axial
