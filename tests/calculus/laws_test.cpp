// Laws of differentials, transposes and derivatives on random expressions over every kind of node.
#include <gtest/gtest.h>

#include <cmath>

#include "axial/axial.hpp"
#include "axial/calculus/derivative.hpp"
#include "axial/calculus/differential.hpp"
#include "axial/calculus/transpose.hpp"
#include "axial/expr/lambda.hpp"
#include "axial/expr/traverse.hpp"
#include "calculus/agreement.hpp"
#include "support/generator.hpp"
#include "support/random_expression.hpp"

namespace axial {
namespace {

using support::for_each_seed;
using support::Generator;
using support::random_expression;

const Axis a("a"), b("b");

/// A random function of a random point: Y is computed from X.
struct Sample {
  Tensor x, y;

  explicit Sample(Generator& generator, support::ExpressionOptions options = {})
      : x(generator.tensor(generator.shape(a & b, options.sizes))) {
    options.smooth = true;
    options.variables = {x.expression()};
    y = Tensor(random_expression(generator, options));
  }
  /// Y at another point.
  Tensor at(const Tensor& point) const {
    return Tensor(
        expr::substitute(y.expression(), {{x.expression().identity(), point.expression()}}));
  }
};

/// The directional derivative by central differences of two steps (Richardson), and how far it may
/// be off: the difference between the two steps' results.
std::pair<Tensor, double> slope(const std::function<Tensor(double)>& at) {
  const auto central = [&](double h) { return (at(h) - at(-h)) / (2 * h); };
  const Tensor coarse = central(2e-4), fine = central(1e-4);
  const Tensor better = (4 * fine - coarse) / 3;
  return {better, 10 * largest(fine - coarse) + 1e-7 * (1 + largest(better))};
}

void differentials_are_the_slopes_along_the_increment(int seeds) {
  for_each_seed(seeds, [](Generator& generator) {
    const Sample sample(generator);
    const Tensor h = generator.tensor(sample.x.shape());
    const auto [expected, allowed] = slope([&](double t) { return sample.at(sample.x + t * h); });
    const Tensor found = differential(sample.y, sample.x, h);
    EXPECT_EQ(found.shape(), sample.y.shape());
    EXPECT_LE(largest(found - expected), allowed);
  });
}

TEST(differentials, are_the_slopes_along_the_increment) {
  differentials_are_the_slopes_along_the_increment(60);
}
TEST(slow_differentials, are_the_slopes_along_the_increment) {
  differentials_are_the_slopes_along_the_increment(200);
}

TEST(differentials, are_linear_in_the_increment) {
  for_each_seed(30, [](Generator& generator) {
    const Sample sample(generator);
    const Tensor g = generator.tensor(sample.x.shape()), h = generator.tensor(sample.x.shape());
    const auto d = [&](const Tensor& increment) {
      return differential(sample.y, sample.x, increment);
    };
    EXPECT_TRUE(agree(d(2 * g - 3 * h), 2 * d(g) - 3 * d(h)));
  });
}

void transposition_keeps_inner_products(int seeds) {
  for_each_seed(seeds, [](Generator& generator) {
    const Sample sample(generator);
    const Tensor h = generator.tensor(sample.x.shape()), w = generator.tensor(sample.y.shape());
    const Tensor forward = dot(sample.y.shape().names(), w, differential(sample.y, sample.x, h));
    const Tensor loss = dot(sample.y.shape().names(), w, sample.y);
    const Tensor backward = gradient(loss, sample.x);
    EXPECT_EQ(backward.shape(), sample.x.shape());
    EXPECT_NEAR(inner(backward, h), forward.item(),
                1e-9 * (1 + std::abs(forward.item()) + largest(backward)));
  });
}

TEST(transposition, keeps_inner_products) { transposition_keeps_inner_products(60); }
TEST(slow_transposition, keeps_inner_products) { transposition_keeps_inner_products(400); }

void derivatives_contracted_with_an_increment_are_differentials(int seeds) {
  for_each_seed(seeds, [](Generator& generator) {
    const Sample sample(generator, {.max_volume = 60});
    const Tensor h = generator.tensor(sample.x.shape());
    const Tensor d = derivative(sample.y, sample.x);
    Tensor starred = h;
    std::vector<Axis> stars;
    for (const auto& [from, to] : calculus::derivative_axes(sample.y.shape(), sample.x.shape())) {
      starred = starred[from >> to];
      stars.push_back(to);
    }
    EXPECT_TRUE(agree(dot(Axes(stars), d, starred), differential(sample.y, sample.x, h)));
  });
}

TEST(derivatives, contracted_with_an_increment_are_differentials) {
  derivatives_contracted_with_an_increment_are_differentials(40);
}
TEST(slow_derivatives, contracted_with_an_increment_are_differentials) {
  derivatives_contracted_with_an_increment_are_differentials(300);
}

void derivatives_of_second_and_third_order_agree_on_every_path(int seeds) {
  for_each_seed(seeds, [](Generator& generator) {
    const Sample sample(generator, {.operations = 7, .sizes = {1, 2, 3}, .max_volume = 20});
    const Tensor w = generator.tensor(sample.y.shape());
    const Tensor loss = dot(sample.y.shape().names(), w, sample.y);
    const Tensor h = generator.tensor(sample.x.shape());
    const auto along = [&](const Tensor& t) { return differential(t, sample.x, h); };
    const auto backward = [&](const Tensor& t) {
      return dot(h.shape().names(), gradient(t, sample.x), h);
    };
    const Tensor once = along(loss), twice = along(once);
    EXPECT_NEAR(twice.item(), backward(once).item(), 1e-8 * (1 + std::abs(twice.item())));
    EXPECT_NEAR(twice.item(), along(backward(loss)).item(), 1e-8 * (1 + std::abs(twice.item())));
    const Tensor thrice = along(twice);
    EXPECT_NEAR(thrice.item(), backward(backward(backward(loss))).item(),
                1e-7 * (1 + std::abs(thrice.item())));
    const auto [expected, allowed] = slope([&](double t) {
      const Tensor point = detached(sample.x + t * h);
      const Tensor there = dot(sample.y.shape().names(), w, sample.at(point));
      return differential(differential(there, point, h), point, h);
    });
    EXPECT_LE(largest(thrice - expected), allowed);
  });
}

TEST(derivatives, of_second_and_third_order_agree_on_every_path) {
  derivatives_of_second_and_third_order_agree_on_every_path(12);
}
TEST(slow_derivatives, of_second_and_third_order_agree_on_every_path) {
  derivatives_of_second_and_third_order_agree_on_every_path(50);
}

/// A network of that many layers, with the gradients of its loss by all weights.
std::pair<std::size_t, std::size_t> nodes_of_network(int layers) {
  Random random(1);
  const Tensor x = random.normal(a[2], 0, 1, float64);
  std::vector<Tensor> weights;
  Tensor h = x;
  for (int k = 0; k < layers; ++k) {
    weights.push_back(random.normal(a[2] * b[2], 0, 0.5, float64));
    h = tanh((weights.back() * a * h)[b >> a] + x);
  }
  const Tensor loss = sum(a, h * h);
  std::vector<expr::Expr> roots{loss.expression()};
  const std::size_t forward = expr::post_order(roots).size();
  for (const Tensor& gradient : gradients(loss, weights)) roots.push_back(gradient.expression());
  return {forward, expr::post_order(roots).size()};
}

TEST(gradients, of_deep_networks_are_a_small_multiple_of_the_network) {
  for (const int layers : {10, 100, 1000}) {
    const auto [forward, both] = nodes_of_network(layers);
    EXPECT_LE(both, 4 * forward) << layers << " layers";
  }
}

TEST(derivatives, take_the_shortest_formula) {
  const Tensor x = detached(Random(1).normal(a[5], 0, 1, float64));
  const Tensor y = sum(a, x * x) + sum(a, x * x);
  const Tensor shortest = 4 * x[a >> a.star()];
  EXPECT_TRUE(agree(derivative(y, x), shortest, 1e-12));
  EXPECT_LE(calculus::cost(derivative(y, x).expression()), calculus::cost(shortest.expression()));
}

TEST(recurrences, inside_each_other_have_the_gradient_of_a_single_one) {
  const Axis time("time"), outer("outer"), inner("inner");
  Random random(1);
  const Tensor x = detached(random.normal(time[6] * a[2], 0, 1, float64));
  const auto step = [](Tensor state, Tensor input) { return tanh(state * 0.5 + input); };
  const Tensor start = zeros(a[2], float64);
  const Tensor flat = scan(time, start, x, step)[time(5)];
  const Tensor nested =
      scan(outer, start, x[time >> (outer[3] & inner)], [&](Tensor state, Tensor inputs) {
        return scan(inner, state, inputs, step)[inner(1)];
      })[outer(2)];
  EXPECT_TRUE(agree(nested, flat, 1e-12));
  EXPECT_TRUE(agree(gradient(sum(a, nested), x), gradient(sum(a, flat), x), 1e-12));
}

}  // namespace
}  // namespace axial
