// How a formula says one node of an expression, given how it says the operands.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "axial/expr/node.hpp"
#include "axial/notation/tree.hpp"

namespace axial::notation {

/// A part of a formula with the axes that it has when it is read: those of its node, but for axes
/// that only repetition gives.
struct Part {
  Tree tree;
  Axes axes;
};

/// What all parts of one formula have in common.
struct Manner {
  std::int64_t first_position;
  /// Names for axes that nobody may write.
  std::unordered_map<Axis, Axis> shown = {};

  std::string name(Axis axis) const;
  std::vector<std::string> names(const Axes& axes) const;
};

/// The formula of a node on operands that are written before. Fails with needs-value for leaves and parameters.
Tree written(const expr::Expr& node, std::vector<Part> operands, const Manner& manner);

}  // namespace axial::notation
