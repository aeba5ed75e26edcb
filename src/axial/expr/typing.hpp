// What operands each kind of node accepts, and the type of the result.
#pragma once

#include <span>
#include <string_view>

#include "axial/expr/node.hpp"

namespace axial::expr {

/// The type of a node. Fails with an Error that names the operation, the axis and the shapes.
Type infer(const Kind& kind, std::span<const Expr> operands);

/// One argument of a lifted application: what it has and what the function asks for.
struct LiftedArgument {
  Shape given;
  Shape own;
};

/// The shape of a function's lifted result: its own and every extra axis of the arguments.
/// Fails with unknown-axis or size-clash if an argument lacks its own axes or extra axes differ in
/// size, and with lifting-clash if an extra axis is also in the result's own shape.
Shape lift(std::string_view name, std::span<const LiftedArgument> arguments, const Shape& result);

}  // namespace axial::expr
