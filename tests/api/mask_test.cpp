// Masks and positional encodings, as section 4 and the appendix of the paper write them.
#include <axial/axial.hpp>
#include <gmock/gmock.h>

#include <cmath>

namespace axial {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::Pointwise;

const Axis seq{"seq"}, key{"key"}, val{"val"}, layer{"layer"}, vocab{"vocab"};
const double infinity = std::numeric_limits<double>::infinity();

// M_{seq(i), seq'(j)} = 0 if i ≤ j, −∞ otherwise (appendix A.1).
Tensor causal_mask(std::int64_t size) {
  return where(iota(seq[size]) <= iota(seq.prime()[size]), 0, -infinity);
}

TEST(mask, is_zero_up_to_the_query_and_minus_infinity_behind_it) {
  EXPECT_THAT(causal_mask(3).values({seq, seq.prime()}),
              ElementsAre(0, 0, 0, -infinity, 0, 0, -infinity, -infinity, 0));
  EXPECT_EQ(causal_mask(3).type(), float32);
}

TEST(mask, hides_keys_from_attention) {
  Random random(3);
  const Tensor Q = random.normal(seq.prime()[4] * key[2]), K = random.normal(seq[4] * key[2]);
  const Tensor V = random.normal(seq[4] * val[3]);
  const auto attention = [&](const Tensor& k, const Tensor& v) {
    return softmax(seq, Q * key * k / std::sqrt(2.0) + causal_mask(4)) * seq * v;
  };
  const Tensor all = attention(K, V);
  // The first query sees the first key alone.
  EXPECT_THAT(all[seq.prime()(0)].values({val}),
              Pointwise(DoubleNear(1e-6), V[seq(0)].values({val})));
  // Later keys and values never change what an earlier query sees.
  const Tensor late = to(float32, iota(seq[4]) >= 2);
  const Tensor changed = attention(K + 9 * late, V - 5 * late);
  EXPECT_TRUE(identical(all[seq.prime()(0, 2)], changed[seq.prime()(0, 2)]));
  EXPECT_FALSE(identical(all, changed));
}

TEST(mask, that_hides_everything_gives_nan) {
  EXPECT_TRUE(std::isnan(softmax(seq, full(seq[3], -infinity))[seq(0)].item()));
}

// P_{seq(p), layer(i)} = sin((p−1)/10000^{(i−1)/|layer|}) for odd i, cos((p−1)/10000^{(i−2)/|layer|})
// for even i, both counted from 1 (appendix A.1, lines 866 to 871).
Tensor positional_encoding(std::int64_t length, std::int64_t size) {
  const Tensor p = to(float64, iota(seq[length])), i = iota(layer[size]);
  const Tensor is_even = mod(i, 2) == 0;  // counted from 0, so these are the odd i of the paper
  const Tensor exponent = to(float64, i - mod(i, 2)) / static_cast<double>(size);
  const Tensor angle = p / pow(10000, exponent);
  return where(is_even, sin(angle), cos(angle));
}

TEST(positional_encoding, is_that_of_the_paper) {
  const Tensor P = positional_encoding(5, 6);
  EXPECT_EQ(P.shape(), seq[5] * layer[6]);
  for (int p = 1; p <= 5; ++p) {
    for (int i = 1; i <= 6; ++i) {
      const double expected = i % 2 == 1 ? std::sin((p - 1) / std::pow(10000, (i - 1) / 6.0))
                                         : std::cos((p - 1) / std::pow(10000, (i - 2) / 6.0));
      EXPECT_NEAR((P[seq(p - 1), layer(i - 1)].item()), expected, 1e-12) << p << " " << i;
    }
  }
}

// W = (E ⊙_vocab I) √|layer| with one-hot I, Σ_vocab I = 1 (line 866).
TEST(embedding, by_one_hot_vectors_is_indexing) {
  Random random(4);
  const Tensor E = random.normal(vocab[7] * layer[4]);
  const Tensor words = random.integers(seq[5], 0, 7);
  const Tensor one_hot = to(float32, iota(vocab[7]) == words);
  EXPECT_THAT(sum(vocab, one_hot).values({seq}), ::testing::Each(1));
  EXPECT_TRUE(identical((E * vocab * one_hot) * 2, index(vocab, E, words) * 2));
}

TEST(where, broadcasts_all_three) {
  const Tensor condition = tensor(seq[2], {1, 0}, boolean);
  const Tensor result = where(condition, ones(key[2]), zeros(val[1]));
  EXPECT_EQ(result.shape(), seq[2] * key[2] * val[1]);
  EXPECT_THAT(result.values({seq, key, val}), ElementsAre(1, 1, 0, 0));
}

TEST(where, does_not_let_the_other_side_through) {
  const Tensor x = tensor(seq[3], {0.0, 1.0, 4.0});
  EXPECT_THAT(where(x > 0, log(x), 0).values({seq}),
              Pointwise(DoubleNear(1e-6), {0.0, 0.0, std::log(4.0)}));
}

TEST(comparisons, give_truth_that_can_be_combined) {
  const Tensor i = iota(seq[6]);
  EXPECT_THAT((i > 1 && i < 4).values({seq}), ElementsAre(0, 0, 1, 1, 0, 0));
  EXPECT_THAT((i < 1 || !(i != 5)).values({seq}), ElementsAre(1, 0, 0, 0, 0, 1));
  EXPECT_TRUE(any(seq, i == 3));
  EXPECT_FALSE(all(seq, i >= 1));
}

}  // namespace
}  // namespace axial
