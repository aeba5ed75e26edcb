// The one place where expressions become values. What runs them is decided here and nowhere else.
#pragma once

#include <span>
#include <vector>

#include "axial/api/tensor.hpp"
#include "axial/expr/program.hpp"

namespace axial {

/// The values of expressions, computed together. Fails with needs-value if a variable is free.
expr::Results evaluate(std::span<const expr::Expr> expressions);

/// Forces the value of a tensor, and gives it back.
template <TensorLike X>
X eval(const X& tensor) {
  const Tensor& one = tensor;
  evaluate_together({&one, 1});
  return tensor;
}
/// Forces the values of tensors; parts that they share are computed once.
template <TensorLike... X>
  requires(sizeof...(X) > 1)
void eval(const X&... tensors) {
  const Tensor all[] = {tensors...};
  evaluate_together(all);
}

}  // namespace axial
