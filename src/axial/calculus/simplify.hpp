// Simplification.
#pragma once

#include "axial/calculus/arithmetic.hpp"

namespace axial::calculus {

/// The same value, with identities eliminated where they are contracted: A ⊙_ax I_{ax,ax'} is
/// A_{ax→ax'} (eq. rename_as_id).
Expr without_deltas(const Expr& expression);

}  // namespace axial::calculus
