// Section 4.3 of the paper: attention for one query, for sequences, with heads, batches and masks,
// against plain loops.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "axial/axial.hpp"
#include "support/block.hpp"
#include "support/tolerance.hpp"

namespace axial {
namespace {

using support::Block;
using support::close_to;
using support::for_each_seed;
using support::Generator;

const Axis key("key"), val("val"), seq("seq"), heads("heads"), batch("batch");

constexpr double infinite = std::numeric_limits<double>::infinity();

Function attention() {
  return function("Attention", {key, seq & key, seq & val}, val,
                  [](const Tensor& Q, const Tensor& K, const Tensor& V) {
                    return softmax(seq, Q * key * K / std::sqrt(K.size(key))) * seq * V;
                  });
}

Function masked_attention() {
  return function("Attention", {key, seq & key, seq & val, seq}, val,
                  [](const Tensor& Q, const Tensor& K, const Tensor& V, const Tensor& M) {
                    return softmax(seq, Q * key * K / std::sqrt(K.size(key)) + M) * seq * V;
                  });
}

/// One query's answer: weights exp(q·k_s / √n + m_s), normalised, times the values.
std::vector<double> answer(const std::vector<double>& q, const Block& K, const Block& V,
                           const std::vector<double>& mask) {
  std::vector<double> weights;
  double total = 0;
  for (std::int64_t s = 0; s < K.size(0); ++s) {
    double score = 0;
    for (std::int64_t k = 0; k < K.size(1); ++k) score += q[static_cast<std::size_t>(k)] * K(s, k);
    const double offset = mask[static_cast<std::size_t>(s)];
    weights.push_back(std::exp(score / std::sqrt(static_cast<double>(K.size(1))) + offset));
    total += weights.back();
  }
  std::vector<double> result(static_cast<std::size_t>(V.size(1)), 0);
  for (std::int64_t s = 0; s < V.size(0); ++s) {
    for (std::int64_t v = 0; v < V.size(1); ++v) {
      result[static_cast<std::size_t>(v)] += weights[static_cast<std::size_t>(s)] / total * V(s, v);
    }
  }
  return result;
}

/// Keys and values of one sequence, and some queries.
struct Sequence {
  std::int64_t n, keys, values, queries;
  Block Q, K, V;

  explicit Sequence(Generator& generator)
      : n(generator.pick(support::law_sizes)),
        keys(generator.pick(support::law_sizes)),
        values(generator.pick(support::law_sizes)),
        queries(generator.pick(support::law_sizes)),
        Q(Block::random(generator, {queries, keys})),
        K(Block::random(generator, {n, keys})),
        V(Block::random(generator, {n, values})) {}

