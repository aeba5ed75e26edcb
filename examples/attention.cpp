// Section 4.3: Attention(Q, K, V) = softmax_seq(Q ⊙_key K / √|key|) ⊙_seq V, for one query, and lifted.
#include "examples/examples.hpp"
#include "examples/show.hpp"

namespace examples {
namespace {

using namespace axial;

const Axis seq("seq"), key("key"), val("val"), heads("heads");

/// Attention : R[key] × R[seq, key] × R[seq, val] × R[seq] -> R[val]
Function masked_attention() {
  return function("Attention", {key, seq & key, seq & val, seq}, val,
                  [](Tensor Q, Tensor K, Tensor V, Tensor M) {
                    const auto scale = std::sqrt(static_cast<double>(K.size(key)));
                    return softmax(seq, Q *key* K / scale + M) *seq* V;
                  });
}

/// 0 where a query may look, −∞ where it may not: at positions after its own.
Tensor causal_mask(std::int64_t size) {
  return where(iota(seq[size]) <= iota(seq.prime()[size]), 0, -infinity);
}

}  // namespace

void attention(std::ostream& out) {
  Random random(3);
  const Function attend = masked_attention();
  const Tensor K = random.normal(seq[4] * key[3]), V = random.normal(seq[4] * val[2]);

  show(out, "Attention(Q, K, V, 0) for one query", attend(random.normal(key[3]), K, V, zeros(seq[4])));

  const Tensor queries = random.normal(seq.prime()[4] * key[3]);
  show(out, "with an axis seq' of queries", attend(queries, K, V, zeros(seq[4])));
  show(out, "causal_mask(4)", causal_mask(4));
  show(out, "with a causal mask", attend(queries, K, V, causal_mask(4)));

  const Tensor K_heads = random.normal(heads[2] * seq[4] * key[3]);
  const Tensor V_heads = random.normal(heads[2] * seq[4] * val[2]);
  show(out, "with two heads", attend(queries, K_heads, V_heads, causal_mask(4)));

  const Tensor self = random.normal(seq[4] * key[3]);
  show(out, "queries along seq itself: it never meets the seq inside", attend(self, K, V, zeros(seq[4])));
}

}  // namespace examples
