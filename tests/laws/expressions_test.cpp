// Laws about expressions as such, on random ones over every kind of node.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "axial/api/evaluate.hpp"
#include "axial/expr/lambda.hpp"
#include "axial/expr/program.hpp"
#include "axial/expr/traverse.hpp"
#include "axial/plan/engine.hpp"
#include "axial/reference/evaluate.hpp"
#include "support/bounded.hpp"
#include "support/generator.hpp"
#include "support/random_expression.hpp"
#include "support/tolerance.hpp"

namespace axial {
namespace {

using support::for_each_seed;
using support::Generator;
using support::random_expression;
using support::same;

Tensor value(const expr::Expr& expression) { return Tensor(reference::evaluate(expression)); }

std::string structure(const expr::Expr& expression) {
  return to_text(expr::linearize({&expression, 1}).program);
}

/// The kinds of all nodes, those in the bodies of functions too.
void collect_kinds(const expr::Expr& root, std::set<std::size_t>& kinds) {
  for (const expr::Expr& node : expr::post_order({&root, 1})) {
    kinds.insert(node.kind().index());
    if (const auto* call = node.as<expr::Call>()) collect_kinds(call->function->body, kinds);
    if (const auto* scan = node.as<expr::Scan>()) collect_kinds(scan->step->body, kinds);
  }
}

bool all_smooth(const expr::Expr& root);

bool has_calls(const expr::Expr& root) {
  for (const expr::Expr& node : expr::post_order({&root, 1})) {
    if (node.as<expr::Call>()) return true;
    if (const auto* scan = node.as<expr::Scan>(); scan && has_calls(scan->step->body)) return true;
  }
  return false;
}

TEST(random_expressions, have_every_kind_of_node) {
  std::set<std::size_t> kinds;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    Generator generator(seed);
    collect_kinds(random_expression(generator), kinds);
  }
  EXPECT_EQ(kinds.size(), std::variant_size_v<expr::Kind>);
}

TEST(random_expressions, have_finite_real_elements) {
  for_each_seed(300, [](Generator& generator) {
    const expr::Expr expression = random_expression(generator);
    EXPECT_EQ(expression.element(), float64);
    EXPECT_FALSE(expression.is_open());
    const Array array = reference::evaluate(expression);
    for (const double element : array.elements<double>()) ASSERT_TRUE(std::isfinite(element));
  });
}

TEST(random_expressions, follow_from_the_seed) {
  for_each_seed(50, [](Generator& generator) {
    Generator again(generator.seed());
    const expr::Expr first = random_expression(generator), second = random_expression(again);
    EXPECT_EQ(structure(first), structure(second));
    EXPECT_TRUE(same(value(first), value(second)));
  });
}

TEST(random_expressions, contain_the_variables_and_have_the_shape_asked_for) {
  const Axis a("a"), b("b");
  for_each_seed(100, [&](Generator& generator) {
    const expr::Expr x = expr::make(expr::Parameter{"x", {a[2] * b[3], float64}});
    const expr::Expr y = expr::make(expr::Parameter{"y", {a[3], float64}});
    const expr::Expr expression = random_expression(
        generator, {.smooth = true, .variables = {x, y}, .shape = Shape(a[5] * b[2])});
    EXPECT_EQ(expression.shape(), a[5] * b[2]);
    std::set<const expr::Node*> found;
    for (const expr::Expr& node : expr::post_order({&expression, 1})) found.insert(node.identity());
    EXPECT_TRUE(found.contains(x.identity()) && found.contains(y.identity()));
  });
}

/// True if a node is continuously differentiable in its operands.
bool is_smooth(const expr::Expr& node) {
  if (const auto* map = node.as<expr::Map>()) return support::is_smooth(*map->word);
  if (const auto* reduce = node.as<expr::Reduce>())
    return support::is_smooth(*reduce->word->combine);
  if (const auto* along = node.as<expr::Along>()) return along->word->gives == Gives::same;
  if (const auto* cast = node.as<expr::Cast>()) return cast->element == float64;
  if (node.as<expr::Index>()) return node.operands()[1].operands().empty();
  if (const auto* call = node.as<expr::Call>()) return all_smooth(call->function->body);
  if (const auto* scan = node.as<expr::Scan>()) return all_smooth(scan->step->body);
  return true;
}

bool all_smooth(const expr::Expr& root) {
  return std::ranges::all_of(expr::post_order({&root, 1}), is_smooth);
}

TEST(random_expressions, are_smooth_if_asked) {
  for_each_seed(200, [](Generator& generator) {
    EXPECT_TRUE(all_smooth(random_expression(generator, {.smooth = true})));
  });
}

TEST(random_expressions, have_no_functions_if_asked) {
  for_each_seed(100, [](Generator& generator) {
    const expr::Expr expression = random_expression(generator, {.functions = false});
    for (const expr::Expr& node : expr::post_order({&expression, 1})) {
      EXPECT_FALSE(node.as<expr::Call>() || node.as<expr::Scan>());
    }
  });
}

TEST(calls, mean_slicing_and_inlining_alike) {
  for_each_seed(600, [](Generator& generator) {
    const expr::Expr expression = random_expression(generator);
    const expr::Expr inlined = expr::without_calls(expression);
    EXPECT_FALSE(has_calls(inlined));
    EXPECT_EQ(inlined.type(), expression.type());
    EXPECT_TRUE(same(value(inlined), value(expression)));
  });
}

TEST(calls, stay_shared_when_they_are_inlined) {
  for_each_seed(50, [](Generator& generator) {
    const expr::Expr shared = random_expression(generator);
    const expr::Expr negative = expr::make(expr::Map{&word("neg")}, {shared});
    const expr::Expr roots[] = {shared, negative};
    const std::vector<expr::Expr> inlined = expr::without_calls(roots);
    EXPECT_EQ(inlined[1].operands()[0].identity(), inlined[0].identity());
  });
}

TEST(calls, are_gone_after_inlining_once) {
  for_each_seed(200, [](Generator& generator) {
    const expr::Expr inlined = expr::without_calls(random_expression(generator));
    EXPECT_EQ(structure(expr::without_calls(inlined)), structure(inlined));
  });
}

/// So small that no generated code computes it, and the reference evaluator's bits are kept.
expr::Expr small_expression(Generator& generator) {
  constexpr double little = 4000;
  while (true) {
    const expr::Expr expression = random_expression(generator, {.max_volume = 60});
    const expr::Expr plain = expr::without_calls(expression);
    if (plan::work(expr::linearize({&plain, 1}).program) < little) return expression;
  }
}

TEST(evaluation, gives_a_tensor_the_value_of_its_expression) {
  for_each_seed(100, [](Generator& generator) {
    const expr::Expr expression = small_expression(generator);
    const Tensor expected = value(expression);
    EXPECT_TRUE(same(Tensor(expression), expected));
  });
}

TEST(evaluation, of_some_parts_first_changes_nothing) {
  for_each_seed(100, [](Generator& generator) {
    const expr::Expr expression = small_expression(generator);
    const Tensor expected = value(expression);
    std::vector<Tensor> parts;
    for (const expr::Expr& node : expr::post_order({&expression, 1})) {
      if (!generator.chance(0.2)) continue;
      parts.emplace_back(node);
      eval(parts.back());
    }
    EXPECT_TRUE(same(Tensor(expression), expected));
    parts.clear();
    EXPECT_TRUE(same(Tensor(expression), expected));
  });
}

TEST(evaluation, is_deterministic) {
  for_each_seed(100, [](Generator& generator) {
    const expr::Expr expression = random_expression(generator);
    const expr::Linearized linearized = expr::linearize({&expression, 1});
    const Tensor first(reference::run(linearized.program, linearized.data)[0]);
    const Tensor second(reference::run(linearized.program, linearized.data)[0]);
    EXPECT_TRUE(same(first, second));
    EXPECT_TRUE(same(value(expression), first));
  });
}

TEST(evaluation, of_several_roots_together_gives_the_values_of_each) {
  for_each_seed(50, [](Generator& generator) {
    const expr::Expr roots[] = {random_expression(generator), random_expression(generator)};
    const expr::Expr both[] = {roots[0], roots[1], roots[0]};
    const expr::Linearized linearized = expr::linearize(both);
    const std::vector<Array> values = reference::run(linearized.program, linearized.data);
    for (std::size_t k = 0; k < 3; ++k) EXPECT_TRUE(same(Tensor(values[k]), value(both[k])));
  });
}

TEST(programs, are_alike_for_other_data_of_the_same_structure) {
  for_each_seed(50, [](Generator& generator) {
    const expr::Expr expression = random_expression(generator);
    expr::Substitution others;
    for (const expr::Expr& node : expr::post_order({&expression, 1})) {
      if (!node.as<expr::Leaf>() || node.element() != float64) continue;
      others.emplace(node.identity(), expr::make(expr::Leaf{generator.array(node.shape())}));
    }
    EXPECT_EQ(structure(expr::substitute(expression, others)), structure(expression));
  });
}

TEST(substitution, of_nodes_by_themselves_changes_nothing) {
  for_each_seed(100, [](Generator& generator) {
    const expr::Expr expression = random_expression(generator);
    EXPECT_EQ(expr::substitute(expression, {}).identity(), expression.identity());
    expr::Substitution identity;
    for (const expr::Expr& node : expr::post_order({&expression, 1})) {
      identity.emplace(node.identity(), node);
    }
    EXPECT_EQ(expr::substitute(expression, identity).identity(), expression.identity());
  });
}

TEST(substitution, of_leaves_by_copies_gives_the_same_value) {
  for_each_seed(100, [](Generator& generator) {
    const expr::Expr expression = random_expression(generator);
    expr::Substitution copies;
    for (const expr::Expr& node : expr::post_order({&expression, 1})) {
      if (const auto* leaf = node.as<expr::Leaf>()) {
        copies.emplace(node.identity(), expr::make(expr::Leaf{leaf->value}));
      }
    }
    const expr::Expr copied = expr::substitute(expression, copies);
    EXPECT_EQ(structure(copied), structure(expression));
    EXPECT_TRUE(same(value(copied), value(expression)));
  });
}

TEST(substitution, of_leaves_by_other_layouts_gives_the_same_value) {
  for_each_seed(300, [](Generator& generator) {
    const expr::Expr expression = random_expression(generator);
    expr::Substitution layouts;
    for (const expr::Expr& node : expr::post_order({&expression, 1})) {
      if (const auto* leaf = node.as<expr::Leaf>()) {
        const Axes order = generator.subset(node.shape().names(), 1);
        layouts.emplace(node.identity(), expr::make(expr::Leaf{laid_out(leaf->value, order)}));
      }
    }
    EXPECT_TRUE(same(value(expr::substitute(expression, layouts)), value(expression)));
  });
}

TEST(substitution, of_variables_is_calling_a_function_of_them) {
  const Axis a("a"), b("b");
  for_each_seed(200, [&](Generator& generator) {
    const Shape shape = generator.shape(a & b);
    const expr::Expr x = expr::make(expr::Parameter{"x", {shape, float64}});
    const expr::Expr body = random_expression(generator, {.operations = 6, .variables = {x}});
    const expr::Expr argument = expr::make(expr::Leaf{generator.array(shape)});
    const expr::Expr substituted = expr::substitute(body, {{x.identity(), argument}});
    EXPECT_TRUE(same(value(substituted), value(expr::call("f", {}, {x}, body, {argument}))));
  });
}

}  // namespace
}  // namespace axial
