// Section 4.6: the normalisation layers differ in the axes that they standardize and in the shape of
// their parameters, and in nothing else.
#include "examples/examples.hpp"
#include "examples/show.hpp"

namespace examples {
namespace {

using namespace axial;

const Axis batch("batch"), chans("chans"), layer("layer");

Tensor batch_norm(const Tensor& X, const Tensor& gamma, const Tensor& beta) {
  return standardize(batch & layer, X) * gamma + beta;
}

Tensor instance_norm(const Tensor& X, const Tensor& gamma, const Tensor& beta) {
  return standardize(layer, X) * gamma + beta;
}

Tensor layer_norm(const Tensor& X, const Tensor& gamma, const Tensor& beta) {
  return standardize(layer & chans, X) * gamma + beta;
}

}  // namespace

void normalization(std::ostream& out) {
  Random random(6);
  const Tensor X = random.normal(batch[2] * chans[3] * layer[4], 5, 2);
  show(out, "X", X);

  const Tensor gamma = ones(chans[3]), beta = zeros(chans[3]);
  show(out, "BatchNorm(X; γ, β)", batch_norm(X, gamma, beta));
  show(out, "InstanceNorm(X; γ, β)", instance_norm(X, gamma, beta));
  show(out, "LayerNorm(X; γ, β)", layer_norm(X, ones(chans[3] * layer[4]), zeros(chans[3] * layer[4])));
}

}  // namespace examples
