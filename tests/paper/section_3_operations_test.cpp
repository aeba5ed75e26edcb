// Section 3 of the paper, number by number: elementwise functions, reductions, contraction, softmax,
// renaming, reshaping and indexing. Expected numbers are those that the paper prints.
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
using support::Generator;
using support::same;

const Axis height("height"), width("width"), layer("layer"), batch("batch");
const Axis vocab("vocab"), emb("emb"), seq("seq"), subseq("subseq");

constexpr double rows[3][3] = {{3, 1, 4}, {1, 5, 9}, {2, 6, 5}};

Tensor example(ElementType type = float64) {
  return tensor(height[3] * width[3], {3, 1, 4, 1, 5, 9, 2, 6, 5}, type);
}
Tensor column() { return tensor(height[3], {2, 7, 1}, float64); }
Tensor row() { return tensor(width[3], {1, 4, 1}, float64); }

/// The matrix over height and width with element f(A_ij) for the example A.
template <class F>
std::vector<double> each_element(F f) {
  std::vector<double> result;
  for (const auto& line : rows) {
    for (const double element : line) result.push_back(f(element));
  }
  return result;
}

TEST(section_3_2, lifts_the_sigmoid_to_the_example) {
  const auto expected = each_element([](double x) { return 1 / (1 + std::exp(-x)); });
  EXPECT_TRUE(close_to(sigmoid(example()), height[3] * width[3], expected));
  EXPECT_TRUE(close_to(sigmoid(example(float32)), height[3] * width[3], expected));
}

TEST(section_3_2, lifts_relu_and_negation) {
  const auto shifted = each_element([](double x) { return std::max(0.0, x - 4); });
  EXPECT_TRUE(close_to(relu(example() - 4), height[3] * width[3], shifted));
  const auto negative = each_element([](double x) { return -x; });
  EXPECT_TRUE(close_to(-example(), height[3] * width[3], negative, 0));
}

TEST(section_3_2, adds_a_column_to_every_position_of_width) {
  EXPECT_TRUE(close_to(example() + column(), height[3] * width[3],
                       {3 + 2, 1 + 2, 4 + 2, 1 + 7, 5 + 7, 9 + 7, 2 + 1, 6 + 1, 5 + 1}));
}

TEST(section_3_2, adds_a_row_to_every_position_of_height) {
  EXPECT_TRUE(close_to(example() + row(), height[3] * width[3],
                       {3 + 1, 1 + 4, 4 + 1, 1 + 1, 5 + 4, 9 + 1, 2 + 1, 6 + 4, 5 + 1}));
}

TEST(section_3_2, multiplies_elements) {
  const auto squares = each_element([](double x) { return x * x; });
  EXPECT_TRUE(close_to(example() * example(), height[3] * width[3], squares));
}

TEST(section_3_3, sums_over_height) {
  EXPECT_TRUE(close_to(sum(height, example()), width[3], {3 + 1 + 2, 1 + 5 + 6, 4 + 9 + 5}, 3));
}

TEST(section_3_3, sums_over_width) {
  EXPECT_TRUE(close_to(sum(width, example()), height[3], {3 + 1 + 4, 1 + 5 + 9, 2 + 6 + 5}, 3));
}

TEST(section_3_3, sums_over_both_axes) {
  const double total = 3 + 1 + 4 + 1 + 5 + 9 + 2 + 6 + 5;
  EXPECT_TRUE(close_to(sum(height & width, example()), Shape{}, {total}, 9));
  EXPECT_TRUE(close_to(sum(height, sum(width, example())), Shape{}, {total}, 9));
}

TEST(section_3_3, sums_slices_as_the_formula_does) {
  const Tensor A = example();
  EXPECT_TRUE(close_to(A[height(0)] + A[height(1)] + A[height(2)], sum(height, A), 3));
  EXPECT_TRUE(close_to(A[width(0)] + A[width(1)] + A[width(2)], sum(width, A), 3));
}

/// The reduction over width of the example, computed on each of its rows.
template <class F>
std::vector<double> each_row(F f) {
  std::vector<double> result;
  for (const auto& line : rows) result.push_back(f(std::vector<double>(line, line + 3)));
  return result;
}

