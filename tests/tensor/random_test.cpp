// Random numbers: the generator against its published answers, the distributions against their
// moments, and independence of everything but seed and shape.
#include "axial/tensor/random.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <set>

#include "diagnostics/expect.hpp"

namespace axial {
namespace {

using diagnostics::expect_error;
using ::testing::Each;
using ::testing::ElementsAre;

constexpr std::int64_t many = 100'000;
const Axis a{"a"}, b{"b"}, sample{"sample"};

std::vector<double> numbers(const Array& array) {
  std::vector<double> all;
  for (std::int64_t i = 0; i < array.volume(); ++i) all.push_back(array.real(i));
  return all;
}

/// The mean of f(x) over all elements, with the standard error of the mean for bounds.
struct Estimate {
  double mean;
  double error;
};
Estimate estimate(const Array& array, double (*f)(double)) {
  double sum = 0, squares = 0;
  for (const double x : numbers(array)) {
    sum += f(x);
    squares += f(x) * f(x);
  }
  const auto n = static_cast<double>(array.volume());
  return {sum / n, std::sqrt((squares / n - sum * sum / (n * n)) / n)};
}

/// Five standard errors: passed by chance but once in two million times; the seed is fixed anyway.
void expect_mean(const Array& array, double (*f)(double), double expected) {
  const Estimate found = estimate(array, f);
  EXPECT_NEAR(found.mean, expected, 5 * found.error);
}

double itself(double x) { return x; }
double squared(double x) { return x * x; }
double fourth(double x) { return x * x * x * x; }

// Salmon, Moraes, Dror, Shaw: Random123, examples/kat_vectors, philox4x32 with 10 rounds.
TEST(philox, gives_the_published_answers) {
  EXPECT_THAT(philox({0, 0, 0, 0}, {0, 0}),
              ElementsAre(0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8));
  constexpr std::uint32_t ones = 0xffffffff;
  EXPECT_THAT(philox({ones, ones, ones, ones}, {ones, ones}),
              ElementsAre(0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd));
  EXPECT_THAT(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
              ElementsAre(0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1));
}

TEST(random, is_the_same_for_the_same_seed) {
  EXPECT_EQ(numbers(RandomStream(7).normal(a[5], 0, 1, float64)),
            numbers(RandomStream(7).normal(a[5], 0, 1, float64)));
  EXPECT_NE(numbers(RandomStream(7).normal(a[5], 0, 1, float64)),
            numbers(RandomStream(8).normal(a[5], 0, 1, float64)));
}

TEST(random, goes_on_with_every_draw) {
  RandomStream stream(7);
  const auto first = numbers(stream.uniform(a[5], 0, 1, float64));
  EXPECT_NE(first, numbers(stream.uniform(a[5], 0, 1, float64)));
}

TEST(random, does_not_depend_on_what_was_drawn_before_but_only_on_how_often) {
  RandomStream one(7), other(7);
  one.uniform(a[5], 0, 1, float64);
  other.permutation(b[100]);
  EXPECT_EQ(numbers(one.normal(a[5], 0, 1, float64)), numbers(other.normal(a[5], 0, 1, float64)));
}

TEST(random, does_not_depend_on_the_order_of_axes) {
  const Array one = RandomStream(7).uniform(a[3] * b[4], 0, 1, float64);
  const Array other = RandomStream(7).uniform(b[4] * a[3], 0, 1, float64);
  EXPECT_EQ(numbers(laid_out(one, a & b)), numbers(laid_out(other, a & b)));
}

TEST(random, of_every_seed_is_a_stream_of_its_own) {
  std::set<double> firsts;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    firsts.insert(RandomStream(seed).uniform({}, 0, 1, float64).real(0));
    firsts.insert(RandomStream(seed << 32).uniform({}, 0, 1, float64).real(0));
  }
  EXPECT_EQ(firsts.size(), 199);  // seed 0 occurs twice
}

TEST(uniform, has_the_moments_of_its_distribution) {
  const Array draw = RandomStream(1).uniform(sample[many], -1, 3, float64);
  expect_mean(draw, itself, 1);
  expect_mean(draw, squared, 1 + 16.0 / 12);
}

TEST(uniform, stays_between_its_bounds) {
  for (const ElementType type : {float32, float64}) {
    for (const double x : numbers(RandomStream(2).uniform(sample[many], 2, 3, type))) {
      ASSERT_GE(x, 2);
      ASSERT_LT(x, 3);
    }
  }
}

TEST(uniform, does_not_reach_its_upper_bound_by_rounding) {
  // Between 1 and the next float there is only 1.
  const double next = std::nextafter(1.0F, 2.0F);
  EXPECT_THAT(numbers(RandomStream(3).uniform(sample[100], 1, next, float32)), Each(1.0));
}

TEST(normal, has_the_moments_of_its_distribution) {
  const Array draw = RandomStream(4).normal(sample[many], 0, 1, float64);
  expect_mean(draw, itself, 0);
  expect_mean(draw, squared, 1);
  expect_mean(draw, fourth, 3);
  const Array shifted = RandomStream(5).normal(sample[many], 10, 2, float32);
  expect_mean(shifted, itself, 10);
  expect_mean(shifted, squared, 104);
}

TEST(normal, is_always_finite) {
  for (const double x : numbers(RandomStream(6).normal(sample[many], 0, 1, float32))) {
    ASSERT_TRUE(std::isfinite(x));
  }
}

TEST(neighbours, are_uncorrelated) {
  const auto x = numbers(RandomStream(8).normal(sample[many], 0, 1, float64));
  double product = 0;
  for (std::size_t i = 1; i < x.size(); ++i) product += x[i - 1] * x[i];
  EXPECT_NEAR(product / static_cast<double>(many), 0, 5 / std::sqrt(static_cast<double>(many)));
}

TEST(integers, are_spread_evenly) {
  const Array draw = RandomStream(9).integers(sample[many], -2, 3, int32);
  std::vector<double> counts(5);
  for (const double x : numbers(draw)) {
    ASSERT_GE(x, -2);
    ASSERT_LT(x, 3);
    ++counts[static_cast<std::size_t>(x + 2)];
  }
  double chi_squared = 0;
  for (const double count : counts)
    chi_squared += (count - many / 5.0) * (count - many / 5.0) / (many / 5.0);
  EXPECT_LT(chi_squared, 30);  // four degrees of freedom: exceeded once in 200,000 times
}

TEST(integers, reach_over_the_whole_range_of_int64) {
  const Array draw = RandomStream(10).integers(sample[1'000], INT64_MIN, INT64_MAX, int64);
  bool negative = false, positive = false;
  for (const std::int64_t x : draw.elements<std::int64_t>()) {
    negative |= x < INT64_MIN / 2;
    positive |= x > INT64_MAX / 2;
  }
  EXPECT_TRUE(negative && positive);
}

TEST(integers, of_a_single_value_are_that_value) {
  EXPECT_THAT(numbers(RandomStream(11).integers(sample[10], 5, 6, int64)), Each(5));
}

TEST(integers, from_an_empty_range_do_not_exist) {
  expect_error("bad-value", [] { RandomStream(1).integers(a[2], 3, 3, int64); });
  expect_error("bad-value", [] { RandomStream(1).integers(a[2], 4, 3, int64); });
}

TEST(integers, must_fit_their_type) {
  expect_error("element-type", [] { RandomStream(1).integers(a[2], 0, 1LL << 32, int32); });
  expect_error("element-type", [] { RandomStream(1).integers(a[2], INT64_MIN, 0, int32); });
}

TEST(bernoulli, draws_the_same_elements_for_every_size) {
  const std::vector<double> all = numbers(RandomStream(12).bernoulli(sample[1000], 0.5));
  for (const std::int64_t size : {1, 31, 32, 33, 127, 128, 129, 999}) {
    EXPECT_EQ(numbers(RandomStream(12).bernoulli(sample[size], 0.5)),
              std::vector<double>(all.begin(), all.begin() + size));
  }
}

TEST(bernoulli, is_true_with_its_probability) {
  expect_mean(RandomStream(12).bernoulli(sample[many], 0.3), itself, 0.3);
  EXPECT_THAT(numbers(RandomStream(12).bernoulli(sample[100], 0)), Each(0));
  EXPECT_THAT(numbers(RandomStream(12).bernoulli(sample[100], 1)), Each(1));
  EXPECT_EQ(RandomStream(12).bernoulli(a[2], 0.5).type(), boolean);
}

TEST(permutation, has_every_position_once) {
  const Array draw = RandomStream(13).permutation(sample[1'000]);
  EXPECT_EQ(draw.type(), int64);
  const auto all = numbers(draw);
  EXPECT_EQ(std::set<double>(all.begin(), all.end()).size(), 1'000);
  EXPECT_FALSE(std::ranges::is_sorted(all));
}

TEST(permutation, has_every_order_equally_often) {
  std::map<std::vector<double>, int> orders;
  for (std::uint64_t seed = 0; seed < 6'000; ++seed) {
    ++orders[numbers(RandomStream(seed).permutation(a[3]))];
  }
  EXPECT_EQ(orders.size(), 6);
  double chi_squared = 0;
  for (const auto& [order, count] : orders)
    chi_squared += (count - 1000.0) * (count - 1000.0) / 1000;
  EXPECT_LT(chi_squared, 32);  // five degrees of freedom
}

TEST(random, of_an_empty_shape_is_empty) {
  EXPECT_EQ(RandomStream(1).normal(a[0] * b[3], 0, 1, float32).volume(), 0);
  EXPECT_EQ(RandomStream(1).permutation(a[0]).volume(), 0);
}

}  // namespace
}  // namespace axial
