// Layers one after another.
#pragma once

#include <concepts>
#include <string>
#include <utility>
#include <vector>

#include "axial/nn/activation.hpp"
#include "axial/nn/module.hpp"

namespace axial {

/// Gives what each layer computes to the next: `Sequential(Linear(in[3], hidden[8]), "relu",
/// Dropout(0.1), Linear(hidden[8], out[2]))`. A layer is a module, the name of a function, or any C++
/// function of a tensor.
struct Sequential : Module {
  /// The layers are called 0, 1, 2, …, functions counted.
  template <class... Layers>
  explicit Sequential(Layers... layers) {
    (then(std::to_string(layers_.size()), std::move(layers)), ...);
  }

  /// Adds a layer that is called `name`. Fails with bad-value, redeclared or undeclared.
  template <class Layer>
  Sequential& then(const std::string& name, Layer layer) {
    if constexpr (std::derived_from<Layer, Module>) child(name, layer);
    layers_.emplace_back(std::move(layer));
    return *this;
  }

  Tensor operator()(Tensor x) const {
    for (const Activation& layer : layers_) x = layer(x);
    return x;
  }

 private:
  std::vector<Activation> layers_;
};

}  // namespace axial
