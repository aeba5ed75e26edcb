// Sums over input axes with weights: W ⊙_in x + b (section 4.1 of the paper).
#pragma once

#include <optional>

#include "axial/nn/activation.hpp"
#include "axial/nn/module.hpp"

namespace axial {

/// Names for the output axes of a layer while it computes: those that are inputs, too, get a prime.
class OutputAxes {
 public:
  OutputAxes(const Shape& in, const Shape& out);

  /// The axes that the weights have.
  const Shape& inside() const { return inside_; }
  /// The names that the output shall have.
  Axes names() const { return out_.names(); }
  /// The tensor with these names.
  Tensor named(Tensor y) const;

 private:
  Shape inside_;
  Shape out_;
};

/// What a layer of weights may leave to its caller.
struct LayerOptions {
  bool bias = true;
  /// How the weights start, unless as the layer says.
  Initializer weights = {};
};

/// y = W ⊙_in x + b, for any axes: `Linear(layer[512], heads[8] * key[64])`. W starts as Glorot and
/// Bengio say, b at zero.
struct Linear : Module {
  Linear(const Shape& in, const Shape& out, const LayerOptions& options = {});
  Tensor operator()(const Tensor& x) const;

  Axes inputs;
  OutputAxes outputs;
  Parameter W;
  std::optional<Parameter> b;
};

/// FullConn(x) = σ(W ⊙_layer x + b)_{layer'→layer}, with σ or another function.
struct FullConn : Linear {
  FullConn(const Shape& in, const Shape& out, Activation function = "sigmoid",
           const LayerOptions& options = {})
      : Linear(in, out, options), activation(std::move(function)) {}
  Tensor operator()(const Tensor& x) const { return activation(Linear::operator()(x)); }

  Activation activation;
};

}  // namespace axial
