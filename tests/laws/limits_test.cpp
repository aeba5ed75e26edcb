// Laws at the edges: many axes, empty axes, long chains of lazy operations, and tensors with more
// elements than 32 bits can count.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "axial/axial.hpp"
#include "support/generator.hpp"
#include "support/tolerance.hpp"

namespace axial {
namespace {

using support::close_to;
using support::Generator;
using support::same;

const Axis a("a"), b("b"), c("c"), d("d");

/// Forty axes, of sizes 1 and 2; `doubled` of them have size 2.
Shape forty_axes(Generator& generator, int doubled) {
  std::vector<SizedAxis> axes;
  for (int k = 0; k < 40; ++k) axes.push_back(Axis(fmt::format("axis{}", k))[k < doubled ? 2 : 1]);
  return Shape(generator.shuffled(std::move(axes)));
}

TEST(forty_axes, can_be_on_one_tensor) {
  Generator generator(1);
  const Shape shape = forty_axes(generator, 10);
  const Tensor X = generator.tensor(shape);
  EXPECT_EQ(X.shape().order(), 40);
  double total = 0;
  for (const double element : X.values(shape.names())) total += element;
  EXPECT_TRUE(close_to(sum(shape.names(), X), Shape{}, {total}, 1024, 2048));
}

TEST(forty_axes, can_be_indexed_renamed_reshaped_and_contracted) {
  Generator generator(2);
  const Shape shape = forty_axes(generator, 10);
  const Tensor X = generator.tensor(shape);
  const Axes names = shape.names();
  const Tensor flat = X[names >> a];
  EXPECT_TRUE(close_to(flat, a[1024], X.values(names), 0));
  Tensor element = X;
  for (const SizedAxis& axis : shape.written()) element = element[axis.axis(axis.size - 1)];
  EXPECT_EQ(element.item(), flat[a(1023)].item());
  EXPECT_TRUE(close_to(dot(names, X, X), dot(a, flat, flat), 1024, 4096));
  EXPECT_TRUE(same(X[names[0] >> a][a >> names[0]], X));
}

TEST(forty_axes, can_come_from_broadcasting_forty_vectors) {
  Generator generator(3);
  const Shape shape = forty_axes(generator, 12);
  Tensor product = 1.0;
  for (const SizedAxis& axis : shape.written())
    product = product * generator.tensor(axis, 0.9, 1.1);
  EXPECT_EQ(product.shape(), shape);
  EXPECT_EQ(product.values(shape.names()).size(), 4096);
}

TEST(forty_axes, can_be_printed_and_be_extra_axes_of_a_function) {
  Generator generator(4);
  const Shape shape = forty_axes(generator, 6);
  const Tensor X = generator.tensor(shape * a[3]);
  std::ostringstream text;
  text << X;
  EXPECT_FALSE(text.str().empty());
  const Function energy = function({a}, Axes{}, [](const Tensor& x) { return sum(a, x * x); });
  EXPECT_TRUE(close_to(energy(X), sum(a, X * X), 3, 12));
  EXPECT_EQ(softmax(a, X).shape(), X.shape());
}

TEST(empty_axes, sum_to_zero_and_multiply_to_one) {
  const Tensor nothing = zeros(a[0] * b[2], float64);
  EXPECT_TRUE(close_to(sum(a, nothing), b[2], {0, 0}, 0));
  EXPECT_TRUE(close_to(prod(a, nothing), b[2], {1, 1}, 0));
  EXPECT_TRUE(close_to(logsumexp(a, nothing), b[2], {-INFINITY, -INFINITY}, 0));
  EXPECT_TRUE(close_to(norm(a, nothing), b[2], {0, 0}, 0));
  EXPECT_TRUE(close_to(any(a, nothing > 0), b[2], {0, 0}, 0));
  EXPECT_TRUE(close_to(all(a, nothing > 0), b[2], {1, 1}, 0));
  EXPECT_TRUE(close_to(nothing * a * nothing, b[2], {0, 0}, 0));
}

TEST(empty_axes, reduce_to_the_neutral_element_or_an_error_for_every_reduction) {
  for (const Reduction& each : reductions) {
    SCOPED_TRACE(each.name);
    const ElementType type = accepts(each.combine->takes, float64) ? float64 : boolean;
    const Tensor nothing = zeros(a[0], type);
    if (each.allows_empty) {
      EXPECT_EQ(plain::reduce(each, a, nothing).item(), each.real_start);
      continue;
    }
    try {
      plain::reduce(each, a, nothing);
      ADD_FAILURE() << "an empty axis was reduced";
    } catch (const Error& error) {
      EXPECT_EQ(error.code().name, "empty-axis");
      EXPECT_NE(std::string(error.what()).find("`a`"), std::string::npos);
    }
  }
}

TEST(empty_axes, have_no_mean_but_stay_harmless) {
  const Tensor nothing = zeros(a[0] * b[2], float64);
  EXPECT_TRUE(close_to(mean(a, nothing), b[2], {NAN, NAN}, 0));
  EXPECT_EQ((nothing + 1).shape(), a[0] * b[2]);
  EXPECT_EQ(sum(b, nothing).shape(), Shape(a[0]));
  EXPECT_EQ(max(b, nothing).values(a).size(), 0);
  EXPECT_EQ(sort(a, nothing).shape(), nothing.shape());
  EXPECT_EQ(cumsum(a, nothing).shape(), nothing.shape());
}

TEST(empty_axes, of_a_softmax_give_an_empty_distribution) {
  // exp X / Σ exp X has a meaning where there is no element: no quotient is ever formed.
  const Tensor nothing = zeros(a[0] * b[2], float64);
  EXPECT_EQ(softmax(a, nothing).shape(), nothing.shape());
  EXPECT_EQ(log_softmax(a, nothing).values(a & b).size(), 0);
}

TEST(empty_axes, can_be_renamed_reshaped_sliced_and_concatenated) {
  const Tensor nothing = zeros(a[0] * b[2], float64), some = ones(a[3] * b[2], float64);
  EXPECT_EQ(nothing[a >> c].shape(), c[0] * b[2]);
  EXPECT_EQ(nothing[(a & b) >> c].shape(), Shape(c[0]));
  EXPECT_TRUE(same(concat(a, nothing, some), some));
  EXPECT_TRUE(same(some[a(1, 1)], nothing));
  EXPECT_EQ(reverse(a, nothing).shape(), nothing.shape());
  EXPECT_TRUE(same(pad(a, 3, 0, nothing, 1), some));
  EXPECT_EQ(index(b, nothing, iota(c[2])).shape(), a[0] * c[2]);
  EXPECT_EQ(index(b, some, iota(c[0])).shape(), a[3] * c[0]);
}

TEST(empty_axes, lift_functions_and_end_recurrences_at_once) {
  const Function energy = function({b}, Axes{}, [](const Tensor& x) { return sum(b, x * x); });
  EXPECT_EQ(energy(zeros(a[0] * b[2])).shape(), Shape(a[0]));
  const Tensor states = scan(a, zeros(b[2]), zeros(a[0] * b[2]),
                             [](const Tensor& s, const Tensor& x) { return s + x; });
  EXPECT_EQ(states.shape(), a[0] * b[2]);
  EXPECT_EQ(states.values(a & b).size(), 0);
}

constexpr int long_chain = 1'000'000;

TEST(slow_chains, of_a_million_lazy_additions_are_built_evaluated_and_destroyed) {
  Tensor total = tensor(a[2], {0, 1}, float64);
  for (int k = 0; k < long_chain; ++k) total = total + 1;
  EXPECT_TRUE(close_to(total, a[2], {1e6, 1e6 + 1}, 0));
}

TEST(slow_chains, with_shared_operands_are_evaluated_once_each) {
  Tensor doubled = tensor(Shape{}, {0.0}, float64);
  for (int k = 0; k < 200'000; ++k) doubled = (doubled + doubled) * 0.5 + 1;
  EXPECT_EQ(doubled.item(), 2e5);
}

TEST(chains, of_a_million_lazy_additions_are_destroyed_without_being_evaluated) {
  Tensor total = zeros(a[2]);
  for (int k = 0; k < long_chain; ++k) total = total + 1;
  EXPECT_EQ(total.shape(), Shape(a[2]));
}

TEST(chains, of_a_hundred_thousand_calls_are_evaluated) {
  const Function next = function({a}, a, [](const Tensor& x) { return x + 1; });
  Tensor total = zeros(a[2] * b[2], float64);
  for (int k = 0; k < 100'000; ++k) total = next(total);
  EXPECT_TRUE(close_to(total, a[2] * b[2], {1e5, 1e5, 1e5, 1e5}, 0));
}

TEST(slow_chains, inside_a_function_are_evaluated) {
  const Function many = function({a}, a, [](Tensor x) {
    for (int k = 0; k < long_chain; ++k) x = x + 1;
    return x;
  });
  EXPECT_TRUE(close_to(many(zeros(a[2] * b[1], float64)), a[2] * b[1], {1e6, 1e6}, 0));
}

constexpr std::int64_t beyond_32_bits = (std::int64_t{1} << 31) + 11;

TEST(slow_large, vectors_index_correctly_beyond_two_to_the_31) {
  const Tensor mark = tensor(a[2], std::vector<bool>{true, true});
  const Tensor X = pad(a, beyond_32_bits - 2, 1, mark, false);
  eval(X);
  EXPECT_EQ(X.size(a), beyond_32_bits + 1);
  EXPECT_EQ(X[a(beyond_32_bits - 3)].item(), 0);
  EXPECT_EQ(X[a(beyond_32_bits - 2)].item(), 1);
  EXPECT_EQ(X[a(beyond_32_bits - 1)].item(), 1);
  EXPECT_EQ(X[a(beyond_32_bits)].item(), 0);
  const Tensor positions = tensor(
      b[4], std::vector<std::int64_t>{beyond_32_bits, beyond_32_bits - 1, 0, beyond_32_bits - 2});
  EXPECT_TRUE(close_to(index(a, X, positions), b[4], {0, 1, 0, 1}, 0));
  EXPECT_TRUE(close_to(X[a(beyond_32_bits - 3, beyond_32_bits + 1)], a[4], {0, 1, 1, 0}, 0));
  EXPECT_TRUE(close_to(reverse(a, X[a(beyond_32_bits - 3, beyond_32_bits)]), a[3], {1, 1, 0}, 0));
}

TEST(slow_large, matrices_index_correctly_beyond_two_to_the_31) {
  constexpr std::int64_t rows = 50'021, columns = 50'023;
  const Tensor mark = tensor(a[1] * b[1], std::vector<bool>{true});
  const Tensor X = pad(a, rows - 2, 1, pad(b, columns - 3, 2, mark, false), false);
  eval(X);
  EXPECT_GT(X.shape().volume(), std::int64_t{1} << 31);
  EXPECT_EQ((X[a(rows - 2), b(columns - 3)].item()), 1);
  EXPECT_EQ((X[a(rows - 2), b(columns - 2)].item()), 0);
  EXPECT_EQ((X[a(rows - 1), b(columns - 3)].item()), 0);
  EXPECT_EQ((X[a >> c, b >> d][c(rows - 2), d(columns - 3)].item()), 1);
  EXPECT_TRUE(any(b, X[a(rows - 2)]));
  EXPECT_FALSE(any(b, X[a(rows - 1)]));
  EXPECT_EQ(index_of_max(b, to(int32, X[a(rows - 2)])).item(), columns - 3);
  const Tensor flat = X[(a & b) >> c];
  EXPECT_EQ(flat[c((rows - 2) * columns + columns - 3)].item(), 1);
  EXPECT_EQ(flat[c((rows - 2) * columns + columns - 4)].item(), 0);
}

TEST(slow_large, broadcasts_index_correctly_beyond_two_to_the_31) {
  constexpr std::int64_t rows = 46'349, columns = 46'351;
  const Tensor last = iota(b[columns]) == columns - 1;
  const Tensor X = broadcast(last, a[rows]);
  eval(X);
  EXPECT_GT(X.shape().volume(), std::int64_t{1} << 31);
  EXPECT_EQ((X[a(rows - 1), b(columns - 1)].item()), 1);
  EXPECT_EQ((X[a(rows - 1), b(columns - 2)].item()), 0);
  EXPECT_TRUE(all(a, X[b(columns - 1)]));
}

TEST(slow_large, reductions_pass_all_of_more_than_two_to_the_31_elements) {
  const Tensor mark = tensor(a[1], std::vector<bool>{true});
  const Tensor X = pad(a, beyond_32_bits, 0, mark, false);
  EXPECT_TRUE(any(a, X));
  EXPECT_FALSE(all(a, X));
}

TEST(large_shapes, are_counted_without_being_held) {
  const Tensor X = broadcast(iota(a[3]), b[std::int64_t{1} << 40]);
  EXPECT_EQ(X.shape().volume(), 3 * (std::int64_t{1} << 40));
  EXPECT_EQ(X.size(b), std::int64_t{1} << 40);
}

}  // namespace
}  // namespace axial
