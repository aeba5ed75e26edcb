// The rule of lifting, and the types of everything that is applied by it.
#pragma once

#include <span>

#include "axial/base/activity.hpp"
#include "axial/expr/node.hpp"

namespace axial::expr {

/// One argument of a lifted application: what it has and what the function asks for.
struct LiftedArgument {
  Shape given;
  Shape own;
};

/// The shape of a function's lifted result: its own and every extra axis of the arguments.
/// Fails with unknown-axis or size-clash if an argument lacks its own axes or extra axes differ in
/// size, and with lifting-clash if an extra axis is also in the result's own shape.
Shape lift(const Activity& name, std::span<const LiftedArgument> arguments, const Shape& result);

/// The types of applied primitives, functions and recurrences.
Type infer_node(const Along& along, std::span<const Expr> operands);
Type infer_node(const Call& call, std::span<const Expr> operands);
Type infer_node(const Scan& scan, std::span<const Expr> operands);

}  // namespace axial::expr
