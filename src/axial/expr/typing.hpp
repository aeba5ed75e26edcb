// What operands each kind of node accepts, and the type of the result.
#pragma once

#include <span>

#include "axial/expr/node.hpp"

namespace axial::expr {

/// The type of a node. Fails with an Error that names the operation, the axis and the shapes.
Type infer(const Kind& kind, std::span<const Expr> operands);

}  // namespace axial::expr
