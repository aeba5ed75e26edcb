#include "axial/nn/embedding.hpp"

#include <cmath>

namespace axial {

Embedding::Embedding(SizedAxis words, const Shape& features)
    : vocab(words.axis),
      layer(features.names()),
      E(parameter("E", Shape(words) * features,
                  init::normal(0, 1 / std::sqrt(static_cast<double>(features.volume()))))) {}

Tensor Embedding::operator()(const Tensor& I) const {
  return I.shape().contains(vocab) ? dot(vocab, E, I) : index(vocab, E, I);
}

Tensor Embedding::scores(const Tensor& X) const { return dot(layer, E, X); }

Tensor positional_encoding(SizedAxis seq, SizedAxis layer, ElementType type) {
  const Tensor p = iota(seq, type), i = iota(layer, type), odd = mod(i, 2);
  const Tensor angle = p / pow(10000, (i - odd) / static_cast<double>(layer.size));
  return where(odd == 0, sin(angle), cos(angle));
}

}  // namespace axial
