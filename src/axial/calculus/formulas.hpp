// The formulas in the tables of the vocabulary, ready to be used: partial derivatives, weights of
// reductions, differentials and transposes of primitives.
#pragma once

#include <string_view>

#include "axial/expr/node.hpp"
#include "axial/notation/elaborate.hpp"

namespace axial::calculus {

/// The expression that a formula of a table denotes when its names are those of `scope`.
expr::Expr from_table(std::string_view formula, const notation::Scope& scope);

/// The names that partial derivatives use: the operands a, b, c and the result y.
notation::Scope word_scope(const expr::Expr& node);

/// The names that the weight of a reduction uses: its operand x, its result y, its axes ax; x along
/// axes of other names, `others` along `other`, and where both are at the same position, `same`.
notation::Scope reduction_scope(const expr::Reduce& reduce, const expr::Expr& node);

/// The names that formulas of a primitive use: its axes a, b and others a', b' of the same sizes,
/// its operands x, z and its result y.
notation::Scope primitive_scope(const expr::Along& along, const expr::Expr& node);

}  // namespace axial::calculus
