// Identity tensors I_{ax,ax'}, with a size or with one that the tensors they meet decide.
#pragma once

#include <vector>

#include "axial/api/tensor.hpp"

namespace axial {

/// The identity I_{row,column}: one where the positions agree, zero elsewhere.
Tensor identity(SizedAxis row, Axis column, ElementType type = float32);
/// The same; fails with size-clash if the sizes differ.
Tensor identity(SizedAxis row, SizedAxis column, ElementType type = float32);

/// An identity whose size is that of the axis in the tensors it is used with.
struct OpenIdentity {
  Axis row;
  Axis column;
};
inline OpenIdentity identity(Axis row, Axis column) { return {row, column}; }

template <>
inline constexpr bool is_tensor<OpenIdentity> = true;

/// The identity with the size and element type that `context` gives it. Fails with bad-size if no
/// tensor there has one of its axes.
Tensor sized(const OpenIdentity& identity, const std::vector<Tensor>& context);

/// How an operand is computed: a tensor, or a number.
template <class X>
expr::Expr expression_of(const X& operand) {
  if constexpr (std::is_arithmetic_v<X>) {
    return Tensor(operand).expression();
  } else {
    return static_cast<const Tensor&>(operand).expression();
  }
}

/// How the operands are computed, open identities sized by the others.
template <class... X>
expr::Operands together(const X&... operands) {
  expr::Operands all;
  if constexpr ((std::same_as<X, OpenIdentity> || ...)) {
    std::vector<Tensor> context;
    const auto collect = [&](const auto& operand) {
      if constexpr (!std::same_as<std::remove_cvref_t<decltype(operand)>, OpenIdentity>) {
        context.push_back(operand);
      }
    };
    (collect(operands), ...);
    const auto resolve = [&](const auto& operand) {
      if constexpr (std::same_as<std::remove_cvref_t<decltype(operand)>, OpenIdentity>) {
        return sized(operand, context).expression();
      } else {
        return expression_of(operand);
      }
    };
    (all.push_back(resolve(operands)), ...);
  } else {
    (all.push_back(expression_of(operands)), ...);
  }
  return all;
}

}  // namespace axial
