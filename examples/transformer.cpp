// Appendix A.1: a Transformer that predicts the next word, with random weights.
#include "examples/examples.hpp"
#include "examples/show.hpp"

namespace examples {
namespace {

using namespace axial;

const Axis seq("seq"), vocab("vocab"), layer("layer"), hidden("hidden");
const Axis heads("heads"), key("key"), val("val");

constexpr std::int64_t features = 8, head_count = 2, head_features = features / head_count;

/// Attention : R[key] × R[seq, key] × R[seq, val] × R[seq] -> R[val]
Function masked_attention() {
  return function("Attention", {key, seq & key, seq & val, seq}, val,
                  [](Tensor Q, Tensor K, Tensor V, Tensor M) {
                    const auto scale = std::sqrt(static_cast<double>(K.size(key)));
                    return softmax(seq, Q *key* K / scale + M) *seq* V;
                  });
}

/// P_{seq(p), layer(i)} = sin(p / 10000^(i / |layer|)) for even i, the cosine of the same for odd i.
Tensor positions(std::int64_t size) {
  const Tensor p = iota(seq[size], float32), i = iota(layer[features], float32);
  const Tensor odd = mod(i, 2);
  const Tensor angle = p / pow(10000, (i - odd) / static_cast<double>(features));
  return where(odd == 0, sin(angle), cos(angle));
}

/// LayerNorm(X) = standardize_layer(X) ⊙ γ + β
struct LayerNorm {
  Tensor gamma = ones(layer[features]), beta = zeros(layer[features]);

  Tensor operator()(const Tensor& X) const { return standardize(layer, X) * gamma + beta; }
};

/// SelfAtt(X): queries, keys and values come from one sequence; a position sees itself and those before.
struct SelfAttention {
  Tensor W_Q, W_K, W_V, W_O;

  explicit SelfAttention(Random& random)
      : W_Q(random.normal(heads[head_count] * layer[features] * key[head_features], 0, 0.5)),
        W_K(random.normal(heads[head_count] * layer[features] * key[head_features], 0, 0.5)),
        W_V(random.normal(heads[head_count] * layer[features] * val[head_features], 0, 0.5)),
        W_O(random.normal(heads[head_count] * layer[features] * val[head_features], 0, 0.5)) {}

  Tensor operator()(const Tensor& X) const {
    const std::int64_t size = X.size(seq);
    const Tensor M = where(iota(seq[size]) <= iota(seq.prime()[size]), 0, -infinity);
    const Tensor Q = W_Q *layer* X[seq >> seq.prime()];
    const Tensor Y = masked_attention()(Q, W_K *layer* X, W_V *layer* X, M);
    return W_O *(heads & val)* Y[seq.prime() >> seq];
  }
};

/// FFN(X) = W² ⊙_hidden relu(W¹ ⊙_layer X + b¹) + b²; the second bias has the axis layer.
struct FeedForward {
  Tensor W1, b1, W2, b2;

  explicit FeedForward(Random& random)
      : W1(random.normal(hidden[16] * layer[features], 0, 0.5)),
        b1(zeros(hidden[16])),
        W2(random.normal(layer[features] * hidden[16], 0, 0.5)),
        b2(zeros(layer[features])) {}

  Tensor operator()(const Tensor& X) const {
    return W2 *hidden* relu(W1 *layer* X + b1) + b2;
  }
};

/// O = softmax_vocab(E ⊙_layer X^L), where each layer adds to what it gets and normalises the sum.
Tensor next_word(const Tensor& I, const Tensor& E, std::uint64_t seed) {
  Random random(seed);
  const auto width = std::sqrt(static_cast<double>(features));
  Tensor X = index(vocab, E, I) * width + positions(I.size(seq));
  for (int l = 1; l <= 2; ++l) {
    const SelfAttention self_attention(random);
    const FeedForward feed_forward(random);
    const Tensor T = LayerNorm{}(self_attention(X) + X);
    X = LayerNorm{}(feed_forward(T) + T);
  }
  return softmax(vocab, E *layer* X);
}

}  // namespace

void transformer(std::ostream& out) {
  Random random(7);
  const Tensor E = random.normal(vocab[5] * layer[features], 0, 0.5);
  const Tensor I = tensor(seq[4], {2, 0, 3, 1}, int64), other = tensor(seq[4], {2, 0, 3, 4}, int64);
  show(out, "P, the code of four positions", positions(4));

  const Tensor O = next_word(I, E, 8);
  show(out, "O, the next word after each of the words 2 0 3 1", O);
  show(out, "sum(vocab, O)", sum(vocab, O));
  show(out, "the same with another last word: what is before it does not change", next_word(other, E, 8));
}

}  // namespace examples
