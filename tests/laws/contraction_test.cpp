// The laws of contraction in section 3.4 of the paper, with their side conditions, on random shapes.
#include <gtest/gtest.h>

#include "axial/axial.hpp"
#include "support/generator.hpp"
#include "support/tolerance.hpp"

namespace axial {
namespace {

using support::close_to;
using support::for_each_seed;
using support::Generator;

constexpr int seeds = 100;

/// A tensor with all of `own` and some of `optional`, sizes as in `sizes`.
Tensor factor(Generator& generator, const Shape& sizes, const Axes& own, const Axes& optional) {
  const Axes axes = own & generator.subset(optional);
  return generator.tensor(restrict(sizes, generator.subset(axes, 1)));
}

const Axis a("a"), b("b"), c("c"), d("d");

TEST(contraction, is_commutative) {
  for_each_seed(seeds, [](Generator& generator) {
    const Shape sizes = generator.shape(a & b & c & d);
    const Axes over = generator.subset(a & b);
    const Tensor X = factor(generator, sizes, over, sizes.names() - over);
    const Tensor Y = factor(generator, sizes, over, sizes.names() - over);
    EXPECT_TRUE(close_to(dot(over, X, Y), dot(over, Y, X), restrict(sizes, over).volume(), 4 * 49));
  });
}

TEST(contraction, is_the_sum_of_the_product) {
  for_each_seed(seeds, [](Generator& generator) {
    const Shape sizes = generator.shape(a & b & c & d);
    const Axes over = generator.subset(a & b);
    const Tensor X = factor(generator, sizes, over, sizes.names() - over);
    const Tensor Y = factor(generator, sizes, over, sizes.names() - over);
    const std::int64_t terms = restrict(sizes, over).volume();
    EXPECT_TRUE(close_to(dot(over, X, Y), sum(over, X * Y), terms, 4 * 49));
    EXPECT_TRUE(close_to(X * over * Y, sum(over, X * Y), terms, 4 * 49));
  });
}

TEST(contraction, of_three_is_the_sum_of_the_product) {
  for_each_seed(seeds, [](Generator& generator) {
    const Shape sizes = generator.shape(a & b & c & d);
    const Axes over = generator.subset(a & b);
    // The axes need to be in one of the factors only.
    const Tensor X = factor(generator, sizes, over, sizes.names() - over);
    const Tensor Y = factor(generator, sizes, {}, sizes.names());
    const Tensor Z = factor(generator, sizes, {}, sizes.names());
    const std::int64_t terms = restrict(sizes, over).volume();
    EXPECT_TRUE(close_to(dot(over, X, Y, Z), sum(over, X * Y * Z), 2 * terms, 8 * 49));
  });
}

TEST(contraction, over_several_axes_is_one_over_each) {
  for_each_seed(seeds, [](Generator& generator) {
    const Shape sizes = generator.shape(a & b & c & d);
    const Tensor X = factor(generator, sizes, a & b, c & d);
    const Tensor Y = factor(generator, sizes, a & b, c & d);
    EXPECT_TRUE(close_to(dot(a & b, X, Y), sum(b, dot(a, X, Y)), 98, 4 * 49));
    EXPECT_TRUE(close_to(dot(a & b, X, Y), dot(b & a, X, Y), 98, 4 * 49));
  });
}

/// X, Y and Z to which the associative-like law applies, and the sets of axes in it.
struct Triple {
  Axes S, T, U;
  Tensor X, Y, Z;

  explicit Triple(Generator& generator) : Triple(generator, named("s"), named("t"), named("u")) {}

  /// Without T, as the special case says.
  static Triple special(Generator& generator) { return {generator, named("s"), {}, named("u")}; }

