// The differential of each kind of node (section 5.2 of the paper). This is the one place from which
// forward mode, reverse mode and derivations come.
#pragma once

#include <span>
#include <vector>

#include "axial/calculus/arithmetic.hpp"
#include "axial/expr/traverse.hpp"

namespace axial::calculus {

/// ∂Y of a node Y, linear in the differentials of its operands, one for each; nothing if it is zero.
/// Each differential has the shape of what it is the differential of. A function must have been
/// inlined, and a scan be free of calls.
Tangent differential(const Expr& node, std::span<const Tangent> operands);

/// Differentials of nodes that are known beforehand: variables with their increments.
using Increments = expr::Substitution;

/// ∂Y of every root, with the given increments of the variables. No calls may be left in the roots.
std::vector<Tangent> differentials(std::span<const Expr> roots, const Increments& increments);

}  // namespace axial::calculus
