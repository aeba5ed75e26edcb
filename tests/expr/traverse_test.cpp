// Visiting, rebuilding and freeing expressions, also very deep ones.
#include "axial/expr/traverse.hpp"

#include <gmock/gmock.h>

#include "axial/expr/program.hpp"
#include "expr/build.hpp"

namespace axial::expr {
namespace {

const Axis a{"a"}, b{"b"};
constexpr int very_deep = 200'000;

Expr chain(Expr root, int length) {
  for (int i = 0; i < length; ++i) root = map(word("neg"), root);
  return root;
}

TEST(expr, is_a_handle_to_an_immutable_node) {
  const Expr x = leaf(a[2]);
  const Expr copy = x;
  EXPECT_EQ(copy.identity(), x.identity());
  EXPECT_NE(leaf(a[2]).identity(), x.identity());
  EXPECT_NE(x.as<Leaf>(), nullptr);
  EXPECT_EQ(x.as<Map>(), nullptr);
}

TEST(expr, is_open_if_a_variable_occurs_in_it) {
  EXPECT_FALSE(map(word("exp"), leaf(a[2])).is_open());
  EXPECT_TRUE(map(word("add"), leaf(a[2]), map(word("exp"), variable("x", a[2]))).is_open());
}

TEST(expr, of_any_depth_is_freed_without_recursion) {
  {
    chain(leaf(a[1]), very_deep);
  }
  SUCCEED();
}

TEST(expr, of_any_depth_whose_operands_are_the_same_is_freed_without_recursion) {
  {
    Expr root = leaf(a[1]);
    for (int i = 0; i < very_deep; ++i) root = map(word("mul"), root, root);
  }
  SUCCEED();
}

TEST(post_order, lists_operands_before_their_users_each_once) {
  const Expr x = leaf(a[2]), e = map(word("exp"), x), sum = map(word("add"), e, x);
  const auto order = post_order({&sum, 1});
  ASSERT_EQ(order.size(), 3);
  EXPECT_EQ(order[0].identity(), x.identity());
  EXPECT_EQ(order[1].identity(), e.identity());
  EXPECT_EQ(order[2].identity(), sum.identity());
}

TEST(post_order, stops_where_it_is_told_to) {
  const Expr x = leaf(a[2]), e = map(word("exp"), x), root = map(word("neg"), e);
  const auto order =
      post_order({&root, 1}, [&](const Expr& node) { return node.identity() != e.identity(); });
  EXPECT_EQ(order.size(), 2);
}

TEST(post_order, reaches_any_depth) {
  const Expr deep = chain(leaf(a[1]), very_deep);
  EXPECT_EQ(post_order({&deep, 1}).size(), very_deep + 1);
  EXPECT_EQ(linearize({&deep, 1}).program.steps.size(), very_deep);
}

TEST(post_order, visits_shared_parts_once) {
  Expr x = leaf(a[1]);
  for (int i = 0; i < 60; ++i) x = map(word("add"), x, x);  // 2^60 paths
  EXPECT_EQ(post_order({&x, 1}).size(), 61);
}

TEST(substitute, replaces_nodes_and_types_the_rest_anew) {
  const Expr x = variable("x", a[2]), root = map(word("exp"), map(word("neg"), x));
  const Expr wide = leaf(a[2] * b[3]);
  const Expr replaced = substitute(root, {{x.identity(), wide}});
  EXPECT_EQ(replaced.shape(), a[2] * b[3]);
  EXPECT_FALSE(replaced.is_open());
  EXPECT_EQ(root.shape(), Shape(a[2]));
}

TEST(substitute, keeps_what_is_not_above_a_replaced_node) {
  const Expr x = variable("x", a[2]), kept = map(word("exp"), leaf(a[2]));
  const Expr replaced = substitute(map(word("add"), x, kept), {{x.identity(), leaf(a[2])}});
  EXPECT_EQ(replaced.operands()[1].identity(), kept.identity());
  const Expr same = map(word("neg"), kept);
  EXPECT_EQ(substitute(same, {{x.identity(), leaf(a[2])}}).identity(), same.identity());
}

TEST(substitute, reaches_any_depth) {
  const Expr x = variable("x", a[1]);
  const Expr replaced = substitute(chain(x, very_deep), {{x.identity(), leaf(a[1])}});
  EXPECT_FALSE(replaced.is_open());
}

TEST(substitute, exchanges_two_nodes_at_once) {
  const Expr x = variable("x", a[2]), y = variable("y", a[2]);
  const Expr replaced = substitute(map(word("sub"), x, y), {{x.identity(), y}, {y.identity(), x}});
  EXPECT_EQ(replaced.operands()[0].identity(), y.identity());
  EXPECT_EQ(replaced.operands()[1].identity(), x.identity());
}

}  // namespace
}  // namespace axial::expr
