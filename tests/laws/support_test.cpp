// The helpers of the laws: that they fail where they should, and say how to fail again.
#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>

#include "axial/axial.hpp"
#include "support/block.hpp"
#include "support/generator.hpp"
#include "support/lifting.hpp"
#include "support/tolerance.hpp"

namespace axial {
namespace {

using support::Block;
using support::close_to;
using support::for_each_seed;
using support::Generator;
using support::ignores_layout;
using support::lifts;
using support::same;
using support::tolerance;

const Axis a("a"), b("b");

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// Runs with AXIAL_SEED set to a value, or not set.
class Environment {
 public:
  explicit Environment(const char* seed) {
    if (const char* old = std::getenv(name)) before_ = old;
    seed != nullptr ? setenv(name, seed, 1) : unsetenv(name);
  }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;
  ~Environment() { before_ ? setenv(name, before_->c_str(), 1) : unsetenv(name); }

 private:
  static constexpr const char* name = "AXIAL_SEED";
  std::optional<std::string> before_;
};

TEST(seeds, are_tried_one_after_the_other) {
  const Environment environment(nullptr);
  std::vector<std::uint64_t> tried;
  for_each_seed(3, [&](Generator& generator) { tried.push_back(generator.seed()); });
  EXPECT_EQ(tried, (std::vector<std::uint64_t>{1, 2, 3}));
}

TEST(seeds, can_be_chosen) {
  const Environment environment("17");
  std::vector<std::uint64_t> tried;
  for_each_seed(3, [&](Generator& generator) { tried.push_back(generator.seed()); });
  EXPECT_EQ(tried, std::vector<std::uint64_t>{17});
}

TEST(seeds, that_fail_are_named_with_the_line_that_runs_them) {
  const Environment environment("17");
  EXPECT_NONFATAL_FAILURE(for_each_seed(3, [](Generator&) { ADD_FAILURE(); }), "AXIAL_SEED=17");
  EXPECT_NONFATAL_FAILURE(for_each_seed(3, [](Generator&) { ADD_FAILURE(); }),
                          "--gtest_filter=seeds.that_fail_are_named_with_the_line_that_runs_them");
  EXPECT_NONFATAL_FAILURE(
      for_each_seed(3, [](Generator&) { throw std::runtime_error("unforeseen"); }), "unforeseen");
}

TEST(generator, gives_the_same_choices_for_the_same_seed) {
  Generator first(5), second(5), other(6);
  const Tensor X = first.tensor(first.shape(a & b)), Y = second.tensor(second.shape(a & b));
  EXPECT_TRUE(same(X, Y));
  EXPECT_NE(first.real(0, 1), other.real(0, 1));
}

TEST(tolerance, follows_from_element_type_terms_and_magnitude) {
  EXPECT_EQ(tolerance(int64, 100, 1000), 0);
  EXPECT_EQ(tolerance(float64, 4, 1), 8 * std::numeric_limits<double>::epsilon());
  EXPECT_EQ(tolerance(float32, 4, 10), 80 * std::numeric_limits<float>::epsilon());
}

TEST(closeness, sees_other_elements_shapes_and_element_types) {
  const Tensor X = tensor(a[2], {1, 2}, float64);
  EXPECT_TRUE(close_to(X, a[2], {1, 2}));
  EXPECT_TRUE(close_to(X, a[2], {1 + 1e-16, 2}));
  EXPECT_FALSE(close_to(X, a[2], {1 + 1e-12, 2}));
  EXPECT_FALSE(close_to(X, b[2], {1, 2}));
  EXPECT_FALSE(close_to(X, a[2] * b[1], {1, 2}));
  EXPECT_FALSE(close_to(X, to(float32, X)));
  EXPECT_FALSE(close_to(tensor(a[2], {not_a_number, 2.0}, float64), X));
  EXPECT_FALSE(close_to(X, tensor(a[2], {not_a_number, 2.0}, float64)));
  EXPECT_FALSE(close_to(tensor(a[2], {infinity, 2.0}, float64), X));
}

TEST(sameness, sees_the_last_bit) {
  const Tensor X = tensor(a[1], {1.0}, float64);
  EXPECT_TRUE(same(X, X + 0));
  EXPECT_FALSE(same(X, X + std::numeric_limits<double>::epsilon()));
}

TEST(lifts, is_false_for_a_function_that_mixes_slices) {
  Generator generator(1);
  const Tensor X = generator.tensor(a[2] * b[3]);
  const auto mixes = [](const std::vector<Tensor>& x) {
    return x[0].shape().contains(b) ? x[0] - mean(b, x[0]) : x[0];
  };
  EXPECT_FALSE(lifts(mixes, {X}, {a}));
  EXPECT_TRUE(lifts(mixes, {X}, {a & b}));
}

TEST(ignores_layout, is_false_for_a_function_that_looks_at_it) {
  Generator generator(1);
  const Tensor X = generator.tensor(a[2] * b[3]);
  const auto looks = [](const std::vector<Tensor>& x) {
    return Tensor(x[0].array().reinterpreted(Axis("flat")[6]));
  };
  EXPECT_FALSE(ignores_layout(looks, {X}));
}

TEST(block, has_the_last_position_varying_fastest) {
  Block block({2, 3});
  block(1, 0) = 4;
  EXPECT_EQ(block.values(), (std::vector<double>{0, 0, 0, 4, 0, 0}));
  EXPECT_EQ((block.tensor(a & b)[a(1), b(0)].item()), 4);
}

}  // namespace
}  // namespace axial
