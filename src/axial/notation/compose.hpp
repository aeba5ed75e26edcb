// Trees that are made instead of read.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "axial/notation/tree.hpp"

namespace axial::notation {

using AxisNames = std::vector<std::string>;

/// Trees in a row. An initializer list would copy them, which long rows cannot afford.
template <class... T>
std::vector<Tree> list(T... trees) {
  std::vector<Tree> all;
  all.reserve(sizeof...(trees));
  (all.push_back(std::move(trees)), ...);
  return all;
}

/// A function with axes below, or the operator of a word.
Tree applied(std::string_view name, std::vector<Tree> children, AxisNames axes = {});

/// A number as the parser reads it: -2 is the negative of 2, NaN is 0 / 0.
Tree number_tree(const Number& value);

/// X ⊙ Y ⊙ Z of one factor or more.
Tree product(std::vector<Tree> factors);

}  // namespace axial::notation
