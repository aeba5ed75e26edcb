// Each pass keeps values, and does what it is for.
#include "axial/plan/passes.hpp"

#include <gtest/gtest.h>

#include "axial/axial.hpp"
#include "axial/expr/lambda.hpp"
#include "axial/reference/evaluate.hpp"
#include "support/random_expression.hpp"
#include "support/tolerance.hpp"

namespace axial::plan {
namespace {

using support::Generator;

Axis a{"a"}, b{"b"}, c{"c"}, d{"d"}, kernel{"kernel"};

/// How many steps of kind K a program has.
template <class K>
std::ptrdiff_t count(const expr::Program& program) {
  return std::ranges::count_if(
      program.steps, [](const expr::Step& step) { return std::holds_alternative<K>(step.kind); });
}

expr::Linearized program_of(const Tensor& tensor) {
  const expr::Expr plain = expr::without_calls(tensor.expression());
  return expr::linearize({&plain, 1});
}

/// The value is the same before and after all passes.
void expect_kept(const Tensor& tensor) {
  const expr::Linearized before = program_of(tensor);
  const expr::Program after = prepared(before.program);
  const Array expected = reference::run(before.program, before.data)[0];
  const Array actual = reference::run(after, before.data)[0];
  EXPECT_TRUE(support::close_to(Tensor(actual), Tensor(expected), 100));
}

TEST(passes, keep_the_value_of_random_expressions) {
  support::for_each_seed(60, [](Generator& generator) {
    const expr::Expr expression = expr::without_calls(support::random_expression(generator));
    const expr::Linearized before = expr::linearize({&expression, 1});
    for (const Pass& pass : passes) {
      // Each one alone, then all.
      std::vector<std::string_view> others;
      for (const Pass& other : passes) {
        if (other.name != pass.name) others.push_back(other.name);
      }
      const expr::Program after = prepared(before.program, {.without = others, .watch = {}});
      const Array expected = reference::run(before.program, before.data)[0];
      EXPECT_TRUE(
          support::close_to(Tensor(reference::run(after, before.data)[0]), Tensor(expected), 1000))
          << pass.name;
    }
  });
}

TEST(passes, are_watched_one_by_one) {
  std::vector<std::string_view> seen;
  Random random(1);
  const Tensor x = random.normal(a[3]);
  prepared(program_of(exp(x)).program,
           {.without = {"order"}, .watch = [&](const Pass& pass, const expr::Program&, auto time) {
              EXPECT_GE(time.count(), 0);
              seen.push_back(pass.name);
            }});
  EXPECT_EQ(seen, (std::vector<std::string_view>{"unfold", "pad-first", "split-logsumexp",
                                                 "reuse-quotients", "split-totals", "share"}));
}

TEST(share, computes_equal_parts_once) {
  Random random(1);
  const Tensor x = random.normal(a[3]);
  const expr::Program after = prepared(program_of(exp(x) + exp(x) * exp(x)).program);
  EXPECT_EQ(count<expr::Map>(after), 3);
}

TEST(reuse_quotients, leaves_one_division_by_the_total_in_the_gradient_of_a_softmax) {
  Random random(1);
  const Tensor x = random.normal(a[3] * b[4]), y = random.normal(a[3] * b[4]);
  const Tensor slope = gradient(sum(a & b, softmax(b, x) * y), x);
  const auto divisions = [](const expr::Program& program) {
    return std::ranges::count_if(program.steps, [](const expr::Step& step) {
      const auto* map = std::get_if<expr::Map>(&step.kind);
      return map != nullptr && map->word == &word("div");
    });
  };
  const expr::Program before = program_of(slope).program;
  EXPECT_GT(divisions(prepared(before, {.without = {"reuse-quotients"}, .watch = {}})), 1);
  EXPECT_EQ(divisions(prepared(before)), 1);
  expect_kept(slope);
}

/// How many elements are divided.
std::int64_t count_of_divided(const Tensor& tensor) {
  std::int64_t count = 0;
  for (const expr::Step& step : prepared(program_of(tensor).program).steps) {
    const auto* map = std::get_if<expr::Map>(&step.kind);
    if (map != nullptr && map->word == &word("div")) count += step.type.shape.volume();
  }
  return count;
}

TEST(reuse_quotients, divides_what_attention_has_summed) {
  Random random(2);
  const Tensor x = random.normal(a[7] * b[9]), few = random.normal(b[9] * c[4]),
               many = random.normal(b[9] * c[12]);
  EXPECT_EQ(count_of_divided(softmax(b, x) * b * few), 7 * 4);
  EXPECT_EQ(count_of_divided(softmax(b, x) * b * many), 7 * 9);
  EXPECT_EQ(count_of_divided(softmax(a, x) * b * few), 7 * 9);
  expect_kept(softmax(b, x) * b * few);
  expect_kept(softmax(a, x) * b * few);
}

TEST(reuse_quotients, divides_large_powers_at_once) {
  Random random(3);
  const Tensor x = random.uniform(a[7] * b[9], 80, 86), V = random.normal(b[9] * c[4]) * 1e6;
  const Tensor mean = (exp(x) / sum(b, exp(x))) * b * V;
  EXPECT_EQ(count_of_divided(mean), 7 * 9);
  expect_kept(mean);
}

TEST(reuse_quotients, divides_at_once_by_totals_that_may_be_small) {
  // Rows far below the largest element of all have tiny powers and tiny totals.
  Random random(4);
  const Tensor x = random.normal(a[7] * b[9]) + random.uniform(a[7], -80, 0),
               V = random.normal(b[9] * c[4]) * 1e-8;
  const Tensor powers = exp(x - max(a & b, x));
  EXPECT_EQ(count_of_divided((powers / sum(b, powers)) * b * V), 7 * 9);
  const Tensor centred = exp(x - max(b, x));
  EXPECT_EQ(count_of_divided((centred / sum(b, powers)) * b * V), 7 * 9);
  expect_kept((powers / sum(b, powers)) * b * V);
}

TEST(order, contracts_a_chain_from_its_short_end) {
  Random random(1);
  const Tensor x = random.normal(a[50] * b[40]), y = random.normal(b[40] * c[30]),
               z = random.normal(Shape(c[30]));
  const expr::Expr chain =
      expr::make(expr::Contract{b & c}, {x.expression(), y.expression(), z.expression()});
  const expr::Program after = prepared(program_of(Tensor(chain)).program);
  ASSERT_EQ(count<expr::Contract>(after), 2);
  // The matrix times the vector comes first, so nothing with both a and c is built.
  for (const expr::Step& step : after.steps) {
    EXPECT_FALSE(step.type.shape.contains(a) && step.type.shape.contains(c));
  }
  expect_kept(Tensor(chain));
}

TEST(split_totals, takes_rows_first) {
  Random random(1);
  const Tensor x = random.normal(a[300] * b[2] * c[240]), y = random.normal(a[300] * c[240]),
               z = random.normal(Shape(a[120000])), pairs = random.normal(a[60000] * b[2]);
  for (const Tensor& total :
       {sum(a & b & c, x), max(a & c, x), dot(a & c, x, y), sum(a, z * z), dot(a, z, z), min(a, z),
        sum(a & b, pairs), sum(a, exp(z) * to(float32, z > 0))}) {
    expect_kept(total);
    const expr::Program after = prepared(program_of(total).program);
    const auto has_rows = [](const expr::Step& step) {
      const std::int64_t volume = step.type.shape.volume();
      return volume >= 8 && volume <= 600 && !std::holds_alternative<expr::Reshape>(step.kind);
    };
    EXPECT_TRUE(std::ranges::any_of(after.steps, has_rows)) << to_text(after);
    // What is computed on the way is not kept: only inputs are cut.
    for (const expr::Step& step : after.steps) {
      if (!std::holds_alternative<expr::Reshape>(step.kind)) continue;
      EXPECT_LT(step.operands[0], std::ssize(after.inputs)) << to_text(after);
    }
  }
}

TEST(split_totals, leaves_what_is_short_or_cannot_be_cut) {
  Random random(1);
  for (const Tensor& total :
       {sum(a, random.normal(Shape(a[100]))), sum(a, random.normal(Shape(a[65537]))),
        sum(a, random.normal(a[1000] * b[100]))}) {
    EXPECT_EQ(count<expr::Reduce>(prepared(program_of(total).program)), 1);
    expect_kept(total);
  }
}

TEST(unfold, makes_reshapes_of_tiles_and_contractions_of_overlapping_windows) {
  Random random(1);
  const Tensor x = random.normal(a[12] * b[2]);
  const Tensor pooled = sum(a & b & kernel, pow(pool(a, kernel[3], x), 2));
  const Tensor tiles = gradient(pooled, x);
  EXPECT_EQ(count<expr::Fold>(prepared(program_of(tiles).program)), 0);
  expect_kept(tiles);
  const Tensor weights = random.normal(kernel[3] * b[2] * c[4]);
  const Tensor convolved = unroll(a, kernel[3], x) * (kernel & b) * weights;
  const Tensor overlapping = gradient(sum(a & c, convolved * convolved), x);
  EXPECT_EQ(count<expr::Fold>(prepared(program_of(overlapping).program)), 0);
  expect_kept(overlapping);
}

TEST(pad_first, lets_windows_be_views_of_what_is_padded) {
  Random random(1);
  const Tensor x = random.normal(a[5] * b[4]);
  const WindowOptions same{.padding = 1, .value = 7};
  const Tensor windows = unroll(a, kernel[3], unroll(b, d[3], x, same), same);
  for (const expr::Step& step : prepared(program_of(windows).program).steps) {
    const bool is_pad = std::holds_alternative<expr::Pad>(step.kind);
    EXPECT_FALSE(is_pad && (step.type.shape.contains(kernel) || step.type.shape.contains(d)));
  }
  expect_kept(windows);
}

TEST(split_logsumexp, survives_infinite_elements) {
  const double infinite = infinity;
  const Tensor x = tensor(a[3] * b[2], {1000, -infinite, 1001, -infinite, 2, -infinite});
  const expr::Program after = prepared(program_of(logsumexp(a, x)).program);
  for (const expr::Step& step : after.steps) {
    const auto* reduce = std::get_if<expr::Reduce>(&step.kind);
    EXPECT_TRUE(reduce == nullptr || reduce->word != &reduction("logsumexp"));
  }
  expect_kept(logsumexp(a, x));
}

}  // namespace
}  // namespace axial::plan
