// Checks that several kinds of nodes make of their operands.
#pragma once

#include <span>
#include <string_view>

#include "axial/base/activity.hpp"
#include "axial/expr/node.hpp"

namespace axial::expr {

/// Fails with wrong-arity unless there are `count` operands.
void require_arity(const Activity& name, std::span<const Expr> operands, std::int64_t count);

/// Fails with element-type unless the operand's elements are accepted; the hint is for integers.
void require_accepted(const Activity& name, Takes takes, const Expr& operand,
                      std::string_view integer_hint = "");

/// The element type shared by all operands. Fails with element-type if they differ.
ElementType shared_element(const Activity& name, std::span<const Expr> operands);

/// The union of the operands' shapes. Fails with size-clash.
Shape united(const Activity& name, std::span<const Expr> operands);

/// True if all operands are plain numbers.
bool all_weak(std::span<const Expr> operands);

}  // namespace axial::expr
