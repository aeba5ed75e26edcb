#include "axial/nn/dropout.hpp"

#include <fmt/format.h>

#include "axial/base/error.hpp"

namespace axial {
namespace {

/// A seed that a double holds exactly.
Tensor first_seed(const Shape& shape, Random& random, ElementType type) {
  return random.integers(shape, 0, std::int64_t{1} << 52, type);
}

}  // namespace

Dropout::Dropout(double probability)
    : rate(probability), generator(buffer("generator", Shape{}, first_seed, int64)) {
  if (rate >= 0 && rate < 1) return;
  throw Error(code("bad-value"),
              fmt::format("Dropout: {} is not a probability of being left out", rate),
              "let it be 0 or more and below 1");
}

Tensor Dropout::operator()(const Tensor& x) const {
  if (!is_training() || rate == 0) return x;
  const auto seed = static_cast<std::int64_t>(generator.value().item());
  generator.assign(tensor(Shape{}, {seed + 1}, int64));
  const Tensor kept = Random(static_cast<std::uint64_t>(seed)).bernoulli(x.shape(), 1 - rate);
  return where(kept, x / (1 - rate), 0);
}

}  // namespace axial
