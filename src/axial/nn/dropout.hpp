// Dropout: in training, some elements are left out at random.
#pragma once

#include "axial/nn/module.hpp"

namespace axial {

/// Sets elements to zero with a probability, and scales the others so that the expected value stays. In
/// evaluation it does nothing. Its generator is seeded by the module's seed and by its own name, and
/// belongs to the state, so that a training that is resumed draws the same numbers.
struct Dropout : Module {
  /// Fails with bad-value unless 0 ≤ rate < 1.
  explicit Dropout(double probability = 0.5);
  Tensor operator()(const Tensor& x) const;

  double rate;
  Parameter generator;
};

}  // namespace axial
