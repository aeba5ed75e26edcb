// Random well-typed expressions over every kind of node, for laws that must hold for all of them.
#pragma once

#include <optional>
#include <vector>

#include "axial/expr/node.hpp"
#include "support/generator.hpp"

namespace axial::support {

/// What random expressions may be made of.
struct ExpressionOptions {
  /// About how many operations there are, those in the bodies of functions not counted.
  int operations = 12;
  /// The sizes that new axes have.
  std::vector<std::int64_t> sizes = {1, 2, 3, 5};
  /// Intermediate results are cut down to this many elements.
  std::int64_t max_volume = 200;
  /// Only operations that are continuously differentiable, for laws about derivatives.
  bool smooth = false;
  /// Whether there are calls and scans. Their bodies reuse the names of axes outside, so that
  /// capture would show.
  bool functions = true;
  /// Float64 expressions with elements between -2 and 2 that must occur in the result, such as the
  /// leaves or free variables by which a test differentiates. Otherwise the result is closed.
  std::vector<expr::Expr> variables = {};
  /// The shape of the result, if it matters.
  std::optional<Shape> shape = {};
};

/// A random expression of float64. It can be evaluated without an error, all its elements are
/// finite, and the same state of the generator gives the same structure and the same data. Shared
/// parts, several sizes of one name, and axes of size 1 are frequent.
expr::Expr random_expression(Generator& generator, const ExpressionOptions& options = {});

}  // namespace axial::support
