// Comparison of tensors by name.
#pragma once

#include <algorithm>

#include "axial/axial.hpp"

namespace axial {

/// True if both have the same names, and under each the very same tensor.
inline bool identical(const Tensors& left, const Tensors& right) {
  return std::ranges::equal(left, right, [](const auto& x, const auto& y) {
    return x.first == y.first && identical(x.second, y.second);
  });
}

}  // namespace axial
