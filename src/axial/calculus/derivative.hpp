// Differentials, gradients and derivatives of whole expressions (sections 5.1 to 5.4 of the paper).
// Results are expressions again, so they can be differentiated to any order.
#pragma once

#include <span>
#include <vector>

#include "axial/calculus/arithmetic.hpp"

namespace axial::calculus {

/// ∂Y with the increment H of X: the linear part of Y(X + H) - Y(X). X may be any tensor that Y is
/// computed from. Fails with not-differentiable unless X and Y are real, and with size-clash or
/// unknown-axis unless H has the shape of X.
Expr differential(const Expr& result, const Expr& variable, const Expr& increment);

/// ∂L/∂X of a scalar L for every variable, each with the axes of the variable. One backward pass
/// gives them all: a small multiple of the work of L itself, and every tensor that L computes is
/// kept for it, but for the inside of scans, which is computed again. Fails with
/// not-differentiable unless L is a real scalar.
std::vector<Expr> gradients(const Expr& result, std::span<const Expr> variables);

/// How an axis of the variable is called in a derivative: starred; if that meets an axis of the
/// result, with a dagger, then with more of them.
Renames derivative_axes(const Shape& result, const Shape& variable);

/// The shape with its axes renamed.
Shape renamed_shape(const Shape& shape, const Renames& names);

/// ∂Y/∂X*, with the axes of Y and those of X renamed by `derivative_axes`: by differentials, by
/// cotangents or by the simplified formula, whichever is least work.
Expr derivative(const Expr& result, const Expr& variable);

/// I_{a,a*} ⊙ I_{b,b*} …, with the axes of `shape` and their new names.
Expr identity(const Shape& shape, const Renames& names, ElementType element);

/// Fails with not-differentiable unless the elements are reals; `role` says what they belong to.
void require_real(std::string_view role, const Expr& expression);

/// A function that is linear in `variable`, applied to I_{S,S*} for the new names S*: its matrix. The
/// function is lifted, so that the new axes meet none of those inside it.
Expr linear_matrix(const Expr& linear, const Expr& variable, const Renames& names);

/// The number of multiplications and other operations that an expression takes, as written.
double cost(const Expr& expression);

}  // namespace axial::calculus