double mean_of(const std::vector<double>& x) {
  double total = 0;
  for (const double element : x) total += element;
  return total / static_cast<double>(x.size());
}

double power_sum(const std::vector<double>& x, double power, double center = 0) {
  double total = 0;
  for (const double element : x) total += std::pow(std::abs(element - center), power);
  return total;
}

TEST(section_3_3, defines_the_norm) {
  const auto expected =
      each_row([](const auto& x) { return std::sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]); });
  EXPECT_TRUE(close_to(norm(width, example()), height[3], expected, 3));
}

TEST(section_3_3, defines_the_p_norm) {
  for (const double p : {1.0, 2.0, 3.0, 0.5}) {
    const auto expected = each_row([&](const auto& x) { return std::pow(power_sum(x, p), 1 / p); });
    EXPECT_TRUE(close_to(norm_p(width, example(), p), height[3], expected, 3)) << p;
  }
}

TEST(section_3_3, takes_absolute_values_in_the_p_norm) {
  const auto expected = each_row([&](const auto& x) { return std::cbrt(power_sum(x, 3, 4)); });
  EXPECT_TRUE(close_to(norm_p(width, example() - 4, 3), height[3], expected, 3));
}

TEST(section_3_3, defines_min_and_max) {
  EXPECT_TRUE(close_to(min(width, example()), height[3], {1, 1, 2}, 0));
  EXPECT_TRUE(close_to(max(width, example()), height[3], {4, 9, 6}, 0));
  EXPECT_TRUE(close_to(min(height, example()), width[3], {1, 1, 4}, 0));
  EXPECT_TRUE(close_to(max(height, example()), width[3], {3, 6, 9}, 0));
  EXPECT_EQ(max(height & width, example()).item(), 9);
}

TEST(section_3_3, defines_the_mean) {
  EXPECT_TRUE(close_to(mean(width, example()), height[3], {8.0 / 3, 5, 13.0 / 3}, 3));
  EXPECT_TRUE(close_to(mean(height & width, example()), Shape{}, {4}, 9));
}

TEST(section_3_3, defines_the_variance_by_the_size_of_the_axis) {
  const auto expected = each_row([](const auto& x) { return power_sum(x, 2, mean_of(x)) / 3; });
  EXPECT_TRUE(close_to(var(width, example()), height[3], expected, 6, 9));
  EXPECT_NEAR(var(width, example())[height(1)].item(), 32.0 / 3, 1e-12);
}

TEST(section_3_3, reduces_several_axes_jointly) {
  const auto all = each_element([](double x) { return x; });
  EXPECT_TRUE(
      close_to(var(height & width, example()), Shape{}, {power_sum(all, 2, 4) / 9}, 18, 25));
  EXPECT_TRUE(close_to(norm(height & width, example()), Shape{}, {std::sqrt(198.0)}, 9));
}

TEST(section_3_4, contracts_with_a_column) {
  const std::vector<double> expected = {3 * 2 + 1 * 7 + 2 * 1, 1 * 2 + 5 * 7 + 6 * 1,
                                        4 * 2 + 9 * 7 + 5 * 1};
  const Tensor A = example(), x = column();
  EXPECT_TRUE(close_to(A * height * x, width[3], expected, 3));
  EXPECT_TRUE(close_to(dot(height, A, x), width[3], expected, 3));
  EXPECT_TRUE(close_to(sum(height, A * x), width[3], expected, 3));
}

TEST(section_3_4, contracts_with_a_row) {
  const std::vector<double> expected = {3 * 1 + 1 * 4 + 4 * 1, 1 * 1 + 5 * 4 + 9 * 1,
                                        2 * 1 + 6 * 4 + 5 * 1};
  const Tensor A = example(), y = row();
  EXPECT_TRUE(close_to(A * width * y, height[3], expected, 3));
  EXPECT_TRUE(close_to(sum(width, A * y), height[3], expected, 3));
}

