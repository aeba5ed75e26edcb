// Sums, products and contractions as the calculus builds them: zeros are not written down, and ones
// vanish from products. Nothing here changes a value.
#pragma once

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "axial/expr/node.hpp"

namespace axial::calculus {

using expr::Expr;

/// Something linear in a differential; nothing if it is zero everywhere.
using Tangent = std::optional<Expr>;

using Renames = std::vector<std::pair<Axis, Axis>>;

/// A plain number.
Expr number(Number value);
/// True if the expression is the number `value`, not a size that happens to equal it.
bool is_number(const Expr& expression, double value);
/// True if the expression is that word applied to its operands.
bool is_word(const Expr& expression, std::string_view name);
/// Zero in every element.
Expr zeros(const expr::Type& type);

Expr plus(const Expr& left, const Expr& right);
Tangent plus(const Tangent& left, const Tangent& right);
Expr negative(const Expr& expression);
/// X ⊙ Y. Where a factor is where(c, 1, 0), the other factor is chosen instead of multiplied, so
/// that what is not chosen may be infinite.
Expr times(const Expr& left, const Expr& right);

/// Σ_over of the product of factors, at least one of which has each axis.
Expr contraction(const Axes& over, std::vector<Expr> factors);
/// Σ_over X, drawn into products, so that no product is built that is only summed.
Expr total(const Axes& over, const Expr& expression);

/// X repeated along the axes of `shape` that it lacks.
Expr spread(const Expr& expression, const Shape& shape);
/// X with axes renamed; pairs whose first axis it lacks are passed over.
Expr renamed(const Expr& expression, const Renames& pairs);
Renames reversed(Renames pairs);

}  // namespace axial::calculus