  std::vector<double> query(std::int64_t position) const {
    std::vector<double> q;
    for (std::int64_t k = 0; k < keys; ++k) q.push_back(Q(position, k));
    return q;
  }
  std::vector<double> no_mask() const {
    return std::vector<double>(static_cast<std::size_t>(n), 0);
  }
  /// All answers; `mask(t, s)` is added to the score of position s for query t.
  template <class Mask>
  Block answers(Mask mask) const {
    Block result({queries, values});
    for (std::int64_t t = 0; t < queries; ++t) {
      std::vector<double> row;
      for (std::int64_t s = 0; s < n; ++s) row.push_back(mask(t, s));
      const auto one = answer(query(t), K, V, row);
      for (std::int64_t v = 0; v < values; ++v) result(t, v) = one[static_cast<std::size_t>(v)];
    }
    return result;
  }
  Block answers() const {
    return answers([](auto, auto) { return 0.0; });
  }
};

/// Scores are sums of at most 7 products up to 4 and enter an exponential, then at most 7 terms.
constexpr int terms_of_attention = 7 * 28 + 7;

TEST(section_4_3, answers_a_single_query) {
  for_each_seed(30, [](Generator& generator) {
    const Sequence sequence(generator);
    const Tensor query = tensor(key[sequence.keys], sequence.query(0), float64);
    const Tensor K = sequence.K.tensor(seq & key), V = sequence.V.tensor(seq & val);
    EXPECT_TRUE(close_to(attention()(query, K, V), val[sequence.values],
                         answer(sequence.query(0), sequence.K, sequence.V, sequence.no_mask()),
                         terms_of_attention));
  });
}

TEST(section_4_3, answers_a_sequence_of_queries_along_another_axis) {
  for_each_seed(30, [](Generator& generator) {
    const Sequence sequence(generator);
    const Tensor Q = sequence.Q.tensor(seq.prime() & key);
    const Tensor K = sequence.K.tensor(seq & key), V = sequence.V.tensor(seq & val);
    EXPECT_TRUE(close_to(attention()(Q, K, V), seq.prime()[sequence.queries] * val[sequence.values],
                         sequence.answers().values(), terms_of_attention));
  });
}

TEST(section_4_3, answers_a_sequence_of_queries_along_an_axis_of_the_same_name) {
  for_each_seed(30, [](Generator& generator) {
    const Sequence sequence(generator);
    const Tensor Q = sequence.Q.tensor(seq & key);
    const Tensor K = sequence.K.tensor(seq & key), V = sequence.V.tensor(seq & val);
    EXPECT_TRUE(close_to(attention()(Q, K, V), seq[sequence.queries] * val[sequence.values],
                         sequence.answers().values(), terms_of_attention));
  });
}

TEST(section_4_3, computes_heads_and_batches_one_by_one) {
  for_each_seed(10, [](Generator& generator) {
    Sequence sequence(generator);
    std::vector<Tensor> Qs, Ks, Vs, expected;
    for (int example = 0; example < 2; ++example) {
      std::vector<Tensor> Qh, Kh, Vh, expected_h;
      for (int head = 0; head < 3; ++head) {
        sequence.Q = Block::random(generator, {sequence.queries, sequence.keys});
        sequence.K = Block::random(generator, {sequence.n, sequence.keys});
        sequence.V = Block::random(generator, {sequence.n, sequence.values});
        Qh.push_back(sequence.Q.tensor(seq.prime() & key));
        Kh.push_back(sequence.K.tensor(seq & key));
        Vh.push_back(sequence.V.tensor(seq & val));
        expected_h.push_back(sequence.answers().tensor(seq.prime() & val));
      }
      Qs.push_back(stack(heads, Qh));
      Ks.push_back(stack(heads, Kh));
      Vs.push_back(stack(heads, Vh));
      expected.push_back(stack(heads, expected_h));
    }
    EXPECT_TRUE(close_to(attention()(stack(batch, Qs), stack(batch, Ks), stack(batch, Vs)),
                         stack(batch, expected), terms_of_attention));
  });
}

TEST(section_4_3, masks_positions) {
  for_each_seed(30, [](Generator& generator) {
    const Sequence sequence(generator);
    std::vector<double> mask = sequence.no_mask();
    for (std::size_t s = 1; s < mask.size(); ++s) mask[s] = generator.chance(0.5) ? -infinite : 0;
    const Tensor Q = sequence.Q.tensor(seq.prime() & key);
    const Tensor K = sequence.K.tensor(seq & key), V = sequence.V.tensor(seq & val);
    const Tensor M = tensor(seq[sequence.n], mask, float64);
    const Block expected =
        sequence.answers([&](auto, auto s) { return mask[static_cast<std::size_t>(s)]; });
    EXPECT_TRUE(close_to(masked_attention()(Q, K, V, M), expected.shape(seq.prime() & val),
                         expected.values(), terms_of_attention));
  });
}

TEST(section_4_3, masks_what_comes_after_each_query) {
  for_each_seed(30, [](Generator& generator) {
    const Sequence sequence(generator);
    const Tensor Q = sequence.Q.tensor(seq.prime() & key);
    const Tensor K = sequence.K.tensor(seq & key), V = sequence.V.tensor(seq & val);
    const Tensor later = iota(seq[sequence.n]) > iota(seq.prime()[sequence.queries]);
    const Tensor M = where(later, to(float64, Tensor(-infinite)), 0.0);
    const Block expected = sequence.answers([](auto t, auto s) { return s > t ? -infinite : 0.0; });
    EXPECT_TRUE(close_to(masked_attention()(Q, K, V, M), expected.shape(seq.prime() & val),
                         expected.values(), terms_of_attention));
  });
}

TEST(section_4_3, is_a_weighted_mean_of_the_values) {
  for_each_seed(30, [](Generator& generator) {
    const Sequence sequence(generator);
    const Tensor Q = sequence.Q.tensor(seq.prime() & key);
    const Tensor K = sequence.K.tensor(seq & key), V = sequence.V.tensor(seq & val);
    const Tensor result = attention()(Q, K, V);
    const double slack = support::tolerance(float64, terms_of_attention, 2);
    EXPECT_TRUE(all(seq.prime() & val, result <= max(seq, V) + slack));
    EXPECT_TRUE(all(seq.prime() & val, result >= min(seq, V) - slack));
  });
}

}  // namespace
}  // namespace axial
