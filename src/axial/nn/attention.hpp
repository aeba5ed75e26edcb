// Attention (section 4.3 and appendix A.1 of the paper).
#pragma once

#include <optional>

#include "axial/nn/dropout.hpp"
#include "axial/nn/module.hpp"

namespace axial {

/// The axes that attention sums over and gives: those of the memory, of queries and keys, of values.
struct AttentionAxes {
  Axis seq{"seq"}, key{"key"}, val{"val"};
};

/// Attention : R[key] × R[seq, key] × R[seq, val] × R[seq] → R[val], lifted over all other axes:
/// Attention(Q, K, V, M) = softmax_seq(Q ⊙_key K / √|key| + M) ⊙_seq V.
Tensor attention(const AttentionAxes& axes, const Tensor& Q, const Tensor& K, const Tensor& V,
                 const Tensor& M = 0);

/// M_{seq(i), seq'(j)} = 0 if i ≤ j, else −∞: position j of seq' sees what is not after it.
Tensor causal_mask(SizedAxis seq, ElementType type = float32);

/// How attention looks.
struct AttentionOptions {
  bool causal = false;
  /// The probability of a weight to be left out, in training.
  double dropout = 0;
  AttentionAxes axes = {};
};

/// Attention with heads, from X to a memory or to X itself:
/// `Attention(layer[512], heads[8], {.causal = true})`, |key| = |val| = |layer| / |heads|.
struct Attention : Module {
  /// Fails with bad-size unless the heads divide the layer, and with bad-value like Dropout.
  Attention(SizedAxis features, SizedAxis head_count, const AttentionOptions& how = {});

  /// SelfAtt(X), with the axes of X.
  Tensor operator()(const Tensor& X) const { return (*this)(X, X); }
  /// Queries from X, keys and values from the memory. `mask` is added to the scores: 0 where a query
  /// may look, −∞ where it may not; its axes are among seq (of the memory), seq' (of X) and others.
  Tensor operator()(const Tensor& X, const Tensor& memory, const Tensor& mask = 0) const;

  Axis layer, heads;
  AttentionOptions options;
  Parameter W_Q, W_K, W_V, W_O;
  /// There only if a weight can be left out, as the part `dropout`.
  std::optional<Dropout> dropout;
};

}  // namespace axial
