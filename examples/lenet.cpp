// Appendix A.2: LeNet, two convolutions with pooling and two full layers, with random weights.
#include "examples/examples.hpp"
#include "examples/show.hpp"

namespace examples {
namespace {

using namespace axial;

const Axis batch("batch"), chans("chans"), height("height"), width("width"), kh("kh"), kw("kw");
const Axis layer("layer"), hidden("hidden"), classes("classes");

/// Conv(X) = (W ⊙_{chans, kh, kw} unroll_{height, kh} unroll_{width, kw} X + b)_{chans' → chans}
Tensor conv(const Tensor& X, const Tensor& W, const Tensor& b) {
  const Tensor windows = unroll(height, kh[W.size(kh)], unroll(width, kw[W.size(kw)], X));
  return (W *(chans & kh & kw)* windows + b)[chans.prime() >> chans];
}

/// MaxPool(X) = max_{kh, kw} pool_{height, kh} pool_{width, kw} X
Tensor max_pool(std::int64_t size, const Tensor& X) {
  return max(kh & kw, pool(height, kh[size], pool(width, kw[size], X)));
}

Tensor kernels(Random& random, std::int64_t outputs, std::int64_t inputs) {
  return random.normal(chans.prime()[outputs] * chans[inputs] * kh[3] * kw[3], 0, 0.5);
}

}  // namespace

void lenet(std::ostream& out) {
  Random random(9);
  const Tensor X0 = random.uniform(batch[2] * chans[1] * height[14] * width[14]);
  const Tensor T1 = relu(conv(X0, kernels(random, 2, 1), zeros(chans.prime()[2])));
  const Tensor X1 = max_pool(2, T1);
  const Tensor T2 = relu(conv(X1, kernels(random, 3, 2), zeros(chans.prime()[3])));
  const Tensor image = max_pool(2, T2), X2 = image[(height & width & chans) >> layer];
  for (const auto& [name, X] : {std::pair{"X0", X0}, {"T1", T1}, {"X1", X1}, {"T2", T2}, {"X2", X2}}) {
    out << name << " : " << to_text(X.shape()) << "\n";
  }
  out << "\n";
  show(out, "X2 = MaxPool(T2)[(height & width & chans) >> layer]", X2);

  const Tensor W3 = random.normal(hidden[4] * layer[X2.size(layer)], 0, 0.5), b3 = zeros(hidden[4]);
  const Tensor W4 = random.normal(classes[3] * hidden[4]), b4 = zeros(classes[3]);
  const Tensor X3 = relu(W3 *layer* X2 + b3);
  const Tensor O = softmax(classes, W4 *hidden* X3 + b4);
  show(out, "X3 = relu(W3 *layer* X2 + b3)", X3);
  show(out, "O = softmax(classes, W4 *hidden* X3 + b4)", O);
  show(out, "sum(classes, O)", sum(classes, O));
}

}  // namespace examples
