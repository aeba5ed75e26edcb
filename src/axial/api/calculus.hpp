// Derivatives of tensors (section 5 of the paper). A tensor knows how it was computed, so it can be
// differentiated by any tensor that it was computed from, to any order.
#pragma once

#include <vector>

#include "axial/api/tensor.hpp"

namespace axial {

namespace plain {
Tensor differential(const Tensor& y, const Tensor& x, const Tensor& increment);
Tensor derivative(const Tensor& y, const Tensor& x);
Tensor hessian(const Tensor& loss, const Tensor& x);
std::vector<Tensor> gradients(const Tensor& loss, const std::vector<Tensor>& variables);
}  // namespace plain

/// ∂Y for the increment H of X: the linear part of Y(X + H) - Y(X), with the axes of Y.
/// Fails with size-clash unless H has the shape of X.
template <TensorLike Y, TensorLike X, TensorLike H>
auto differential(const Y& y, const X& x, const H& increment) {
  return promise<Names<Y>>(plain::differential(y, x, increment));
}

/// ∂Y/∂X*, with the axes of Y and every axis of X starred; if that meets an axis of Y, with a dagger,
/// then with more of them. Identities in it are never built when it is contracted.
template <TensorLike Y, TensorLike X>
Tensor derivative(const Y& y, const X& x) {
  return plain::derivative(y, x);
}

/// ∂L/∂X of a scalar L, with the axes of X. Fails with not-differentiable unless L is a real scalar.
template <TensorLike L, TensorLike X>
auto gradient(const L& loss, const X& x) {
  return promise<Names<X>>(plain::gradients(loss, {Tensor(x)})[0]);
}

/// The gradients of a scalar by several tensors, in one backward pass.
inline std::vector<Tensor> gradients(const Tensor& loss, const std::vector<Tensor>& variables) {
  return plain::gradients(loss, variables);
}

/// ∂²L/∂X*∂X†.
template <TensorLike L, TensorLike X>
Tensor hessian(const L& loss, const X& x) {
  return plain::hessian(loss, x);
}

}  // namespace axial
