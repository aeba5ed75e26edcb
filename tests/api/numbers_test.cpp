// Plain numbers next to tensors, and the types of elements.
#include <axial/axial.hpp>
#include <gmock/gmock.h>

#include "diagnostics/expect.hpp"

namespace axial {
namespace {

using diagnostics::expect_error;
using ::testing::ElementsAre;

const Axis seq{"seq"};
const Tensor integers = tensor(seq[3], {1, 2, 3}, int64);
const Tensor truths = integers > 1;

TEST(numbers, take_the_type_of_the_tensor_they_meet) {
  for (const ElementType type : {float32, float64, int32, int64}) {
    const Tensor x = ones(seq[2], type);
    for (const Tensor& result :
         {x + 1, 1 + x, x * 2, 2 - x, max(x, 0), where(x > 0, x, 1), pow(to(float64, x), 2)}) {
      EXPECT_TRUE(result.type() == type || result.type() == float64);
    }
    EXPECT_EQ((x + 1).type(), type);
    EXPECT_EQ((x > 1).type(), boolean);
  }
}

TEST(numbers, keep_double_precision_until_they_meet_a_type) {
  EXPECT_EQ(Tensor(0.1).item(), 0.1);
  EXPECT_EQ((Tensor(0.1) + 0.2).item(), 0.1 + 0.2);
  EXPECT_EQ((Tensor(1) / 3).item(), 1.0 / 3);
  EXPECT_EQ((tensor(Shape{}, {1.0}, float64) * (Tensor(1) / 3)).item(), 1.0 / 3);
  EXPECT_EQ((tensor(Shape{}, {1.0}) * (Tensor(1) / 3)).item(), static_cast<double>(1.0F / 3));
  EXPECT_EQ(exp(Tensor(1)).item(), std::exp(1.0));
}

TEST(numbers, stay_numbers_after_their_value_was_asked_for) {
  const Tensor third = Tensor(1) / 3;
  EXPECT_EQ(third.item(), 1.0 / 3);
  EXPECT_EQ((ones(seq[1], float64) * third).values({seq})[0], 1.0 / 3);
  EXPECT_EQ((ones(seq[1]) * third).type(), float32);
}

TEST(numbers, that_are_whole_stay_exact) {
  constexpr std::int64_t large = 9'007'199'254'740'993;  // 2^53 + 1
  EXPECT_EQ((integers * 0 + large).values<std::int64_t>({seq})[0], large);
  EXPECT_EQ((integers * 0 + (Tensor(large) + 0)).values<std::int64_t>({seq})[0], large);
  EXPECT_EQ((integers * 0 + Tensor(large) * 1).values<std::int64_t>({seq})[0], large);
}

TEST(numbers, must_fit_the_type_of_the_tensor) {
  expect_error("element-type", [] { integers + 0.5; });
  expect_error("element-type", [] { tensor(seq[1], {1}, int32) + (1LL << 40); });
  expect_error("element-type", [] { Tensor(truths && Tensor(2)); });
  EXPECT_EQ((integers + 2.0).type(), int64);
}

TEST(numbers, that_were_computed_must_fit_too) {
  expect_error("element-type", [] { eval(integers + Tensor(1) / 2); });
  expect_error("bad-value", [] { eval(index(seq, integers, Tensor(1) / 2)); });
  EXPECT_THAT((integers + Tensor(4) / 2).values({seq}), ElementsAre(3, 4, 5));
}

TEST(numbers, can_be_truth_values) {
  EXPECT_THAT((truths && true).values({seq}), ElementsAre(0, 1, 1));
  EXPECT_THAT((truths || false).values({seq}), ElementsAre(0, 1, 1));
  EXPECT_THAT(where(truths, 1, 0).values({seq}), ElementsAre(0, 1, 1));
}

TEST(numbers, can_be_conditions) {
  EXPECT_TRUE(identical(where(true, integers, -integers), integers));
  EXPECT_TRUE(identical(where(Tensor(1) > 2, integers, -integers), -integers));
  EXPECT_TRUE(identical(where(false, ones(seq[2]), zeros(seq[2])), zeros(seq[2])));
}

TEST(numbers, among_themselves_obey_logic) {
  EXPECT_TRUE(static_cast<bool>(Tensor(true) && Tensor(true)));
  EXPECT_FALSE(static_cast<bool>(Tensor(true) && Tensor(false)));
  EXPECT_TRUE(static_cast<bool>(Tensor(true) || Tensor(false)));
  EXPECT_FALSE(static_cast<bool>(!Tensor(true)));
  expect_error("element-type", [] { eval(Tensor(2) && Tensor(1)); });
}

TEST(tensor, has_the_type_of_a_vector_of_integers_and_float32_for_reals) {
  EXPECT_EQ(tensor(seq[1], std::vector<double>{1}).type(), float32);
  EXPECT_EQ(tensor(seq[1], std::vector<float>{1}).type(), float32);
  EXPECT_EQ(tensor(seq[1], std::vector<std::int32_t>{1}).type(), int32);
  EXPECT_EQ(tensor(seq[1], std::vector<std::int64_t>{1}).type(), int64);
  EXPECT_EQ(tensor(seq[1], std::vector<bool>{true}).type(), boolean);
  EXPECT_EQ(tensor(seq[1], std::vector<double>{1}, float64).type(), float64);
  EXPECT_EQ(tensor(seq[1], {1}).type(), float32);
  EXPECT_EQ(tensor(seq[1], {1}, int32).type(), int32);
}

TEST(filled, tensors_have_one_number_everywhere) {
  EXPECT_THAT(full(seq[2], 7).values({seq}), ElementsAre(7, 7));
  EXPECT_THAT(zeros(seq[2], int32).values({seq}), ElementsAre(0, 0));
  EXPECT_EQ(ones(seq[2], boolean).type(), boolean);
  EXPECT_EQ(full(Shape{}, 0.1, float64).item(), 0.1);
  EXPECT_THAT(iota(seq[3]).values({seq}), ElementsAre(0, 1, 2));
  EXPECT_EQ(iota(seq[3]).type(), int64);
  EXPECT_EQ(iota(seq[3], float32).type(), float32);
}

TEST(conversion, keeps_the_numbers) {
  const Tensor x = tensor(seq[3], {-1.9, 0.0, 2.9});
  EXPECT_THAT(to(int64, x).values({seq}), ElementsAre(-1, 0, 2));
  EXPECT_THAT(to(boolean, x).values({seq}), ElementsAre(1, 0, 1));
  EXPECT_THAT(to(float64, integers).values({seq}), ElementsAre(1, 2, 3));
  EXPECT_EQ(to(float32, Tensor(3)).type(), float32);
}

TEST(conversion, of_what_an_integer_cannot_hold_is_an_error) {
  for (const double value : {std::nan(""), INFINITY * 1.0, -INFINITY * 1.0, 2147483648.0}) {
    expect_error("bad-value", [&] { eval(to(int32, tensor(seq[1], {value}, float64))); });
  }
  expect_error("bad-value", [] { eval(to(int64, tensor(seq[1], {0x1p63}, float64))); });
  EXPECT_EQ(to(int64, tensor(seq[1], {-0x1p63}, float64)).values<std::int64_t>({seq})[0],
            INT64_MIN);
}

TEST(integers, wrap_around_in_their_own_width) {
  EXPECT_EQ((tensor(seq[1], {INT32_MAX}, int32) + 1).values({seq})[0], INT32_MIN);
  EXPECT_EQ((tensor(seq[1], {INT64_MAX}, int64) + 1).values<std::int64_t>({seq})[0], INT64_MIN);
}

TEST(integers, are_divided_by_floor_div_and_mod_only) {
  expect_error("element-type", [] { integers / integers; });
  EXPECT_THAT(floor_div(integers, 2).values({seq}), ElementsAre(0, 1, 1));
  EXPECT_THAT(mod(integers, 2).values({seq}), ElementsAre(1, 0, 1));
}

TEST(random, tensors_are_reproducible_and_independent_of_order) {
  const Axis a{"a"};
  EXPECT_TRUE(identical(Random(5).normal(a[3] * seq[2]), Random(5).normal(seq[2] * a[3])));
  EXPECT_FALSE(identical(Random(5).normal(a[3]), Random(6).normal(a[3])));
  Random random(5);
  EXPECT_FALSE(identical(random.uniform(a[3]), random.uniform(a[3])));
  EXPECT_EQ(random.integers(a[3], 0, 10).type(), int64);
  EXPECT_EQ(random.bernoulli(a[3]).type(), boolean);
  EXPECT_EQ(sum(a, random.permutation(a[5])).item(), 10);
}

TEST(random, numbers_never_change) {
  // From a second implementation of Philox, in Python: seeds in papers must keep their meaning.
  const Axis a{"a"};
  const auto near = [](std::vector<double> expected) {
    return ::testing::Pointwise(::testing::DoubleNear(1e-14), std::move(expected));
  };
  EXPECT_THAT(Random(1).integers(a[4], 0, 100).values({a}), ElementsAre(89, 67, 24, 75));
  EXPECT_THAT(Random(1).uniform(a[3], 0, 1, float64).values({a}),
              near({0.8902591729757107, 0.6719982688953429, 0.24740147231065202}));
  EXPECT_THAT(Random(1).normal(a[3], 0, 1, float64).values({a}),
              near({-1.804556690200625, -1.4756192460492585, -0.17310521903624587}));
}

}  // namespace
}  // namespace axial
