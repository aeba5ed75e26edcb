#include "axial/nn/attention.hpp"

#include <fmt/format.h>

#include <cmath>

#include "axial/api/function.hpp"
#include "axial/base/error.hpp"

namespace axial {
namespace {

std::int64_t size_of_head(SizedAxis layer, SizedAxis heads) {
  if (heads.size >= 1 && layer.size % heads.size == 0) return layer.size / heads.size;
  throw Error(code("bad-size"),
              fmt::format("the {} positions of axis `{}` cannot be shared by {} positions of `{}`",
                          layer.size, layer.axis.name(), heads.size, heads.axis.name()),
              "let the number of heads divide the size of the layer");
}

/// softmax_seq(Q ⊙_key K / √|key| + M)
Tensor weights(const AttentionAxes& axes, const Tensor& Q, const Tensor& K, const Tensor& M) {
  const double scale = std::sqrt(static_cast<double>(K.size(axes.key)));
  return softmax(axes.seq, dot(axes.key, Q, K) / scale + M);
}

}  // namespace

Tensor attention(const AttentionAxes& axes, const Tensor& Q, const Tensor& K, const Tensor& V,
                 const Tensor& M) {
  const auto& [seq, key, val] = axes;
  const Tensor typed = to(K.type(), M);
  const Tensor mask = M.shape().contains(seq) ? typed : broadcast(typed, seq[K.size(seq)]);
  return function("Attention", {key, seq & key, seq & val, seq}, val,
                  [=](const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& m) {
                    return dot(seq, weights(axes, q, k, m), v);
                  })(Q, K, V, mask);
}

Tensor causal_mask(SizedAxis seq, ElementType type) {
  return where(iota(seq) <= iota(seq.prime()), zeros(Shape{}, type), -infinity);
}

Attention::Attention(SizedAxis features, SizedAxis head_count, const AttentionOptions& how)
    : layer(features.axis),
      heads(head_count.axis),
      options(how),
      W_Q(parameter("W_Q", head_count * features * how.axes.key[size_of_head(features, head_count)],
                    init::glorot(layer, heads & how.axes.key))),
      W_K(parameter("W_K", W_Q.shape(), init::glorot(layer, heads & how.axes.key))),
      W_V(parameter("W_V", head_count * features * how.axes.val[size_of_head(features, head_count)],
                    init::glorot(layer, heads & how.axes.val))),
      W_O(parameter("W_O", W_V.shape(), init::glorot(heads & how.axes.val, layer))) {
  if (how.dropout != 0) dropout = child("dropout", Dropout(how.dropout));
}

Tensor Attention::operator()(const Tensor& X, const Tensor& memory, const Tensor& mask) const {
  const Axis seq = options.axes.seq, query = seq.prime();
  const Axes masked = common(mask.shape().names(), seq & query);
  const auto attended = [&](const Tensor& x, const Tensor& m, Tensor M, const Tensor* kept) {
    if (options.causal) M = M + causal_mask(seq[m.size(seq)], m.type());
    const Tensor Q = dot(layer, W_Q, x[seq >> query]), K = dot(layer, W_K, m),
                 V = dot(layer, W_V, m);
    const Tensor Y = kept == nullptr ? attention(options.axes, Q, K, V, M)
                                     : dot(seq, weights(options.axes, Q, K, M) * *kept, V);
    return dot(heads & options.axes.val, W_O, Y[query >> seq]);
  };
  const Tensor added = to(X.type(), mask);
  if (!dropout || !dropout->is_training()) {
    return function("SelfAtt", {seq & layer, seq & layer, masked}, seq & layer,
                    [&](const Tensor& x, const Tensor& m, const Tensor& M) {
                      return attended(x, m, M, nullptr);
                    })(X, memory, added);
  }
  // Every weight is left out by itself, also along the axes that the function is lifted over: so
  // what is kept is drawn outside.
  const Shape lifted =
      (X.shape() - (seq & layer)) | (memory.shape() - (seq & layer)) | (mask.shape() - masked);
  const Shape own = heads[W_Q.size(heads)] * query[X.size(seq)] * seq[memory.size(seq)];
  return function("SelfAtt", {seq & layer, seq & layer, masked, own.names()}, seq & layer,
                  [&](const Tensor& x, const Tensor& m, const Tensor& M, const Tensor& kept) {
                    return attended(x, m, M, &kept);
                  })(X, memory, added, (*dropout)(ones(lifted * own, X.type())));
}

}  // namespace axial
