// Two formulas compared by numbers.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "axial/document/world.hpp"

namespace axial::document {

/// Where two tensors differ most, for a message.
struct Difference {
  std::string place;
  double left;
  double right;
};

enum class Agreement { equal, different, undefined };

struct Comparison {
  Agreement agreement;
  std::optional<Difference> difference = {};
};

/// Computes the pair that is to be compared in a given trial.
using Sides = std::function<std::pair<expr::Expr, expr::Expr>(World&)>;

/// Compares the two sides in the trial that `draw` says. The tolerance comes from how much the sides
/// change when their inputs are disturbed a little. Undefined if they are not numbers.
Comparison compare(const Symbols& symbols, const Draw& draw, const Sides& sides);

/// The value of an expression without free variables.
Array value_of(const expr::Expr& expression);

}  // namespace axial::document
