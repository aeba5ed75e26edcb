// Programs: structure apart from data, as text that is equal exactly if the structures are.
#include "axial/expr/program.hpp"

#include <gmock/gmock.h>

#include <map>

#include "axial/expr/lambda.hpp"
#include "axial/expr/traverse.hpp"
#include "diagnostics/expect.hpp"
#include "expr/build.hpp"

namespace axial::expr {
namespace {

using diagnostics::expect_error;

const Axis a{"a"}, b{"b"}, c{"c"}, k{"k"};

std::string text(const Expr& root) { return to_text(linearize({&root, 1}).program); }

Expr filled(const Shape& shape, double value) {
  return make(Leaf{build<float>(
      shape, [&](float* out) { std::fill_n(out, shape.volume(), static_cast<float>(value)); })});
}

TEST(program, lists_inputs_steps_and_results) {
  const Expr sum = map(word("add"), leaf(a[2]), leaf(b[3]));
  const Expr root = make(Reduce{&reduction("sum"), a}, {sum});
  EXPECT_EQ(text(root),
            "%0 : float32 {a[2]}\n"
            "%1 : float32 {b[3]}\n"
            "%2 = add (%0, %1) : float32 {a[2], b[3]}\n"
            "%3 = sum over {a} (%2) : float32 {b[3]}\n"
            "give %3\n");
}

TEST(program, is_equal_for_other_data) {
  const auto formula = [](double value) { return map(word("exp"), filled(a[2], value)); };
  EXPECT_EQ(text(formula(1)), text(formula(2)));
}

TEST(program, is_equal_for_other_layouts) {
  const auto formula = [](const Shape& shape) { return map(word("exp"), filled(shape, 1)); };
  EXPECT_EQ(text(formula(a[2] * b[3])), text(formula(b[3] * a[2])));
}

TEST(program, keeps_its_data_in_the_order_of_the_inputs) {
  const Expr x = leaf(a[2]), y = leaf(b[3]);
  const Expr root = map(word("sub"), y, x);
  const Linearized linearized = linearize({&root, 1});
  ASSERT_EQ(linearized.data.size(), 2);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(linearized.data[i].shape(), linearized.program.inputs[i].shape);
  }
}

TEST(program, computes_what_is_shared_once) {
  const Expr shared = map(word("exp"), leaf(a[2]));
  const Expr root = map(word("add"), shared, shared);
  EXPECT_EQ(linearize({&root, 1}).program.steps.size(), 2);
}

TEST(program, may_give_several_results) {
  const Expr shared = map(word("exp"), leaf(a[2]));
  const std::vector<Expr> roots{shared, map(word("neg"), shared), shared};
  const Program program = linearize(roots).program;
  EXPECT_EQ(program.steps.size(), 2);
  EXPECT_EQ(program.results.size(), 3);
  EXPECT_EQ(program.results[0], program.results[2]);
}

TEST(program, has_no_free_variables) {
  const Expr open = map(word("exp"), variable("x", a[2]));
  expect_error("needs-value", [&] { linearize({&open, 1}); });
}

TEST(program, of_a_body_has_its_parameters_as_inputs) {
  const Expr x = variable("x", a[2]), unused = variable("y", b[3]);
  const Program program = linearize_body(std::vector{x, unused}, std::vector{map(word("exp"), x)});
  EXPECT_EQ(program.inputs.size(), 2);
  EXPECT_EQ(program.inputs[1].shape, Shape(b[3]));
}

/// A running sum of the totals over b along a.
Expr running_sum(const Expr& x, bool reverse) {
  const Expr s = variable("s", {}), t = variable("t", x.shape() - a);
  const Expr next = map(word("add"), s, make(Reduce{&reduction("sum"), b}, {t}));
  const Closure step = close("step", {}, {s, t}, next);
  return make(Scan{a, reverse, 1, step.function}, {leaf({}), x});
}

Expr call_of(const Word& word, const Expr& x) {
  const Expr p = variable("p", restrict(x.shape(), a));
  return call("f", {}, {p}, map(word, p), {x});
}

/// One expression for each way in which structures may differ.
std::vector<Expr> different() {
  const Expr x = leaf(a[12] * b[3]), y = leaf(b[3]), i = leaf(c[2], int64), m = leaf(a[3] * b[3]);
  const Expr e = map(word("exp"), x);
  const auto sum = [&](const Axes& over) { return make(Reduce{&reduction("sum"), over}, {x}); };
  const auto window = [&](SizedAxis kernel, std::int64_t stride, std::int64_t dilation) {
    return make(Window{a, kernel, stride, dilation}, {x});
  };
  return {
      x,
      leaf(a[12] * b[4]),
      leaf(a[12] * c[3]),
      leaf(a[12] * b[3], float64),
      number(1),
      number(2),
      number(0.5),
      number(-0.0),
      make(Literal{1, float32, false}),
      make(Literal{1, int64, false}),
      make(Literal{12, float32, true, a}),
      number(12),
      e,
      map(word("log"), x),
      map(word("sub"), x, y),
      map(word("sub"), y, x),
      map(word("add"), e, e),
      map(word("add"), e, x),
      map(word("add"), e, map(word("exp"), x)),
      sum(a),
      sum(b),
      sum(a & b),
      sum({}),
      make(Reduce{&reduction("max"), a}, {x}),
      make(Contract{a}, {x, x}),
      make(Contract{b}, {x, x}),
      make(Contract{b}, {x, y}),
      make(Rename{{{a, c}}}, {x}),
      make(Rename{{{b, c}}}, {x}),
      make(Rename{{{a, c}, {b, k}}}, {x}),
      make(Reshape{a & b, c[36]}, {x}),
      make(Reshape{b & a, c[36]}, {x}),
      make(Reshape{a, c[4] * k[3]}, {x}),
      make(Reshape{a, k[3] * c[4]}, {x}),
      make(Index{a}, {x, i}),
      make(Index{b}, {x, i}),
      window(k[2], 1, 1),
      window(k[3], 1, 1),
      window(c[2], 1, 1),
      window(k[2], 2, 1),
      window(k[2], 1, 2),
      make(Slice{a, 0, 4, 1}, {x}),
      make(Slice{a, 1, 4, 1}, {x}),
      make(Slice{a, 0, 4, 2}, {x}),
      make(Slice{a, 0, 5, 1}, {x}),
      make(Pad{a, 1, 0}, {x}),
      make(Pad{a, 0, 1}, {x}),
      make(Pad{a, 1, 0, 2}, {x}),
      make(Pad{b, 1, 0}, {x}),
      make(Concat{a}, {x, x}),
      make(Concat{b}, {x, x}),
      make(Concat{a}, {x, x, x}),
      make(Broadcast{c[2]}, {x}),
      make(Broadcast{k[2]}, {x}),
      make(Broadcast{c[3]}, {x}),
      make(Delta{a[3], b}),
      make(Delta{b[3], a}),
      make(Delta{a[3], b, float64}),
      make(Delta{a[4], b}),
      make(Iota{a[3]}),
      make(Iota{b[3]}),
      make(Iota{a[3], float32}),
      make(Cast{float64}, {x}),
      make(Cast{int64}, {x}),
      make(Along{find_primitive("cumsum"), a}, {x}),
      make(Along{find_primitive("cumsum"), b}, {x}),
      make(Along{find_primitive("inverse"), a & b}, {m}),
      make(Along{find_primitive("inverse"), b & a}, {m}),
      running_sum(x, false),
      running_sum(x, true),
      call_of(word("exp"), x),
      call_of(word("log"), x),
  };
}

TEST(program, texts_differ_where_structures_do) {
  std::map<std::string, std::size_t> seen;
  const std::vector<Expr> all = different();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto [entry, is_new] = seen.emplace(text(all[i]), i);
    // The two sides of I_{a,b} are alike, so either text may be meant.
    const bool alike = all[i].as<Delta>() != nullptr;
    EXPECT_TRUE(is_new || alike) << "expressions " << entry->second << " and " << i << "\n"
                                 << entry->first;
  }
}

TEST(program, texts_agree_where_structures_do) {
  const std::vector<Expr> once = different(), again = different();
  for (std::size_t i = 0; i < once.size(); ++i) EXPECT_EQ(text(once[i]), text(again[i]));
}

}  // namespace
}  // namespace axial::expr
