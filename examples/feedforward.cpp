// Section 4.1: a feed-forward network, with a name for every layer and with one name for all.
#include "examples/examples.hpp"
#include "examples/show.hpp"

namespace examples {
namespace {

using namespace axial;

/// X¹ = σ(W¹ ⊙ X⁰ + b¹) and so on: each layer has an axis of its own.
Tensor named_layers(std::ostream& out, Random& random) {
  const Axis input("input"), hidden_1("hidden_1"), hidden_2("hidden_2"), output("out");
  const Tensor X0 = random.normal(input[4]);
  const Tensor W1 = random.normal(hidden_1[5] * input[4]), b1 = zeros(hidden_1[5]);
  const Tensor W2 = random.normal(hidden_2[3] * hidden_1[5]), b2 = zeros(hidden_2[3]);
  const Tensor W3 = random.normal(output[2] * hidden_2[3]), b3 = zeros(output[2]);

  const Tensor X1 = sigmoid(W1 *input* X0 + b1);
  const Tensor X2 = sigmoid(W2 *hidden_1* X1 + b2);
  const Tensor X3 = sigmoid(W3 *hidden_2* X2 + b3);
  show(out, "X1 = sigmoid(W1 *input* X0 + b1)", X1);
  show(out, "X3 = sigmoid(W3 *hidden_2* X2 + b3)", X3);
  return X3;
}

/// FullConn computes over layer' and renames it back, so that layers can be stacked.
Function fully_connected(const Tensor& W, const Tensor& b) {
  const Axis layer("layer");
  return function("FullConn", {layer}, layer, [=](Tensor x) {
    return sigmoid(W *layer* x + b)[layer.prime() >> layer];
  });
}

}  // namespace

void feedforward(std::ostream& out) {
  Random random(1);
  named_layers(out, random);

  const Axis layer("layer"), batch("batch");
  const std::int64_t sizes[] = {4, 5, 3, 2};
  Tensor x = random.normal(layer[sizes[0]]), many = random.normal(batch[3] * layer[sizes[0]]);
  for (int l = 1; l <= 3; ++l) {
    const Function full_conn =
        fully_connected(random.normal(layer.prime()[sizes[l]] * layer[sizes[l - 1]]),
                        zeros(layer.prime()[sizes[l]]));
    x = full_conn(x);
    many = full_conn(many);
  }
  show(out, "FullConn3(FullConn2(FullConn1(x)))", x);
  show(out, "the same function on a batch: every function lifts", many);
}

}  // namespace examples
