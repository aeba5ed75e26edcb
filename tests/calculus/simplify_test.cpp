// Simplification keeps the value, ends in a fixed point, and leads shuffled expressions to one form.
#include "axial/calculus/simplify.hpp"

#include <gtest/gtest.h>

#include "axial/axial.hpp"
#include "axial/calculus/fingerprint.hpp"
#include "axial/expr/lambda.hpp"
#include "axial/expr/traverse.hpp"
#include "calculus/agreement.hpp"
#include "support/generator.hpp"
#include "support/random_expression.hpp"

namespace axial::calculus {
namespace {

using support::for_each_seed;
using support::Generator;
using support::random_expression;

const Axis a("a"), b("b"), c("c");

Fingerprint print(const Expr& expression) {
  Fingerprints prints;
  return prints(expression);
}

bool has_delta(const Expr& expression) {
  const auto nodes = expr::post_order({&expression, 1});
  return std::ranges::any_of(nodes, [](const Expr& node) { return node.as<expr::Delta>(); });
}

Expr simplified_by_default(const Expr& expression) { return simplified(expression); }
Expr simplified_without_deltas(const Expr& expression) { return without_deltas(expression); }

TEST(simplification, keeps_the_value) {
  for_each_seed(150, [](Generator& generator) {
    const Expr expression = random_expression(generator, {.smooth = true});
    const Expr simple = simplified(expression);
    EXPECT_EQ(simple.type(), expression.type());
    EXPECT_TRUE(agree(Tensor(simple), Tensor(expression), 1e-8));
  });
}

TEST(simplification, is_a_fixed_point) {
  for_each_seed(100, [](Generator& generator) {
    const Expr simple = simplified(random_expression(generator, {.smooth = true}));
    EXPECT_EQ(print(simplified(simple)), print(simple));
  });
}

TEST(simplification, without_algebra_keeps_every_bit_of_expressions_without_identities) {
  for_each_seed(100, [](Generator& generator) {
    const Expr expression = random_expression(generator);
    if (has_delta(expression)) return;
    EXPECT_EQ(Tensor(without_deltas(expression)).values(expression.shape().names()),
              Tensor(expression).values(expression.shape().names()));
  });
}

/// The expression with the operands of sums, products and contractions in random order.
Expr shuffled(Generator& generator, const Expr& expression) {
  return expr::rewrite({&expression, 1}, [&](const Expr& node, std::vector<Expr> operands) {
    const auto* map = node.as<expr::Map>();
    const bool commutes =
        node.as<expr::Contract>() != nullptr ||
        (map != nullptr && (map->word->name == "add" || map->word->name == "mul"));
    if (commutes) operands = generator.shuffled(operands);
    return expr::with_operands(node, std::move(operands));
  })[0];
}

TEST(simplification, gives_one_form_for_shuffled_factors_and_terms) {
  for_each_seed(100, [](Generator& generator) {
    const Expr expression = random_expression(generator, {.smooth = true});
    EXPECT_EQ(print(simplified(shuffled(generator, expression))), print(simplified(expression)));
  });
}

TEST(simplification, sums_a_softmax_whose_axes_were_swapped) {
  const Tensor x = Random(1).normal(a[3] * b[3], 0, 1, float64);
  const Tensor swapped = softmax(a, x)[a >> b, b >> a];
  const Tensor y = swapped * b * (Random(2).normal(a[3] * b[3], 0, 1, float64) + 1);
  EXPECT_TRUE(agree(Tensor(simplified(y.expression())), y, 1e-12));
}

TEST(identities, that_are_contracted_become_renames) {
  const Tensor x = Random(1).normal(a[3] * c[2]), eye = identity(a[3], b);
  const Expr simple = without_deltas((x * a * eye).expression());
  EXPECT_FALSE(has_delta(simple));
  EXPECT_TRUE(simple.as<expr::Rename>());
  EXPECT_EQ(Tensor(simple).values(b & c), x.values(a & c));
}

TEST(identities, that_meet_themselves_are_one) {
  const Tensor x = Random(1).normal(a[3] * c[2]), eye = identity(a[3], b);
  const Tensor trace = dot(a & b, eye, eye);
  const Tensor total = dot(a & b, x, eye, identity(b[3], a));
  for (const auto& simplify : {simplified_by_default, simplified_without_deltas}) {
    EXPECT_FALSE(has_delta(simplify(trace.expression())));
    EXPECT_EQ(Tensor(simplify(trace.expression())).item(), 3);
    const Expr simple = simplify(total.expression());
    EXPECT_FALSE(has_delta(simple));
    EXPECT_TRUE(agree(Tensor(simple), sum(a, x), 1e-6));
  }
}

}  // namespace
}  // namespace axial::calculus
