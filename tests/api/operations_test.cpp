// The public operations on tensors, one fact each; laws and NumPy's answers are tested elsewhere.
#include <axial/axial.hpp>
#include <gmock/gmock.h>

#include "diagnostics/expect.hpp"

namespace axial {
namespace {

using diagnostics::expect_error;
using ::testing::ElementsAre;

const Axis height{"height"}, width{"width"}, layer{"layer"}, seq{"seq"}, kernel{"kernel"};
const Axis heads{"heads"}, key{"key"};
const Tensor A = tensor(height[3] * width[3], {3, 1, 4, 1, 5, 9, 2, 6, 5});
const Tensor line = iota(seq[6], float32);

TEST(contraction, of_no_axis_is_the_product) {
  EXPECT_TRUE(identical(dot(Axes{}, A, A), A * A));
  EXPECT_TRUE(identical(A * Axes{} * A, A * A));
  EXPECT_TRUE(identical(dot(Axes{}, A), A));
}

TEST(contraction, of_more_than_two) {
  const Tensor x = tensor(width[3], {1, 2, 3});
  EXPECT_EQ(dot(width, x, x, x).item(), 36);
  EXPECT_TRUE(identical(dot(width, A, x, x), sum(width, A * x * x)));
  EXPECT_TRUE(identical(dot(width, A), sum(width, A)));
}

TEST(contraction, stands_among_other_operators_as_a_product_does) {
  const Tensor x = tensor(width[3], {1, 2, 3});
  EXPECT_TRUE(identical(2 * A * width * x + 1, (2 * A) * width * x + 1));
  const Tensor y = tensor(height[3], {4, 5, 6});
  EXPECT_TRUE(identical(A * width * x * height * y, (A * width * x) * height * y));
}

TEST(renaming, exchanges_two_names) {
  EXPECT_THAT((A[height >> width, width >> height].values({height, width})),
              ElementsAre(3, 1, 2, 1, 5, 6, 4, 9, 5));
  EXPECT_TRUE(identical(A[height >> height], A));
  EXPECT_TRUE(identical(A[height >> layer[3]][layer >> height], A));
}

TEST(reshape, has_an_inverse) {
  const Tensor flat = A[(height & width) >> layer];
  EXPECT_TRUE(identical(flat[layer >> (height[3] & width)], A));
  EXPECT_TRUE(identical(flat[layer >> (height & width[3])], A));
  EXPECT_TRUE(identical(flat[layer >> (height[3] & width[3])], A));
  EXPECT_THAT(A[(width & height) >> layer].values({layer}), ElementsAre(3, 1, 2, 1, 5, 6, 4, 9, 5));
}

TEST(reshape, may_reuse_a_name_and_have_several_parts) {
  EXPECT_EQ(A[(height & width) >> height].shape(), Shape(height[9]));
  EXPECT_EQ(iota(layer[24])[layer >> (heads[2] & key[3] & layer)].shape(),
            heads[2] * key[3] * layer[4]);
  EXPECT_EQ(iota(layer[0])[layer >> (heads[2] & key)].shape(), heads[2] * key[0]);
  EXPECT_EQ((A[(height & width) >> layer, height >> height].shape()), Shape(layer[9]));
}

TEST(subscript, takes_several_parts_at_once) {
  const Tensor x = A[height(0, 2), width >> layer];
  EXPECT_EQ(x.shape(), height[2] * layer[3]);
  EXPECT_THAT((A[height(1), width(0, 3, 2)].values({width})), ElementsAre(1, 9));
  EXPECT_TRUE(identical(A[], A));
}

TEST(slice, takes_every_step_th_position) {
  EXPECT_THAT(line[seq(1, 6, 2)].values({seq}), ElementsAre(1, 3, 5));
  EXPECT_THAT(line[seq(0, 6, 4)].values({seq}), ElementsAre(0, 4));
  EXPECT_EQ(line[seq(3, 3)].shape(), Shape(seq[0]));
  EXPECT_EQ(line[seq(6, 6)].shape(), Shape(seq[0]));
}

TEST(slice, may_have_any_step) {
  EXPECT_THAT(line[seq(0, 6, INT64_MAX)].values({seq}), ElementsAre(0));
  EXPECT_THAT(line[seq(2, 6, 100)].values({seq}), ElementsAre(2));
}

TEST(index, by_a_tensor_may_keep_the_name_of_the_axis) {
  const Tensor order = tensor(seq[3], {5, 0, 5}, int64);
  EXPECT_THAT(line[seq(order)].values({seq}), ElementsAre(5, 0, 5));
}

TEST(index, applied_twice_picks_pairs) {
  const Axis subseq{"subseq"};
  const Tensor I = tensor(subseq[2], {0, 2}, int64), J = tensor(subseq[2], {2, 1}, int64);
  EXPECT_THAT(index(width, index(height, A, I), J).values({subseq}), ElementsAre(4, 6));
  EXPECT_TRUE(identical(A[height(I), width(J)], index(width, index(height, A, I), J)));
}

TEST(index, takes_whole_reals) {
  EXPECT_THAT(index(seq, line, tensor(key[2], {3.0, 1.0})).values({key}), ElementsAre(3, 1));
}

TEST(windows, have_stride_dilation_and_padding) {
  EXPECT_THAT(unroll(seq, kernel[2], line, {.stride = 2}).values({seq, kernel}),
              ElementsAre(0, 1, 2, 3, 4, 5));
  EXPECT_THAT(unroll(seq, kernel[2], line, {.dilation = 4}).values({seq, kernel}),
              ElementsAre(0, 4, 1, 5));
  EXPECT_THAT(unroll(seq, kernel[6], line, {.padding = 1, .value = 9}).values({seq, kernel}),
              ElementsAre(9, 0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 5, 1, 2, 3, 4, 5, 9));
}

TEST(concatenation, puts_one_behind_the_other) {
  EXPECT_THAT(concat(seq, line[seq(0, 2)], line[seq(4, 6)]).values({seq}), ElementsAre(0, 1, 4, 5));
  EXPECT_TRUE(identical(concat(seq, line), line));
  EXPECT_TRUE(identical(concat(seq, {line[seq(0, 3)], line[seq(3, 6)]}), line));
  EXPECT_EQ(concat(seq, line, zeros(seq[0])).shape(), Shape(seq[6]));
}

TEST(stack, makes_a_new_axis) {
  const Tensor x = tensor(key[2], {1, 2}), y = tensor(key[2], {3, 4});
  EXPECT_THAT(stack(seq, x, y).values({seq, key}), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(stack(seq, {x, y, x}).values({seq, key}), ElementsAre(1, 2, 3, 4, 1, 2));
  EXPECT_THAT(stack(seq, Tensor(1), tensor(Shape{}, {2})).values({seq}), ElementsAre(1, 2));
}

TEST(padding, adds_positions_at_both_ends) {
  EXPECT_THAT(pad(seq, 2, 1, line[seq(1, 3)]).values({seq}), ElementsAre(0, 0, 1, 2, 0));
  EXPECT_THAT(pad(seq, 0, 1, line[seq(1, 3)], 7).values({seq}), ElementsAre(1, 2, 7));
  EXPECT_TRUE(identical(pad(seq, 0, 0, line), line));
}

TEST(order, of_elements) {
  const Tensor x = tensor(seq[5], {3.0, 1.0, 2.0, 1.0, std::nan("")});
  EXPECT_THAT(order(seq, x).values({seq}), ElementsAre(1, 3, 2, 0, 4));
  EXPECT_THAT(sort(seq, x)[seq(0, 4)].values({seq}), ElementsAre(1, 1, 2, 3));
  EXPECT_THAT(reverse(seq, line).values({seq}), ElementsAre(5, 4, 3, 2, 1, 0));
  EXPECT_THAT(cumsum(seq, line).values({seq}), ElementsAre(0, 1, 3, 6, 10, 15));
  EXPECT_EQ(index_of_max(seq, line).item(), 5);
  EXPECT_EQ(index_of_min(seq, tensor(seq[3], {2, 1, 1})).item(), 1);
}

TEST(top_k, gives_the_largest_first) {
  EXPECT_THAT(top_k(width, kernel[2], A).values({height, kernel}), ElementsAre(4, 3, 9, 5, 6, 5));
  EXPECT_THAT(top_k_indices(width, kernel[2], A).values({height, kernel}),
              ElementsAre(2, 0, 2, 1, 1, 2));
  EXPECT_EQ(top_k(width, kernel[0], A).shape(), height[3] * kernel[0]);
  EXPECT_EQ(top_k(width, width[2], A).shape(), height[3] * width[2]);
}

TEST(matrices, can_be_inverted_and_solved) {
  const Tensor M = tensor(height[2] * width[2], {2.0, 1.0, 1.0, 3.0}, float64);
  EXPECT_DOUBLE_EQ(det(height & width, M).item(), 5);
  const Tensor product = M * width * inverse(height & width, M)[height >> height.prime()];
  EXPECT_THAT(product.values({height, height.prime()}),
              ::testing::Pointwise(::testing::DoubleNear(1e-14), {1.0, 0.0, 0.0, 1.0}));
  const Tensor y = tensor(height[2], {3.0, 5.0}, float64);
  EXPECT_THAT((M * width * solve(height, width, M, y)).values({height}),
              ::testing::Pointwise(::testing::DoubleNear(1e-14), {3.0, 5.0}));
}

TEST(identity, takes_its_size_and_type_from_what_it_meets) {
  const Tensor x = tensor(seq[3], {1, 2, 3}, int64);
  const Tensor renamed = identity(seq, key) * seq * x;
  EXPECT_EQ(renamed.type(), int64);
  EXPECT_TRUE(identical(renamed, x[seq >> key]));
  EXPECT_TRUE(identical(x * seq * identity(key, seq), x[seq >> key]));
  EXPECT_TRUE(identical(identity(seq, key) + zeros(seq[2]), identity(seq[2], key)));
}

TEST(empty_axis, has_meaning_where_nothing_has_a_value) {
  const Tensor empty = zeros(seq[0] * key[2]);
  EXPECT_THAT(sum(seq, empty).values({key}), ElementsAre(0, 0));
  EXPECT_THAT(prod(seq, empty).values({key}), ElementsAre(1, 1));
  EXPECT_THAT(logsumexp(seq, empty).values({key}), ElementsAre(-INFINITY, -INFINITY));
  EXPECT_THAT(norm(seq, empty).values({key}), ElementsAre(0, 0));
  EXPECT_THAT((empty * seq * empty).values({key}), ElementsAre(0, 0));
  EXPECT_TRUE(all(seq, zeros(seq[0], boolean)));
  EXPECT_FALSE(any(seq, zeros(seq[0], boolean)));
  EXPECT_EQ(exp(empty).shape(), seq[0] * key[2]);
  EXPECT_EQ(cumsum(seq, empty).shape(), seq[0] * key[2]);
  EXPECT_EQ(sort(seq, empty).shape(), seq[0] * key[2]);
  EXPECT_EQ(softmax(seq, empty).shape(), seq[0] * key[2]);
  EXPECT_EQ(reverse(seq, empty).values({seq, key}).size(), 0);
  EXPECT_EQ(det(seq & key, zeros(seq[0] * key[0])).item(), 1);
  expect_error("empty-axis", [&] { max(seq, empty); });
  expect_error("empty-axis", [&] { index_of_min(seq, empty); });
}

TEST(phrases, have_cpp_spellings) {
  const Tensor x = tensor(seq[4], {1.0, 2.0, 3.0, 4.0}, float64);
  EXPECT_DOUBLE_EQ(mean(seq, x).item(), 2.5);
  EXPECT_DOUBLE_EQ(var(seq, x).item(), 1.25);
  EXPECT_DOUBLE_EQ(norm(seq, x).item(), std::sqrt(30.0));
  EXPECT_NEAR(norm_p(seq, x, 3).item(), std::cbrt(100.0), 1e-12);
  EXPECT_NEAR(sum(seq, exp(log_softmax(seq, x))).item(), 1, 1e-12);
  EXPECT_THAT(argmin(seq, x).values({seq}), ElementsAre(1, 0, 0, 0));
  EXPECT_NEAR(var(seq, standardize(seq, x, 0)).item(), 1, 1e-12);
  EXPECT_NEAR(cross_entropy(seq, x, full(seq[4], 0.25, float64)).item(),
              -0.25 * sum(seq, log_softmax(seq, x)).item(), 1e-12);
  EXPECT_NEAR(softplus(Tensor(1000)).item(), 1000, 1e-9);
  EXPECT_NEAR(silu(Tensor(1)).item(), 1 / (1 + std::exp(-1.0)), 1e-12);
  EXPECT_NEAR(gelu(Tensor(1)).item(), 0.8413447460685429, 1e-12);
}

}  // namespace
}  // namespace axial
