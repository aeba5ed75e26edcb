// The type of each kind of node: shape, element type, and whether it is still a plain number.
#include "axial/expr/typing.hpp"

#include <gmock/gmock.h>

#include "axial/expr/lambda.hpp"
#include "diagnostics/expect.hpp"
#include "expr/build.hpp"

namespace axial::expr {
namespace {

using diagnostics::expect_error;

const Axis a{"a"}, b{"b"}, c{"c"}, k{"k"};

Type type(const Shape& shape, ElementType element = float32, bool weak = false) {
  return {shape, element, weak};
}

TEST(leaf, has_the_type_of_its_values) {
  for (const ElementFacts& entry : element_facts) {
    EXPECT_EQ(leaf(a[2] * b[3], entry.type).type(), type(a[2] * b[3], entry.type));
  }
}

TEST(parameter, has_the_type_it_says) {
  EXPECT_EQ(variable("x", a[2], int32).type(), type(a[2], int32));
  EXPECT_TRUE(variable("x", a[2]).is_open());
}

TEST(literal, is_a_scalar_that_takes_any_type) {
  EXPECT_EQ(number(3).type(), type({}, float32, true));
  EXPECT_EQ(make(Literal{3, int64, false}).type(), type({}, int64));
}

TEST(map, broadcasts_to_the_union_of_shapes) {
  EXPECT_EQ(map(word("add"), leaf(a[2]), leaf(b[3])).type(), type(a[2] * b[3]));
  EXPECT_EQ(map(word("exp"), leaf(a[2], float64)).type(), type(a[2], float64));
  EXPECT_EQ(map(word("where"), leaf(c[4], boolean), leaf(a[2]), leaf(b[3])).type(),
            type(a[2] * b[3] * c[4]));
}

TEST(map, gives_truth_or_the_type_of_its_operands) {
  EXPECT_EQ(map(word("less"), leaf(a[2], int32), leaf(a[2], int32)).element(), boolean);
  EXPECT_EQ(map(word("add"), leaf(a[2], int32), leaf(a[2], int32)).element(), int32);
  EXPECT_EQ(map(word("where"), leaf(a[2], boolean), leaf(a[2], int64), leaf(a[2], int64)).element(),
            int64);
}

TEST(map, refuses_operands_that_do_not_fit) {
  expect_error("size-clash", [] { map(word("add"), leaf(a[2]), leaf(a[3])); });
  expect_error("element-type", [] { map(word("add"), leaf(a[2]), leaf(a[2], float64)); });
  expect_error("element-type", [] { map(word("exp"), leaf(a[2], int64)); });
  expect_error("element-type", [] { map(word("where"), leaf(a[2]), leaf(a[2]), leaf(a[2])); });
  expect_error("wrong-arity", [] { map(word("add"), leaf(a[2])); });
  expect_error("wrong-arity", [] { map(word("exp"), leaf(a[2]), leaf(a[2])); });
}

TEST(weak_numbers, take_the_type_that_they_meet) {
  for (const ElementFacts& entry : element_facts) {
    if (entry.type == boolean) continue;
    const Expr sum = map(word("add"), number(1), leaf(a[2], entry.type));
    EXPECT_EQ(sum.type(), type(a[2], entry.type));
    EXPECT_EQ(sum.operands()[0].type(), type({}, entry.type));
  }
  EXPECT_EQ(map(word("and"), leaf(a[2], boolean), number(true)).type(), type(a[2], boolean));
}

TEST(weak_numbers, stay_weak_among_themselves) {
  const Expr sum = map(word("add"), number(1), number(0.5));
  EXPECT_EQ(sum.type(), type({}, float32, true));
  EXPECT_EQ(map(word("mul"), sum, leaf(a[2], float64)).type(), type(a[2], float64));
  EXPECT_EQ(map(word("less"), number(1), number(2)).type(), type({}, boolean));
}

TEST(weak_numbers, must_fit_the_type_that_they_meet) {
  expect_error("element-type", [] { map(word("add"), leaf(a[2], int64), number(0.5)); });
  expect_error("element-type", [] { map(word("add"), leaf(a[2], int32), number(1LL << 40)); });
  expect_error("element-type", [] { map(word("and"), leaf(a[2], boolean), number(2)); });
}

TEST(weak_numbers, become_strong_in_other_kinds) {
  EXPECT_EQ(make(Broadcast{a[2]}, {number(1)}).type(), type(a[2], float32));
  EXPECT_EQ(make(Cast{int64}, {number(1)}).type(), type({}, int64));
}

TEST(strengthened, changes_weak_expressions_only) {
  EXPECT_EQ(strengthened(number(3), int64).type(), type({}, int64));
  const Expr strong = leaf(a[2], int32);
  EXPECT_EQ(strengthened(strong, float64).identity(), strong.identity());
  expect_error("element-type", [] { strengthened(number(0.5), int64); });
}

TEST(reduce, drops_its_axes) {
  const Expr x = leaf(a[2] * b[3] * c[4]);
  EXPECT_EQ(make(Reduce{&reduction("sum"), a}, {x}).type(), type(b[3] * c[4]));
  EXPECT_EQ(make(Reduce{&reduction("max"), a & c}, {x}).type(), type(Shape(b[3])));
  EXPECT_EQ(make(Reduce{&reduction("sum"), Axes{}}, {x}).type(), x.type());
  EXPECT_EQ(make(Reduce{&reduction("any"), a}, {leaf(a[2], boolean)}).type(), type({}, boolean));
  expect_error("unknown-axis", [&] { make(Reduce{&reduction("sum"), k}, {x}); });
  expect_error("element-type", [] { make(Reduce{&reduction("any"), a}, {leaf(a[2])}); });
}

TEST(reduce, of_an_empty_axis_needs_a_neutral_element) {
  const Expr empty = leaf(a[0] * b[3]);
  EXPECT_EQ(make(Reduce{&reduction("sum"), a}, {empty}).type(), type(Shape(b[3])));
  expect_error("empty-axis", [&] { make(Reduce{&reduction("max"), a}, {empty}); });
  EXPECT_EQ(make(Reduce{&reduction("max"), b}, {empty}).type(), type(Shape(a[0])));
}

TEST(contract, unites_shapes_and_drops_its_axes) {
  EXPECT_EQ(make(Contract{b}, {leaf(a[2] * b[3]), leaf(b[3] * c[4])}).type(), type(a[2] * c[4]));
  EXPECT_EQ(make(Contract{a & b}, {leaf(a[2] * b[3]), leaf(b[3] * a[2])}).type(), type({}));
  EXPECT_EQ(make(Contract{b}, {leaf(b[3] * c[4]), leaf(b[3] * c[4])}).type(), type(Shape(c[4])));
}

TEST(contract, of_two_needs_its_axes_in_both_and_of_more_in_one) {
  expect_error("unknown-axis", [] { make(Contract{b}, {leaf(a[2] * b[3]), leaf(c[4])}); });
  EXPECT_EQ(make(Contract{b}, {leaf(a[2]), leaf(b[3]), leaf(c[4])}).type(), type(a[2] * c[4]));
  expect_error("unknown-axis", [] { make(Contract{k}, {leaf(a[2]), leaf(b[3]), leaf(c[4])}); });
}

TEST(contract, takes_numbers_of_one_type) {
  EXPECT_EQ(make(Contract{a}, {leaf(a[2], int64), leaf(a[2], int64)}).type(), type({}, int64));
  expect_error("element-type", [] { make(Contract{a}, {leaf(a[2], int64), leaf(a[2])}); });
  expect_error("element-type",
               [] { make(Contract{a}, {leaf(a[2], boolean), leaf(a[2], boolean)}); });
}

TEST(rename, changes_names_at_once) {
  const Expr x = leaf(a[2] * b[3]);
  EXPECT_EQ(make(Rename{{{a, c}}}, {x}).type(), type(c[2] * b[3]));
  EXPECT_EQ(make(Rename{{{a, b}, {b, a}}}, {x}).type(), type(b[2] * a[3]));
  EXPECT_EQ(make(Rename{{{a, a}}}, {x}).type(), x.type());
  expect_error("rename-clash", [&] { make(Rename{{{a, b}}}, {x}); });
  expect_error("rename-clash", [&] { make(Rename{{{a, c}, {b, c}}}, {x}); });
  expect_error("unknown-axis", [&] { make(Rename{{{c, k}}}, {x}); });
}

TEST(reshape, replaces_axes_by_others_of_the_same_volume) {
  const Expr x = leaf(a[2] * b[3] * c[5]);
  EXPECT_EQ(make(Reshape{a & b, k[6]}, {x}).type(), type(k[6] * c[5]));
  EXPECT_EQ(make(Reshape{a & b, a[3] * b[2]}, {x}).type(), type(a[3] * b[2] * c[5]));
  EXPECT_EQ(make(Reshape{Axes{}, k[1]}, {x}).type(), type(a[2] * b[3] * c[5] * k[1]));
  expect_error("size-clash", [&] { make(Reshape{a & b, k[5]}, {x}); });
  expect_error("rename-clash", [&] { make(Reshape{a & b, c[6]}, {x}); });
  expect_error("unknown-axis", [&] { make(Reshape{a & k, c[6]}, {x}); });
}

TEST(index, replaces_an_axis_by_those_of_the_indices) {
  const Expr source = leaf(a[2] * b[3]);
  EXPECT_EQ(make(Index{a}, {source, leaf(c[4], int64)}).type(), type(b[3] * c[4]));
  EXPECT_EQ(make(Index{a}, {source, leaf({}, int32)}).type(), type(Shape(b[3])));
  EXPECT_EQ(make(Index{a}, {source, leaf(b[3], int64)}).type(), type(Shape(b[3])));
  EXPECT_EQ(make(Index{a}, {source, leaf(a[7], int64)}).type(), type(a[7] * b[3]));
  EXPECT_EQ(make(Index{a}, {leaf(a[2], boolean), leaf(c[4], int64)}).type(), type(c[4], boolean));
  EXPECT_EQ(make(Index{a}, {source, number(1)}).type(), type(Shape(b[3])));
  expect_error("size-clash", [&] { make(Index{a}, {source, leaf(b[4], int64)}); });
  expect_error("element-type", [&] { make(Index{a}, {source, leaf(c[4], boolean)}); });
  expect_error("unknown-axis", [&] { make(Index{k}, {source, leaf(c[4], int64)}); });
}

TEST(window, adds_an_axis_and_shortens_another) {
  const Expr x = leaf(a[10] * b[3]);
  const auto size = [&](std::int64_t kernel, std::int64_t stride, std::int64_t dilation) {
    return make(Window{a, k[kernel], stride, dilation}, {x}).shape().size(a);
  };
  EXPECT_EQ(make(Window{a, k[3]}, {x}).type(), type(a[8] * b[3] * k[3]));
  EXPECT_EQ(size(1, 1, 1), 10);
  EXPECT_EQ(size(10, 1, 1), 1);
  EXPECT_EQ(size(3, 2, 1), 4);
  EXPECT_EQ(size(3, 1, 4), 2);
  EXPECT_EQ(size(3, 100, 4), 1);
  EXPECT_EQ(size(1, 3, INT64_MAX), 4);
  expect_error("window-size", [&] { size(11, 1, 1); });
  expect_error("window-size", [&] { size(3, 1, 5); });
  expect_error("window-size", [&] { size(3, 1, INT64_MAX); });
  expect_error("window-size", [&] { size(INT64_MAX, 1, 1); });
  expect_error("bad-size", [&] { size(0, 1, 1); });
  expect_error("bad-size", [&] { size(2, 0, 1); });
  expect_error("bad-size", [&] { size(2, 1, -1); });
  expect_error("rename-clash", [&] { make(Window{a, b[2]}, {x}); });
  expect_error("rename-clash", [&] { make(Window{a, a[2]}, {x}); });
}

TEST(window, that_is_exact_leaves_nothing_over) {
  EXPECT_EQ(make(Window{a, k[5], 5, 1, true}, {leaf(a[10])}).type(), type(a[2] * k[5]));
  expect_error("window-size", [] { make(Window{a, k[3], 3, 1, true}, {leaf(a[10])}); });
}

TEST(slice, changes_one_size) {
  const Expr x = leaf(a[10] * b[3]);
  EXPECT_EQ(make(Slice{a, 2, 4, 2}, {x}).type(), type(a[4] * b[3]));
  EXPECT_EQ(make(Slice{a, 9, 10, -1}, {x}).type(), type(a[10] * b[3]));
  EXPECT_EQ(make(Slice{a, 0, 0, 1}, {x}).type(), type(a[0] * b[3]));
  expect_error("index-out-of-range", [&] { make(Slice{a, 2, 5, 2}, {x}); });
  expect_error("index-out-of-range", [&] { make(Slice{a, -1, 1, 1}, {x}); });
  expect_error("unknown-axis", [&] { make(Slice{k, 0, 1, 1}, {x}); });
}

TEST(pad, lengthens_one_axis) {
  EXPECT_EQ(make(Pad{a, 1, 2}, {leaf(a[3] * b[2])}).type(), type(a[6] * b[2]));
  EXPECT_EQ(make(Pad{a, 1, 0, 7}, {leaf(a[3], int32)}).type(), type(a[4], int32));
  expect_error("bad-size", [] { make(Pad{a, -1, 0}, {leaf(a[3])}); });
  expect_error("bad-size", [] { make(Pad{a, 0, INT64_MAX}, {leaf(a[3])}); });
}

TEST(concat, adds_sizes_and_broadcasts_the_other_axes) {
  EXPECT_EQ(make(Concat{a}, {leaf(a[2] * b[3]), leaf(a[5] * b[3])}).type(), type(a[7] * b[3]));
  EXPECT_EQ(make(Concat{a}, {leaf(a[2] * b[3]), leaf(a[5] * c[4])}).type(),
            type(a[7] * b[3] * c[4]));
  EXPECT_EQ(make(Concat{a}, {leaf(a[2])}).type(), type(Shape(a[2])));
  expect_error("wrong-arity", [] { make(Concat{a}, {}); });
  expect_error("unknown-axis", [] { make(Concat{a}, {leaf(a[2]), leaf(b[2])}); });
  expect_error("element-type", [] { make(Concat{a}, {leaf(a[2]), leaf(a[2], int64)}); });
  expect_error("size-clash", [] { make(Concat{a}, {leaf(a[2] * b[2]), leaf(a[2] * b[3])}); });
}

TEST(broadcast, adds_axes) {
  EXPECT_EQ(make(Broadcast{b[3]}, {leaf(a[2])}).type(), type(a[2] * b[3]));
  EXPECT_EQ(make(Broadcast{a[2]}, {leaf(a[2])}).type(), type(Shape(a[2])));
  expect_error("size-clash", [] { make(Broadcast{a[3]}, {leaf(a[2])}); });
}

TEST(delta_and_iota, have_the_types_they_say) {
  EXPECT_EQ(make(Delta{a[3], b, float64}).type(), type(a[3] * b[3], float64));
  EXPECT_EQ(make(Iota{a[3]}).type(), type(a[3], int64));
  expect_error("repeated-axis", [] { make(Delta{a[3], a}); });
}

TEST(cast, changes_the_element_type_only) {
  for (const ElementFacts& entry : element_facts) {
    EXPECT_EQ(make(Cast{entry.type}, {leaf(a[2] * b[3])}).type(), type(a[2] * b[3], entry.type));
  }
}

TEST(along, follows_the_signature_of_the_primitive) {
  const Expr matrix = leaf(a[3] * b[3] * c[5]);
  const auto apply = [](std::string_view name, const Axes& over, std::vector<Expr> operands) {
    return make(Along{find_primitive(name), over}, std::move(operands)).type();
  };
  EXPECT_EQ(apply("cumsum", a, {leaf(a[3] * c[5], int32)}), type(a[3] * c[5], int32));
  EXPECT_EQ(apply("order", a, {leaf(a[3] * c[5])}), type(a[3] * c[5], int64));
  EXPECT_EQ(apply("index_of_max", a, {leaf(a[3] * c[5])}), type(c[5], int64));
  EXPECT_EQ(apply("det", a & b, {matrix}), type(Shape(c[5])));
  EXPECT_EQ(apply("inverse", a & b, {matrix}), matrix.type());
  EXPECT_EQ(apply("solve", a & b, {matrix, leaf(a[3] * k[2])}), type(b[3] * c[5] * k[2]));
  expect_error("lifting-clash", [&] { apply("solve", a & b, {matrix, leaf(a[3] * b[7])}); });
  expect_error("size-clash", [&] { apply("det", a & c, {matrix}); });
  expect_error("wrong-arity", [&] { apply("det", a, {matrix}); });
  expect_error("element-type", [&] { apply("det", a & b, {leaf(a[3] * b[3], int64)}); });
}

}  // namespace
}  // namespace axial::expr
