// Functions between layers, by name or as any C++ function of a tensor.
#pragma once

#include <concepts>
#include <functional>
#include <string_view>

#include "axial/api/tensor.hpp"

namespace axial {

/// A function of one tensor: a name such as `"relu"`, `"sigmoid"` or `"gelu"`, or a C++ function.
class Activation {
 public:
  /// A function of the vocabulary or the prelude that takes one number. Fails with undeclared.
  Activation(std::string_view name);                                    // NOLINT
  Activation(const char* name) : Activation(std::string_view(name)) {}  // NOLINT
  template <std::invocable<const Tensor&> Body>
  Activation(Body body) : body_(std::move(body)) {}  // NOLINT

  Tensor operator()(const Tensor& x) const { return body_(x); }

 private:
  std::function<Tensor(const Tensor&)> body_;
};

}  // namespace axial
