// Section 4.4: a convolution is a contraction with the windows of its input.
#include "examples/examples.hpp"
#include "examples/show.hpp"

namespace examples {
namespace {

using namespace axial;

const Axis chans("chans"), seq("seq"), kernel("kernel");
const Axis height("height"), width("width"), kh("kh"), kw("kw");

/// Conv1d(X; W, b) = W ⊙_{chans, kernel} unroll_{seq, kernel} X + b
Tensor conv1d(const Tensor& X, const Tensor& W, const Tensor& b) {
  return W *(chans & kernel)* unroll(seq, kernel[W.size(kernel)], X) + b;
}

/// Conv2d(X; W, b) = W ⊙_{chans, kh, kw} unroll_{height, kh} unroll_{width, kw} X + b
Tensor conv2d(const Tensor& X, const Tensor& W, const Tensor& b) {
  const Tensor windows = unroll(height, kh[W.size(kh)], unroll(width, kw[W.size(kw)], X));
  return W *(chans & kh & kw)* windows + b;
}

}  // namespace

void convolution(std::ostream& out) {
  Random random(4);
  const Tensor signal = tensor(seq[6], {1, 2, 4, 8, 16, 32});
  show(out, "unroll(seq, kernel[3], X)", unroll(seq, kernel[3], signal));

  const Tensor W1 = random.normal(chans.prime()[2] * chans[1] * kernel[3]);
  show(out, "Conv1d(X; W, b), two output channels",
       conv1d(broadcast(signal, chans[1]), W1, zeros(chans.prime()[2])));

  const Tensor image = random.uniform(chans[2] * height[5] * width[6]);
  const Tensor W2 = random.normal(chans.prime()[2] * chans[2] * kh[3] * kw[3]);
  show(out, "Conv2d(X; W, b)", conv2d(image, W2, zeros(chans.prime()[2])));
}

}  // namespace examples
