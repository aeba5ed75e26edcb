// Workloads that the notation says in a line or two.
#include <cmath>
#include <cstdint>

#include "bench/formulas/formulas.hpp"

namespace bench {
namespace {

using namespace axial;

const Axis k("k"), over("over"), layer("layer");
const Axis batch("batch"), heads("heads"), queries("queries"), seq("seq"), key("key"), val("val");
const Axis chans("chans"), height("height"), width("width"), kh("kh"), kw("kw");

/// A ⊙_k B; which other axes there are, and in which order, is up to the tensors.
Results contraction(const Inputs& in) { return only(in.at("A") *k* in.at("B")); }

/// sigmoid(a x + b) x
Results gate(const Inputs& in) {
  const Tensor& x = in.at("x");
  return only(sigmoid(in.at("a") * x + in.at("b")) * x);
}

Results softmax_over(const Inputs& in) { return only(softmax(over, in.at("X"))); }

/// standardize_layer(X) ⊙ γ + β
Results layer_norm(const Inputs& in) {
  return only(standardize(layer, in.at("X")) * in.at("gamma") + in.at("beta"));
}

/// softmax_seq(Q ⊙_key K / √|key|) ⊙_seq V
Tensor attend(const Inputs& in) {
  const Tensor &Q = in.at("Q"), &K = in.at("K"), &V = in.at("V");
  const auto scale = std::sqrt(static_cast<double>(K.size(key)));
  return softmax(seq, Q *key* K / scale) *seq* V;
}

Results attention(const Inputs& in) { return only(attend(in)); }

/// Y = Attention(Q, K, V) and the gradients of Σ G ⊙ Y by Q, K and V.
Results attention_gradients(const Inputs& in) {
  const Tensor Y = attend(in), loss = dot(batch & heads & queries & val, in.at("G"), Y);
  Results results = gradients(loss, {in.at("Q"), in.at("K"), in.at("V")});
  results.insert(results.begin(), Y);
  return results;
}

/// W ⊙_{chans, kh, kw} unroll_{height, kh} unroll_{width, kw} X, padded so that sizes stay.
Results convolution(const Inputs& in) {
  const Tensor &X = in.at("X"), &W = in.at("W");
  const std::int64_t size = W.size(kh);
  const WindowOptions same{.padding = (size - 1) / 2};
  const Tensor windows = unroll(height, kh[size], unroll(width, kw[size], X, same), same);
  return only(W *(chans & kh & kw)* windows);
}

Results addition(const Inputs& in) { return only(in.at("A") + in.at("B")); }

/// A deep network on tiny sizes, four nodes a layer: what it costs is to plan it.
Results planning(const Inputs& in) {
  const Tensor &W = in.at("W"), &b = in.at("b");
  Tensor x = in.at("x");
  for (std::int64_t nodes = in.at("nodes").size(Axis("count")); nodes > 0; nodes -= 4) {
    x = tanh(W *layer* x + b)[layer.prime() >> layer];
  }
  return only(x);
}

constexpr NamedFormula table[] = {
    {"contraction", contraction},
    {"gate", gate},
    {"softmax", softmax_over},
    {"layer_norm", layer_norm},
    {"attention", attention},
    {"attention_gradients", attention_gradients},
    {"convolution", convolution},
    {"addition", addition},
    {"planning", planning},
};

}  // namespace

std::span<const NamedFormula> basic_formulas() { return table; }

}  // namespace bench
