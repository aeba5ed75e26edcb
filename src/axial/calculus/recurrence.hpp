// The differential and the transpose of a scan. Only the states of a scan are kept: whatever a step
// computes on its way is computed again when it is needed.
#pragma once

#include <span>
#include <vector>

#include "axial/calculus/arithmetic.hpp"

namespace axial::calculus {

/// The scan ∂sᵗ = ∂step(sᵗ⁻¹, xᵗ; ∂sᵗ⁻¹, ∂xᵗ), which takes the states of `node` as an input.
Tangent scan_differential(const expr::Scan& scan, const Expr& node,
                          std::span<const Tangent> tangents);

/// What a scan that is linear in the operands marked `active` gives back to each of them for the
/// cotangent of its states; nothing for the others.
std::vector<Tangent> scan_transpose(const expr::Scan& scan, const Expr& node,
                                    const std::vector<bool>& active, const Expr& cotangent);

}  // namespace axial::calculus
