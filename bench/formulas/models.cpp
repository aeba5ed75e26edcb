// Two models of the paper's appendix, LeNet and a Transformer for the next word: inference, and one
// step of gradient descent on all parameters.
#include <cmath>
#include <cstdint>
#include <string>

#include "bench/formulas/formulas.hpp"

namespace bench {
namespace {

using namespace axial;

const Axis batch("batch"), chans("chans"), height("height"), width("width"), kh("kh"), kw("kw");
const Axis maps("maps"), features("features"), layer("layer"), hidden("hidden"), classes("classes");
const Axis seq("seq"), vocab("vocab"), heads("heads"), key("key"), val("val");

constexpr double learning_rate = 0.01;

/// The loss, and every parameter p after p ← p − η ∂L/∂p. Parameters are all inputs in `names`.
Results descended(const Tensor& loss, const Inputs& in, const std::vector<std::string>& names) {
  std::vector<Tensor> parameters;
  for (const std::string& name : names) parameters.push_back(in.at(name));
  const std::vector<Tensor> slopes = gradients(loss, parameters);
  Results results{loss};
  for (std::size_t p = 0; p < parameters.size(); ++p) {
    results.push_back(parameters[p] - learning_rate * slopes[p]);
  }
  return results;
}

/// W ⊙_{channels, kh, kw} unroll_{height, kh} unroll_{width, kw} X + b
Tensor convolved(const Tensor& X, Axis channels, const Tensor& W, const Tensor& b,
                 std::int64_t padding) {
  const WindowOptions options{.padding = padding};
  const Tensor rows = unroll(width, kw[W.size(kw)], X, options);
  const Tensor windows = unroll(height, kh[W.size(kh)], rows, options);
  return W *(channels & kh & kw)* windows + b;
}

Tensor halved(const Tensor& X) { return max(kh & kw, pool(height, kh[2], pool(width, kw[2], X))); }

/// Scores over `classes`: two convolutions with pooling, then two full layers.
Tensor lenet_scores(const Inputs& in) {
  const Tensor X1 = halved(relu(convolved(in.at("X"), chans, in.at("W1"), in.at("b1"), 2)));
  const Tensor X2 = halved(relu(convolved(X1, maps, in.at("W2"), in.at("b2"), 0)));
  const Tensor flat = X2[(features & height & width) >> layer];
  const Tensor X3 = relu(in.at("W3") *layer* flat + in.at("b3"));
  return in.at("W4") *hidden* X3 + in.at("b4");
}

Results lenet(const Inputs& in) { return only(softmax(classes, lenet_scores(in))); }

Results lenet_training(const Inputs& in) {
  const Tensor likelihood = log_softmax(classes, lenet_scores(in));
  const Tensor loss = -mean(batch, index(classes, likelihood, in.at("labels")));
  return descended(loss, in, {"W1", "b1", "W2", "b2", "W3", "b3", "W4", "b4"});
}

/// One layer of the Transformer, its parameters found by their names and its number.
struct Block {
  const Inputs& in;
  std::string number;

  const Tensor& operator[](const char* name) const { return in.at(name + number); }

  Tensor normalized(const Tensor& X, const char* gamma, const char* beta) const {
    return standardize(layer, X) * (*this)[gamma] + (*this)[beta];
  }

  /// A position sees itself and those before it.
  Tensor self_attention(const Tensor& X) const {
    const std::int64_t size = X.size(seq);
    const Axis queries = seq.prime();
    const Tensor mask = where(iota(seq[size]) <= iota(queries[size]), 0, -infinity);
    const Tensor Q = (*this)["W_Q"] *layer* X[seq >> queries];
    const Tensor K = (*this)["W_K"] *layer* X, V = (*this)["W_V"] *layer* X;
    const auto scale = std::sqrt(static_cast<double>(K.size(key)));
    const Tensor Y = softmax(seq, Q *key* K / scale + mask) *seq* V;
    return (*this)["W_O"] *(heads & val)* Y[queries >> seq];
  }

  Tensor feed_forward(const Tensor& X) const {
    const Tensor inner = relu((*this)["W1_"] *layer* X + (*this)["b1_"]);
    return (*this)["W2_"] *hidden* inner + (*this)["b2_"];
  }

  Tensor operator()(const Tensor& X) const {
    const Tensor T = normalized(self_attention(X) + X, "gamma1_", "beta1_");
    return normalized(feed_forward(T) + T, "gamma2_", "beta2_");
  }
};

/// Scores over `vocab` for the word after each position.
Tensor transformer_scores(const Inputs& in) {
  const Tensor& E = in.at("E");
  const auto scale = std::sqrt(static_cast<double>(E.size(layer)));
  Tensor X = index(vocab, E, in.at("words")) * scale + in.at("positions");
  for (int l = 0; in.contains("W_Q" + std::to_string(l)); ++l) X = Block{in, std::to_string(l)}(X);
  return E *layer* X;
}

Results transformer(const Inputs& in) { return only(softmax(vocab, transformer_scores(in))); }

Results transformer_training(const Inputs& in) {
  const Tensor likelihood = log_softmax(vocab, transformer_scores(in));
  const Tensor loss = -mean(batch & seq, index(vocab, likelihood, in.at("next")));
  std::vector<std::string> parameters;
  for (const auto& [name, tensor] : in) {
    if (name != "words" && name != "next" && name != "positions") parameters.push_back(name);
  }
  return descended(loss, in, parameters);
}

constexpr NamedFormula table[] = {
    {"lenet", lenet},
    {"lenet_training", lenet_training},
    {"transformer", transformer},
    {"transformer_training", transformer_training},
};

}  // namespace

std::span<const NamedFormula> model_formulas() { return table; }

}  // namespace bench
