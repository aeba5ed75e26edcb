// Functions of expressions: closing, calling, and lifting without capture (Definitions 5 and 6).
#include <gmock/gmock.h>

#include "axial/expr/lambda.hpp"
#include "axial/expr/lift.hpp"
#include "axial/expr/traverse.hpp"
#include "axial/reference/evaluate.hpp"
#include "diagnostics/expect.hpp"
#include "expr/build.hpp"

namespace axial::expr {
namespace {

using diagnostics::expect_error;
using ::testing::ElementsAre;

const Axis a{"a"}, b{"b"}, c{"c"};

std::vector<double> values(const Expr& expression, const Axes& order) {
  const Array array = laid_out(reference::evaluate(expression), order);
  std::vector<double> all;
  for (std::int64_t i = 0; i < array.volume(); ++i) all.push_back(array.real(i));
  return all;
}

/// x ↦ Σ_a x over R^a.
Expr total(const Expr& argument) {
  const Expr x = variable("x", restrict(argument.shape(), a));
  return call("total", {}, {x}, make(Reduce{&reduction("sum"), a}, {x}), {argument});
}

/// x ↦ Σ_b (x ⊗ 1_b): a function of scalars that uses the axis b inside.
Expr thrice(const Expr& argument) {
  const Expr x = variable("x", {});
  const Expr spread = make(Broadcast{b[3]}, {x});
  return call("thrice", {}, {x}, make(Reduce{&reduction("sum"), b}, {spread}), {argument});
}

TEST(call, is_lifted_over_extra_axes) {
  EXPECT_EQ(total(leaf(a[2])).shape(), Shape{});
  EXPECT_EQ(total(leaf(a[2] * c[3])).shape(), Shape(c[3]));
  EXPECT_THAT(values(total(leaf(a[2] * c[3])), c), ElementsAre(5, 7, 9));
}

TEST(call, keeps_extra_axes_apart_from_axes_inside) {
  const Expr lifted = thrice(leaf(b[2]));
  EXPECT_EQ(lifted.shape(), Shape(b[2]));
  EXPECT_THAT(values(lifted, b), ElementsAre(3, 6));
}

TEST(call, is_refused_if_an_extra_axis_is_in_the_result) {
  const Expr x = variable("x", Shape(a[2]));
  const Expr body = make(Rename{{{a, b}}}, {x});
  expect_error("lifting-clash", [&] { call("f", {}, {x}, body, {leaf(a[2] * b[5])}); });
}

TEST(call, gives_the_same_with_and_without_inlining) {
  for (const Expr& lifted :
       {total(leaf(a[2] * c[3])), thrice(leaf(b[2])), thrice(total(leaf(a[2] * b[4])))}) {
    const Expr flat = without_calls(lifted);
    EXPECT_EQ(flat.type(), lifted.type());
    for (const Expr& node : post_order({&flat, 1})) EXPECT_EQ(node.as<Call>(), nullptr);
    EXPECT_EQ(values(flat, flat.shape().names()), values(lifted, flat.shape().names()));
  }
}

TEST(call, of_a_constant_body_is_constant_along_extra_axes) {
  const Expr x = variable("x", {});
  const Expr lifted = call("two", {}, {x}, make(Literal{2, float32, false}), {leaf(c[3])});
  EXPECT_EQ(lifted.shape(), Shape(c[3]));
  EXPECT_THAT(values(without_calls(lifted), c), ElementsAre(2, 2, 2));
}

TEST(close, takes_in_what_does_not_depend_on_the_parameters) {
  const Expr x = variable("x", a[2]), data = leaf(a[2]);
  const Expr doubled = map(word("mul"), data, number(2));
  const Closure closure = close("f", {}, {x}, map(word("add"), x, doubled));
  ASSERT_EQ(closure.captured.size(), 1);
  EXPECT_EQ(closure.captured[0].identity(), doubled.identity());
  EXPECT_EQ(closure.function->parameters.size(), 2);
  for (const Expr& node : post_order({&closure.function->body, 1})) {
    EXPECT_EQ(node.as<Leaf>(), nullptr);
  }
}

TEST(close, of_a_body_that_is_captured_itself) {
  const Closure closure = close("f", {}, {variable("x", a[2])}, leaf(b[3]));
  EXPECT_EQ(closure.captured.size(), 1);
  EXPECT_EQ(closure.function->body.shape(), Shape(b[3]));
}

TEST(close, may_capture_parameters_of_an_outer_function) {
  const Expr outer = variable("y", a[2]), inner = variable("x", a[2]);
  const Closure closure = close("f", {}, {inner}, map(word("add"), inner, outer));
  ASSERT_EQ(closure.captured.size(), 1);
  EXPECT_EQ(closure.captured[0].identity(), outer.identity());
}

Shape lift_of(const std::vector<LiftedArgument>& arguments, const Shape& result) {
  return lift("f", arguments, result);
}

TEST(lift, adds_every_extra_axis_to_the_result) {
  EXPECT_EQ(lift_of({{a[2] * c[4], a[2]}}, b[3]), b[3] * c[4]);
  EXPECT_EQ(lift_of({{a[2] * c[4], a[2]}, {b[3], b[3]}}, {}), Shape(c[4]));
  EXPECT_EQ(lift_of({{a[2] * c[4], a[2]}, {b[3] * c[4], b[3]}}, {}), Shape(c[4]));
}

TEST(lift, allows_an_extra_axis_that_is_another_arguments_own) {
  // Attention with one query per position: Q has an extra seq, K has seq for its own.
  EXPECT_EQ(lift_of({{a[2] * b[5], a[2]}, {b[3], b[3]}}, {}), Shape(b[5]));
}

TEST(lift, refuses_what_the_definitions_refuse) {
  expect_error("unknown-axis", [] { lift_of({{c[4], a[2]}}, {}); });
  expect_error("size-clash", [] { lift_of({{a[3], a[2]}}, {}); });
  expect_error("size-clash", [] { lift_of({{c[4], {}}, {c[5], {}}}, {}); });
  expect_error("lifting-clash", [] { lift_of({{a[2] * b[3], a[2]}}, b[3]); });
}

}  // namespace
}  // namespace axial::expr
