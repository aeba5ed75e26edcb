// Normalisation layers. They differ in the axes that they standardize and in the shape of their
// parameters (section 4.6 of the paper): Y = standardize(X) ⊙ γ + β.
#pragma once

#include "axial/nn/module.hpp"

namespace axial {

/// Standardizes over some axes, then scales and shifts by parameters of some shape.
struct Norm : Module {
  Norm(Axes standardized, const Shape& shape, double added = 1e-5);
  Tensor operator()(const Tensor& X) const { return standardize(over, X, epsilon) * gamma + beta; }

  Axes over;
  double epsilon;
  Parameter gamma, beta;
};

/// Over the axes of the parameters themselves: `LayerNorm(layer[512])`, `LayerNorm(chans[3] * layer[4])`.
struct LayerNorm : Norm {
  explicit LayerNorm(const Shape& shape, double added = 1e-5) : Norm(shape.names(), shape, added) {}
};

/// Over other axes than those of the parameters: `InstanceNorm(height & width, chans[3])`.
struct InstanceNorm : Norm {
  using Norm::Norm;
};

/// Over other axes and within groups of neighbouring channels: `GroupNorm(height & width, chans[8], 2)`.
struct GroupNorm : Norm {
  /// Fails with bad-size unless the groups have the same size.
  GroupNorm(Axes standardized, SizedAxis channels, std::int64_t count, double added = 1e-5);
  Tensor operator()(const Tensor& X) const;

  SizedAxis chans;
  std::int64_t groups;
};

/// Over the batch as well: `BatchNorm(batch & height & width, chans[3])`. In training it standardizes
/// what it is given and remembers running statistics of it, with which it standardizes in evaluation;
/// then X need not have the axes of the batch.
struct BatchNorm : Norm {
  /// `momentum` is the share of each new batch in the running statistics.
  BatchNorm(Axes standardized, const Shape& shape, double share = 0.1, double added = 1e-5);
  Tensor operator()(const Tensor& X) const;

  double momentum;
  Parameter running_mean, running_var;

 private:
  void remember(const Tensor& X) const;
};

}  // namespace axial