TEST(section_3_4, contracts_both_axes_at_once) {
  const double expected = 3 * 3 + 1 * 1 + 4 * 4 + 1 * 1 + 5 * 5 + 9 * 9 + 2 * 2 + 6 * 6 + 5 * 5;
  const Tensor A = example();
  EXPECT_TRUE(close_to(A * (height & width) * A, Shape{}, {expected}, 9));
  EXPECT_TRUE(close_to(sum(height & width, A * A), Shape{}, {expected}, 9));
}

TEST(section_3_4, multiplies_elements_where_no_axis_is_contracted) {
  const Tensor A = example();
  EXPECT_TRUE(same(dot(Axes{}, A, column()), A * column()));
  EXPECT_TRUE(same(A * Axes{} * A, A * A));
}

TEST(section_3_4, has_inner_products) {
  const Tensor x = column();
  EXPECT_TRUE(close_to(x * height * x, Shape{}, {2 * 2 + 7 * 7 + 1 * 1}, 3));
}

TEST(section_3_4, has_outer_products) {
  EXPECT_TRUE(close_to(column() * row(), height[3] * width[3],
                       {2 * 1, 2 * 4, 2 * 1, 7 * 1, 7 * 4, 7 * 1, 1 * 1, 1 * 4, 1 * 1}));
}

TEST(section_3_4, has_products_of_matrix_and_vector_in_either_order) {
  const Tensor A = example(), x = column();
  EXPECT_TRUE(close_to(x * height * A, width[3], {15, 43, 76}, 3));
  EXPECT_TRUE(close_to(A * width * row(), height[3], {11, 30, 31}, 3));
}

TEST(section_3_4, has_matrix_products) {
  const double B[3][2] = {{1, -1}, {2, 0}, {0, 3}};
  std::vector<double> expected;
  for (const auto& line : rows) {
    for (int k = 0; k < 2; ++k) {
      expected.push_back(line[0] * B[0][k] + line[1] * B[1][k] + line[2] * B[2][k]);
    }
  }
  const Tensor right = tensor(width[3] * width.prime()[2], {1, -1, 2, 0, 0, 3}, float64);
  EXPECT_TRUE(close_to(example() * width * right, height[3] * width.prime()[2], expected, 3));
}

TEST(section_3_4, has_products_of_three_vectors) {
  const Tensor x = tensor(width[3], {3, 1, 4}, float64), y = row(),
               z = tensor(width[3], {2, 6, 5}, float64);
  const std::vector<double> expected = {3 * 1 * 2 + 1 * 4 * 6 + 4 * 1 * 5};
  EXPECT_TRUE(close_to(sum(width, x * y * z), Shape{}, expected, 3));
  EXPECT_TRUE(close_to(dot(width, x, y, z), Shape{}, expected, 3));
}

/// exp of element (i, j) over the sum along column j or along row i.
std::vector<double> softmax_of_example(bool along_height) {
  Block result({3, 3});
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      double total = 0;
      for (int k = 0; k < 3; ++k) total += std::exp(along_height ? rows[k][j] : rows[i][k]);
      result(i, j) = std::exp(rows[i][j]) / total;
    }
  }
  return result.values();
}

TEST(section_3_5, takes_the_softmax_along_height) {
  const auto expected = softmax_of_example(true);
  EXPECT_NEAR(expected[0], std::exp(3) / (std::exp(3) + std::exp(1) + std::exp(2)), 1e-15);
  EXPECT_TRUE(close_to(softmax(height, example()), height[3] * width[3], expected, 3));
  EXPECT_TRUE(close_to(softmax(height, example(float32)), height[3] * width[3], expected, 3));
}

TEST(section_3_5, takes_the_softmax_along_width) {
  const auto expected = softmax_of_example(false);
  EXPECT_NEAR(expected[0], std::exp(3) / (std::exp(3) + std::exp(1) + std::exp(4)), 1e-15);
  EXPECT_TRUE(close_to(softmax(width, example()), height[3] * width[3], expected, 3));
}