 private:
  Triple(Generator& generator, const Axes& s, const Axes& t, const Axes& u)
      : S(generator.subset(s)), T(generator.subset(t)), U(generator.subset(u)) {
    const Shape sizes = generator.shape(s & t & u & c & d);
    // S is in X and Y, not in Z; U is in Y and Z, not in X; T is in X and Z, perhaps in Y.
    X = factor(generator, sizes, S & T, c & d);
    Y = factor(generator, sizes, S & U, T & c & d);
    Z = factor(generator, sizes, T & U, c & d);
  }
  static Axes named(const std::string& letter) { return Axis(letter + "1") & Axis(letter + "2"); }
};

constexpr int terms = 2 * 7 * 7 * 7 * 7;
constexpr double magnitude = 8.0 * 7 * 7 * 7 * 7;

TEST(contraction, obeys_the_associative_like_law) {
  for_each_seed(seeds, [](Generator& generator) {
    const Triple triple(generator);
    const auto& [S, T, U, X, Y, Z] = triple;
    EXPECT_TRUE(
        close_to(dot(S & T, X, dot(U, Y, Z)), dot(T & U, dot(S, X, Y), Z), terms, magnitude));
  });
}

TEST(contraction, obeys_the_special_case_of_the_associative_like_law) {
  for_each_seed(seeds, [](Generator& generator) {
    const Triple triple = Triple::special(generator);
    const auto& [S, T, U, X, Y, Z] = triple;
    EXPECT_TRUE(T.empty());
    EXPECT_TRUE(close_to(dot(S, X, dot(U, Y, Z)), dot(U, dot(S, X, Y), Z), terms, magnitude));
  });
}

TEST(contraction, needs_the_condition_that_the_first_axes_are_not_in_the_last_factor) {
  // S = {a} is in Z: on the left a is summed once over all three, on the right Z keeps it.
  const Tensor X = tensor(a[2], {1, 2}, float64), Y = tensor(a[2] * b[2], {1, 0, 0, 1}, float64);
  const Tensor Z = tensor(a[2] * b[2], {1, 1, 1, 5}, float64);
  EXPECT_TRUE(close_to(dot(a, X, dot(b, Y, Z)), Shape{}, {1 * 1 + 2 * 5}));
  EXPECT_TRUE(close_to(dot(b, dot(a, X, Y), Z), a[2], {1 + 2, 1 + 2 * 5}));
}

TEST(contraction, needs_the_condition_that_the_last_axes_are_not_in_the_first_factor) {
  // U = {b} is in X: on the left X keeps it, on the right it is summed over all three.
  const Tensor X = tensor(a[2] * b[2], {1, 1, 1, 5}, float64);
  const Tensor Y = tensor(a[2] * b[2], {1, 0, 0, 1}, float64), Z = tensor(b[2], {1, 2}, float64);
  EXPECT_TRUE(close_to(dot(a, X, dot(b, Y, Z)), b[2], {1 * 1 + 1 * 2, 1 * 1 + 5 * 2}));
  EXPECT_TRUE(close_to(dot(b, dot(a, X, Y), Z), Shape{}, {1 * 1 + 5 * 2}));
}

TEST(contraction, is_not_associative) {
  const Tensor x = tensor(a[2], {1, 2}, float64), y = tensor(a[2], {3, 4}, float64);
  const Tensor z = tensor(a[2], {5, 6}, float64);
  EXPECT_TRUE(close_to(dot(a, x, y) * z, a[2], {11 * 5, 11 * 6}));
  EXPECT_TRUE(close_to(x * dot(a, y, z), a[2], {1 * 39, 2 * 39}));
}

TEST(contraction, distributes_over_addition) {
  for_each_seed(seeds, [](Generator& generator) {
    const Shape sizes = generator.shape(a & b & c & d);
    const Tensor X = factor(generator, sizes, a, b & c & d),
                 Y = factor(generator, sizes, a, b & c & d);
    const Tensor Z = factor(generator, sizes, a, b & c & d);
    EXPECT_TRUE(close_to(dot(a, X, Y + Z), dot(a, X, Y) + dot(a, X, Z), 21, 8 * 7));
  });
}

}  // namespace
}  // namespace axial
