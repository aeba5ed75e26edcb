// Section 4.5: pooling splits an axis into windows and reduces each.
#include "examples/examples.hpp"
#include "examples/show.hpp"

namespace examples {
namespace {

using namespace axial;

const Axis seq("seq"), kernel("kernel");
const Axis height("height"), width("width"), kh("kh"), kw("kw");

/// MaxPool1d_k(X) = max_kernel pool_{seq, kernel} X
Tensor max_pool1d(std::int64_t k, const Tensor& X) {
  return max(kernel, pool(seq, kernel[k], X));
}

/// MaxPool2d_{kh, kw}(X) = max_{kh, kw} pool_{height, kh} pool_{width, kw} X
Tensor max_pool2d(std::int64_t rows, std::int64_t columns, const Tensor& X) {
  return max(kh & kw, pool(height, kh[rows], pool(width, kw[columns], X)));
}

}  // namespace

void pooling(std::ostream& out) {
  Random random(5);
  const Tensor signal = random.integers(seq[8], 0, 100, float32);
  show(out, "X", signal);
  show(out, "pool(seq, kernel[2], X)", pool(seq, kernel[2], signal));
  show(out, "MaxPool1d_2(X)", max_pool1d(2, signal));

  const Tensor image = random.integers(height[4] * width[6], 0, 100, float32);
  show(out, "Y", image);
  show(out, "MaxPool2d_{2,3}(Y)", max_pool2d(2, 3, image));
}

}  // namespace examples
