// The last part of a derivation: from a differential to the derivative (section 5.3 of the paper).
#pragma once

#include "axial/calculus/derivation.hpp"

namespace axial::calculus {

/// Adds the steps from the differential, an expression in the increment ∂X, to D ⊙_{S*} ∂X*, an idea
/// at a time, and the derivative D itself.
void canonicalize(Derivation& derivation, const Expr& increment, const Renames& stars);

}  // namespace axial::calculus
