// Laziness, values, and copies: what users never have to manage.
#include <axial/axial.hpp>
#include <gmock/gmock.h>

#include <thread>

#include "diagnostics/expect.hpp"

namespace axial {
namespace {

using diagnostics::expect_error;
using ::testing::Each;
using ::testing::ElementsAre;

const Axis height{"height"}, width{"width"}, seq{"seq"};
const Tensor A = tensor(height[3] * width[3], {3, 1, 4, 1, 5, 9, 2, 6, 5});

bool is_known(const Tensor& tensor) { return tensor.expression().is_known(); }

TEST(lazy, tensors_know_their_shape_without_being_computed) {
  const Tensor huge = ones(height[1LL << 40]) + 1;
  EXPECT_EQ(huge.shape(), Shape(height[1LL << 40]));
  EXPECT_EQ(huge.type(), float32);
}

TEST(lazy, tensors_are_computed_when_a_value_is_needed_and_then_kept) {
  const Tensor sum = A + 1;
  EXPECT_FALSE(is_known(sum));
  const std::byte* first = sum.array().bytes();
  EXPECT_TRUE(is_known(sum));
  EXPECT_EQ(sum.array().bytes(), first);
  EXPECT_EQ(sum.values({height, width}).size(), 9);
  EXPECT_EQ(sum.array().bytes(), first);
}

TEST(lazy, tensors_remember_how_they_were_computed) {
  const Tensor sum = A + 1;
  eval(sum);
  EXPECT_TRUE(is_known(sum));
  EXPECT_NE(sum.expression().as<expr::Map>(), nullptr);
}

TEST(lazy, copies_share_their_value) {
  const Tensor sum = A + 1;
  const Tensor copy = sum;
  eval(sum);
  EXPECT_TRUE(is_known(copy));
  EXPECT_EQ(copy.array().bytes(), sum.array().bytes());
}

TEST(lazy, mistakes_in_shapes_are_found_at_once_and_those_in_values_when_they_are_computed) {
  expect_error("unknown-axis", [] { sum(seq, A); });
  const Tensor wrong = index(height, A, tensor(seq[1], {7}, int64));
  expect_error("index-out-of-range", [&] { eval(wrong); });
  expect_error("index-out-of-range", [&] { eval(wrong); });
}

TEST(eval, computes_several_tensors_and_gives_back_one) {
  const Tensor a = A + 1, b = a * 2;
  eval(a, b);
  EXPECT_TRUE(is_known(a));
  EXPECT_TRUE(is_known(b));
  EXPECT_TRUE(is_known(eval(A - 1)));
}

TEST(assignment, changes_no_other_tensor) {
  Tensor a = A;
  const Tensor b = a + 1, copy = a;
  a = zeros(height[3] * width[3]);
  EXPECT_TRUE(identical(copy, A));
  EXPECT_TRUE(identical(b, A + 1));
  Tensor c = a;
  c = c + 5;
  EXPECT_THAT(a.values({height, width}), Each(0));
}

TEST(assignment, to_itself_and_in_loops_is_harmless) {
  Tensor x = A;
  x = *&x;
  for (int i = 0; i < 10; ++i) x = x + x;
  EXPECT_TRUE(identical(x, A * 1024));
}

TEST(assignment, from_a_tensor_that_was_moved_away_is_harmless) {
  Tensor a = A;
  const Tensor b = std::move(a);
  Tensor c = a;  // NOLINT(bugprone-use-after-move)
  c = b;
  a = c;
  EXPECT_TRUE(identical(a, A));
}

TEST(chains, may_be_very_long) {
  Tensor x = tensor(height[1], {0});
  for (int i = 0; i < 50'000; ++i) x = x + 1;
  EXPECT_EQ(x.values({height})[0], 50'000);
}

TEST(chains, of_functions_may_be_long) {
  Tensor x = tensor(height[2], {0, 1});
  for (int i = 0; i < 500; ++i) x = softmax(height, x);
  EXPECT_NEAR(x.values({height})[0], 0.5, 1e-6);
}

TEST(chains, that_share_everything_are_computed_once) {
  Tensor x = tensor(height[1], {1}, int64);
  for (int i = 0; i < 60; ++i) x = x + x;  // 2^60 paths
  EXPECT_EQ(x.values<std::int64_t>({height})[0], 1LL << 60);
}

TEST(threads, may_compute_one_tensor_together) {
  for (int round = 0; round < 20; ++round) {
    const Tensor x = tensor(seq[64], std::vector<double>(64, 1.0 + round));
    const Tensor shared = sum(seq, exp(x) * x), other = shared * 2;
    std::vector<double> seen(8);
    std::vector<std::jthread> threads;
    for (std::size_t t = 0; t < seen.size(); ++t) {
      threads.emplace_back([&, t] {
        seen[t] = t % 2 == 0 ? shared.item() : other.item() / 2;
        seen[t] += 0 * (shared + Tensor(1)).item();
      });
    }
    threads.clear();
    EXPECT_THAT(seen, Each(shared.item()));
  }
}

TEST(threads, may_forget_and_remember_one_value_together) {
  const expr::Expr shared = (A + A).expression();
  const auto ask = [&] {
    for (int k = 0; k < 20'000; ++k) ASSERT_EQ(Tensor(shared).array().real(0), 6);
  };
  const std::jthread first(ask), second(ask), third(ask);
}

TEST(threads, may_apply_one_function_together) {
  const Function total =
      function({seq}, Axes{}, [](Tensor x) { return sum(seq, softmax(seq, x) * x); });
  const Tensor x = iota(seq[10], float32);
  std::vector<double> seen(4);
  std::vector<std::jthread> threads;
  for (double& result : seen) {
    threads.emplace_back([&] { result = total(x).item(); });
  }
  threads.clear();
  EXPECT_THAT(seen, Each(total(x).item()));
}

TEST(threads, may_share_names) {
  std::vector<std::jthread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([] {
      for (int i = 0; i < 200; ++i) {
        const Axis axis("shared_" + std::to_string(i));
        sum(axis, ones(axis[3]) * ones(axis.prime()[2])).array();
      }
    });
  }
}

TEST(values, come_in_the_type_that_is_asked_for) {
  const Tensor whole = tensor(seq[3], {1, 2, 3}, int32);
  EXPECT_THAT(whole.values<float>({seq}), ElementsAre(1.0F, 2.0F, 3.0F));
  EXPECT_THAT(whole.values<std::int64_t>({seq}), ElementsAre(1, 2, 3));
  EXPECT_THAT((whole > 1).values<bool>({seq}), ElementsAre(false, true, true));
  EXPECT_THAT((whole > 1).values({seq}), ElementsAre(0, 1, 1));
  EXPECT_THAT(tensor(seq[2], {0.5, 0.25}).values<float>({seq}), ElementsAre(0.5F, 0.25F));
  EXPECT_THAT(Tensor(3).values({}), ElementsAre(3));
  EXPECT_THAT(zeros(seq[0]).values({seq}), ElementsAre());
}

TEST(values, that_the_type_cannot_hold_are_an_error) {
  expect_error("bad-value", [] { tensor(seq[1], {std::nan("")}).values<int>({seq}); });
  expect_error("bad-value", [] { tensor(seq[1], {1e20}).values<std::int64_t>({seq}); });
  expect_error("bad-value", [] { tensor(seq[1], {1LL << 40}, int64).values<int>({seq}); });
}

TEST(values, of_large_integers_are_exact) {
  const std::vector<std::int64_t> large{9'007'199'254'740'993, INT64_MAX, INT64_MIN};
  const Tensor x = tensor(seq[3], large);
  EXPECT_EQ(x.type(), int64);
  EXPECT_EQ(x.values<std::int64_t>({seq}), large);
  EXPECT_EQ((x + 0 * x).values<std::int64_t>({seq}), large);
  EXPECT_EQ(sum(seq, x[seq(0, 1)]).values<std::int64_t>({})[0], large[0]);
  EXPECT_EQ(max(seq, x).values<std::int64_t>({})[0], INT64_MAX);
}

TEST(truth, of_a_scalar_can_be_asked_in_an_if) {
  EXPECT_TRUE(Tensor(3) > 2);
  EXPECT_FALSE(sum(height & width, A) == 0);
  EXPECT_TRUE(all(height & width, A > 0) ? true : false);
  EXPECT_FALSE(static_cast<bool>(Tensor(0)));
  EXPECT_TRUE(static_cast<bool>(Tensor(0.5)));
  expect_error("unexpected-axis", [] { static_cast<bool>(A > 0); });
}

TEST(identical, compares_shape_type_and_elements) {
  EXPECT_TRUE(identical(A, tensor(width[3] * height[3], {3, 1, 2, 1, 5, 6, 4, 9, 5})));
  EXPECT_FALSE(identical(A, A + 1));
  EXPECT_FALSE(identical(A, to(float64, A)));
  EXPECT_FALSE(identical(A, A[height >> seq]));
  const Tensor undefined = tensor(seq[1], {std::nan("")});
  EXPECT_TRUE(identical(undefined, undefined + 0));
  EXPECT_TRUE(identical(zeros(seq[0]), ones(seq[0])));
}

TEST(identical, takes_plain_numbers) {
  EXPECT_TRUE(identical(Tensor(1), Tensor(1)));
  EXPECT_FALSE(identical(Tensor(1), Tensor(2)));
  EXPECT_TRUE(identical(Tensor(1), tensor(Shape{}, {1})));
  EXPECT_TRUE(identical(sum(seq, ones(seq[3])), 3));
}

TEST(lazy, derivations_that_are_used_again_take_new_values) {
  const Axis n("n");
  for (const double value : {1.0, 2.0, 5.0}) {
    const Tensor x = tensor(n[2], {value, -value});
    const Tensor loss = sum(n, x * x * x);
    EXPECT_EQ(gradient(loss, x).values(n), (std::vector{3 * value * value, 3 * value * value}));
    EXPECT_EQ(hessian(loss, x).values(n.star() & n.dagger()),
              (std::vector{6 * value, 0.0, 0.0, -6 * value}));
  }
}

TEST(lazy, derivations_know_variables_that_nothing_is_computed_from) {
  const Axis n("n");
  for (const double value : {1.0, 2.0}) {
    const Tensor x = tensor(n[2], {value, 3}), unused = tensor(n[1], {7}), number = tensor({}, {4});
    const std::vector<Tensor> slopes = gradients(sum(n, x * x), {x, unused});
    EXPECT_EQ(slopes[0].values(n), (std::vector{2 * value, 6.0}));
    EXPECT_EQ(slopes[1].values(n), std::vector{0.0});
    EXPECT_EQ(gradient(number, x).values(n), (std::vector{0.0, 0.0}));
    EXPECT_EQ(derivative(x, x).values(n & n.star()), (std::vector{1.0, 0.0, 0.0, 1.0}));
  }
}

TEST(lazy, derivations_tell_variables_apart) {
  const Axis n("n");
  const Tensor x = tensor(n[1], {3}), y = tensor(n[1], {5});
  const Tensor product = sum(n, x * x * y);
  EXPECT_EQ(gradient(product, x).values(n), std::vector{30.0});
  EXPECT_EQ(gradient(product, y).values(n), std::vector{9.0});
}

TEST(lazy, a_known_value_is_not_computed_again_for_a_gradient) {
  const Axis n("n");
  const Tensor x = tensor(n[1], {3}), w = tensor(n[1], {2});
  const Tensor feature = eval(exp(x) * 0 + x);
  const Tensor slope = gradient(sum(n, feature * w), w);
  EXPECT_EQ(slope.expression().identity(), feature.expression().identity());
  EXPECT_EQ(slope.values(n), std::vector{3.0});
}

}  // namespace
}  // namespace axial
