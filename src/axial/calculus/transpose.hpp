// Transposing linear expressions: reverse mode is the transpose of the differential.
#pragma once

#include <span>
#include <vector>

#include "axial/calculus/arithmetic.hpp"

namespace axial::calculus {

/// For roots Lₖ(v) that are linear in the variables v: the cotangents v' with
/// Σ ⟨wₖ, Lₖ(v)⟩ = Σ ⟨v', v⟩ for all v, where wₖ is the cotangent of the k-th root. Nothing for
/// variables that no root depends on. No calls may be left in the roots.
std::vector<Tangent> transpose(std::span<const Expr> roots, std::span<const Expr> cotangents,
                               std::span<const Expr> variables);

}  // namespace axial::calculus