TEST(section_3_5, has_argmax_and_argmin_as_distributions) {
  EXPECT_TRUE(
      close_to(argmax(width, example()), height[3] * width[3], {0, 0, 1, 0, 0, 1, 0, 1, 0}, 0));
  EXPECT_TRUE(
      close_to(argmin(width, example()), height[3] * width[3], {0, 1, 0, 1, 0, 0, 1, 0, 0}, 0));
}

TEST(section_3_5, shares_argmax_and_argmin_among_ties) {
  const Tensor ties = tensor(width[4], {2, 7, 7, 2}, float64);
  EXPECT_TRUE(close_to(argmax(width, ties), width[4], {0, 0.5, 0.5, 0}, 0));
  EXPECT_TRUE(close_to(argmin(width, ties), width[4], {0.5, 0, 0, 0.5}, 0));
  EXPECT_TRUE(close_to(argmax(width, zeros(width[4])), width[4], {0.25, 0.25, 0.25, 0.25}, 0));
}

TEST(section_3_5, approaches_argmax_and_argmin_by_the_softmax_of_growing_multiples) {
  // Elements that differ at all differ by 1, so that exp(-800) bounds what the limit still lacks.
  const double steepness = 800;
  for (const Tensor& X : {example(), tensor(height[2] * width[3], {2, 7, 7, 4, 4, 4}, float64)}) {
    for (const Axes& over : {Axes(width), Axes(height), height & width}) {
      EXPECT_TRUE(close_to(softmax(over, steepness * X), argmax(over, X), 9));
      EXPECT_TRUE(close_to(softmax(over, -steepness * X), argmin(over, X), 9));
    }
  }
}

TEST(section_3_5, never_overflows_in_the_softmax) {
  const Tensor large = tensor(width[2], {1e308, 1e308}, float64);
  EXPECT_TRUE(close_to(softmax(width, large), width[2], {0.5, 0.5}));
  const double infinite = std::numeric_limits<double>::infinity();
  const Tensor masked = tensor(width[3], {0.0, -infinite, 0.0}, float64);
  EXPECT_TRUE(close_to(softmax(width, masked), width[3], {0.5, 0, 0.5}));
  const Tensor all_masked = tensor(width[2], {-infinite, -infinite}, float64);
  EXPECT_TRUE(close_to(softmax(width, all_masked), width[2], {NAN, NAN}));
}

TEST(section_3_6, renames_height) {
  const Tensor renamed = example()[height >> height.prime()];
  EXPECT_TRUE(close_to(renamed, height.prime()[3] * width[3], {3, 1, 4, 1, 5, 9, 2, 6, 5}, 0));
}

TEST(section_3_6, keeps_the_positions_of_what_is_renamed) {
  const Tensor X = column();
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(X[height >> layer][layer(i)].item(), X[height(i)].item());
  }
}

TEST(section_3_6, reshapes_two_axes_into_one_with_the_last_varying_fastest) {
  const Tensor A = example();
  EXPECT_TRUE(close_to(A[(height & width) >> layer], layer[9], {3, 1, 4, 1, 5, 9, 2, 6, 5}, 0));
  EXPECT_TRUE(close_to(A[(width & height) >> layer], layer[9], {3, 1, 2, 1, 5, 6, 4, 9, 5}, 0));
}

TEST(section_3_6, splits_what_was_reshaped) {
  const Tensor flat = example()[(height & width) >> layer];
  EXPECT_TRUE(same(flat[layer >> (height[3] & width)], example()));
  EXPECT_TRUE(same(flat[layer >> (height & width[3])], example()));
}

/// Word embeddings, positions and probabilities in the sizes of the section's example.
struct Words {
  std::int64_t n = 7, m = 5;
  Block E, P;
  std::vector<std::int64_t> I = {3, 0, 6, 3, 1};

  explicit Words(Generator& generator)
      : E(Block::random(generator, {n, 4})), P(Block::random(generator, {m, n}, 0, 1)) {}
  Tensor embeddings() const { return E.tensor(vocab & emb); }
  Tensor probabilities() const { return P.tensor(seq & vocab); }
  Tensor identifiers() const { return tensor(seq[m], I); }
};

