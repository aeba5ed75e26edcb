// Words and positions as vectors (appendix A.1 of the paper).
#pragma once

#include "axial/nn/module.hpp"

namespace axial {

/// A vector for every word of a vocabulary: `Embedding(vocab[5000], layer[512])`.
struct Embedding : Module {
  Embedding(SizedAxis words, const Shape& features);

  /// E_{vocab(I)} for integers, E ⊙_vocab I for distributions over the vocabulary.
  Tensor operator()(const Tensor& I) const;
  /// E ⊙_layer X: a score for every word.
  Tensor scores(const Tensor& X) const;

  Axis vocab;
  Axes layer;
  Parameter E;
};

/// P_{seq(p), layer(i)} = sin(p / 10000^(i / |layer|)) for even i, cos(p / 10000^((i − 1) / |layer|))
/// for odd i, both counted from 0.
Tensor positional_encoding(SizedAxis seq, SizedAxis layer, ElementType type = float32);

}  // namespace axial
