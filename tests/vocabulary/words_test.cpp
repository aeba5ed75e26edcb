// Single words at the places where they are easily wrong.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "axial/vocabulary/elementwise.hpp"

namespace axial {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinite = std::numeric_limits<double>::infinity();

TEST(mod, has_the_sign_of_the_divisor) {
  const auto& mod = word("mod");
  EXPECT_EQ(mod.whole(7, 3), 1);
  EXPECT_EQ(mod.whole(-7, 3), 2);
  EXPECT_EQ(mod.whole(7, -3), -2);
  EXPECT_EQ(mod.whole(-7, -3), -1);
  EXPECT_EQ(mod.real(-7.5, 3), 1.5);
  EXPECT_EQ(mod.real(7.5, -3), -1.5);
  EXPECT_TRUE(std::isnan(mod.real(1, 0)));
}

TEST(floor_div, rounds_down) {
  const auto& floor_div = word("floor_div");
  EXPECT_EQ(floor_div.whole(7, 2), 3);
  EXPECT_EQ(floor_div.whole(-7, 2), -4);
  EXPECT_EQ(floor_div.whole(7, -2), -4);
  EXPECT_EQ(floor_div.whole(-8, 2), -4);
  EXPECT_EQ(floor_div.real(-7.5, 2), -4);
}

TEST(floor_div, and_mod_give_the_dividend_back) {
  for (std::int64_t a = -20; a <= 20; ++a) {
    for (std::int64_t b = -5; b <= 5; ++b) {
      if (b == 0) continue;
      EXPECT_EQ(word("floor_div").whole(a, b) * b + word("mod").whole(a, b), a) << a << " " << b;
    }
  }
}

TEST(integers, wrap_around) {
  EXPECT_EQ(word("add").whole(INT64_MAX, 1), INT64_MIN);
  EXPECT_EQ(word("sub").whole(INT64_MIN, 1), INT64_MAX);
  EXPECT_EQ(word("mul").whole(INT64_MIN, -1), INT64_MIN);
  EXPECT_EQ(word("neg").whole(INT64_MIN), INT64_MIN);
  EXPECT_EQ(word("abs").whole(INT64_MIN), INT64_MIN);
  EXPECT_EQ(word("floor_div").whole(INT64_MIN, -1), INT64_MIN);
  EXPECT_EQ(word("mod").whole(INT64_MIN, -1), 0);
}

TEST(integers, by_zero_give_zero) {
  EXPECT_EQ(word("floor_div").whole(7, 0), 0);
  EXPECT_EQ(word("mod").whole(7, 0), 0);
}

TEST(logaddexp, does_not_overflow) {
  const auto& logaddexp = word("logaddexp");
  EXPECT_DOUBLE_EQ(logaddexp.real(1000, 1000), 1000 + std::log(2.0));
  EXPECT_DOUBLE_EQ(logaddexp.real(-1000, -1000), -1000 + std::log(2.0));
  EXPECT_EQ(logaddexp.real(-infinite, 3), 3);
  EXPECT_EQ(logaddexp.real(3, -infinite), 3);
  EXPECT_EQ(logaddexp.real(-infinite, -infinite), -infinite);
  EXPECT_EQ(logaddexp.real(infinite, -infinite), infinite);
  EXPECT_TRUE(std::isnan(logaddexp.real(infinite, nan)));
  EXPECT_TRUE(std::isnan(logaddexp.real(nan, infinite)));
}

TEST(sigmoid, does_not_overflow) {
  const auto& sigmoid = word("sigmoid");
  EXPECT_EQ(sigmoid.real(0), 0.5);
  EXPECT_EQ(sigmoid.real(1000), 1);
  EXPECT_EQ(sigmoid.real(-1000), 0);
  EXPECT_EQ(sigmoid.real(infinite), 1);
  EXPECT_EQ(sigmoid.real(-infinite), 0);
  EXPECT_DOUBLE_EQ(sigmoid.real(-3) + sigmoid.real(3), 1);
}

TEST(round, goes_to_even_halves) {
  EXPECT_EQ(word("round").real(0.5), 0);
  EXPECT_EQ(word("round").real(1.5), 2);
  EXPECT_EQ(word("round").real(2.5), 2);
  EXPECT_EQ(word("round").real(-1.5), -2);
}

TEST(sign, of_zero_is_zero) {
  EXPECT_EQ(word("sign").real(0), 0);
  EXPECT_EQ(word("sign").real(-3), -1);
  EXPECT_EQ(word("sign").whole(4), 1);
}

TEST(where, looks_only_at_whether_the_condition_is_zero) {
  EXPECT_EQ(word("where").real(1, 2, 3), 2);
  EXPECT_EQ(word("where").real(0, 2, 3), 3);
  EXPECT_EQ(word("where").real(1, 2, nan), 2);
}

TEST(comparisons, of_nan_are_false_but_for_unequal) {
  for (const std::string_view name : {"equal", "less", "less_equal", "greater", "greater_equal"}) {
    EXPECT_EQ(find_word(name)->real(nan, nan), 0) << name;
  }
  EXPECT_EQ(word("unequal").real(nan, nan), 1);
}

}  // namespace
}  // namespace axial