TEST(section_3_7, indexes_by_one_number_as_partial_indexing_does) {
  Generator generator(1);
  const Words words(generator);
  std::vector<double> expected;
  for (int e = 0; e < 4; ++e) expected.push_back(words.E(2, e));
  const Tensor E = words.embeddings();
  EXPECT_TRUE(close_to(index(vocab, E, 2), emb[4], expected, 0));
  EXPECT_TRUE(close_to(index(vocab, E, tensor(Shape{}, std::vector<std::int64_t>{2})), emb[4],
                       expected, 0));
  EXPECT_TRUE(same(index(vocab, E, 2), E[vocab(2)]));
}

TEST(section_3_7, indexes_by_a_sequence_to_a_sequence_of_embeddings) {
  Generator generator(2);
  const Words words(generator);
  Block expected({words.m, 4});
  for (int s = 0; s < words.m; ++s) {
    for (int e = 0; e < 4; ++e) expected(s, e) = words.E(words.I[static_cast<std::size_t>(s)], e);
  }
  const Tensor E = words.embeddings(), I = words.identifiers();
  EXPECT_TRUE(close_to(index(vocab, E, I), expected.shape(seq & emb), expected.values(), 0));
  EXPECT_TRUE(same(E[vocab(I)], index(vocab, E, I)));
}

TEST(section_3_7, indexes_along_a_shared_axis_to_a_sequence_of_probabilities) {
  Generator generator(3);
  const Words words(generator);
  std::vector<double> expected;
  for (std::size_t s = 0; s < words.I.size(); ++s) expected.push_back(words.P(s, words.I[s]));
  const Tensor P = words.probabilities(), I = words.identifiers();
  EXPECT_TRUE(close_to(index(vocab, P, I), seq[words.m], expected, 0));
}

TEST(section_3_7, indexes_with_a_further_shared_axis) {
  Generator generator(4);
  const Block P = Block::random(generator, {2, 5, 7}, 0, 1);
  const Tensor I = generator.tensor(batch[2] * seq[5], 0, 6, int64);
  const std::vector<std::int64_t> identifiers = I.values<std::int64_t>(batch & seq);
  Block expected({2, 5});
  for (std::size_t b = 0; b < 2; ++b) {
    for (std::size_t s = 0; s < 5; ++s) expected(b, s) = P(b, s, identifiers[b * 5 + s]);
  }
  EXPECT_TRUE(close_to(index(vocab, P.tensor(batch & seq & vocab), I), expected.shape(batch & seq),
                       expected.values(), 0));
}

TEST(section_3_7, indexes_twice_for_words_at_some_positions) {
  Generator generator(5);
  const Words words(generator);
  const std::vector<std::int64_t> I = {4, 0, 2}, J = {6, 1, 1};
  std::vector<double> expected;
  for (std::size_t k = 0; k < 3; ++k) expected.push_back(words.P(I[k], J[k]));
  const Tensor P = words.probabilities();
  const Tensor S = index(vocab, index(seq, P, tensor(subseq[3], I)), tensor(subseq[3], J));
  EXPECT_TRUE(close_to(S, subseq[3], expected, 0));
  const Tensor other_order =
      index(seq, index(vocab, P, tensor(subseq[3], J)), tensor(subseq[3], I));
  EXPECT_TRUE(same(other_order, S));
}

TEST(section_3_7, is_the_lift_of_reading_one_position) {
  const Tensor X = tensor(vocab[4], {1.5, 2.5, 3.5, 4.5}, float64);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(index(vocab, X, i).item(), X[vocab(i)].item());
}

TEST(section_5_3, has_identities_that_are_one_where_positions_agree) {
  const Tensor I = identity(height[3], height.star(), float64);
  EXPECT_TRUE(close_to(I, height[3] * height.star()[3], {1, 0, 0, 0, 1, 0, 0, 0, 1}, 0));
  EXPECT_TRUE(close_to(example() * height * I, height.star()[3] * width[3],
                       {3, 1, 4, 1, 5, 9, 2, 6, 5}, 3));
  EXPECT_TRUE(same(example() * height * identity(height, height.star()), example() * height * I));
}

}  // namespace
}  // namespace axial
