// Order is never observable: tensors that differ only in the order in which their axes were written
// are one tensor to every operation, to comparison and to printing.
#include <gtest/gtest.h>

#include <sstream>

#include "axial/axial.hpp"
#include "support/cases.hpp"
#include "support/lifting.hpp"
#include "support/tolerance.hpp"

namespace axial {
namespace {

using support::Case;
using support::close_to;
using support::for_each_seed;
using support::Generator;
using support::ignores_layout;
using support::layouts;
using support::same;

const Axis a("a"), b("b"), c("c"), time_axis("time");

TEST(order, never_shows_in_the_result_of_a_function) {
  for_each_seed(20, [](Generator& generator) {
    for (const Case& each : all_cases(generator)) {
      SCOPED_TRACE(each.name);
      EXPECT_TRUE(ignores_layout(each.apply, each.arguments));
    }
  });
}

TEST(order, never_shows_in_equality_or_text) {
  for_each_seed(20, [](Generator& generator) {
    const Tensor X = generator.tensor(generator.shape(a & b & c & time_axis));
    std::ostringstream expected;
    expected << X;
    for (const Tensor& layout : layouts(X)) {
      EXPECT_TRUE(identical(layout, X));
      EXPECT_EQ(layout.shape(), X.shape());
      EXPECT_EQ(to_text(layout.shape()), to_text(X.shape()));
      EXPECT_EQ(layout.values(a & b & c & time_axis), X.values(a & b & c & time_axis));
      std::ostringstream text;
      text << layout;
      EXPECT_EQ(text.str(), expected.str());
    }
  });
}

TEST(order, never_shows_in_random_numbers) {
  Random first(7), second(7);
  EXPECT_TRUE(same(first.normal(a[3] * b[5] * c[2]), second.normal(c[2] * a[3] * b[5])));
}

TEST(order, of_axes_in_a_reduction_does_not_matter) {
  for_each_seed(20, [](Generator& generator) {
    const Tensor X = generator.tensor(generator.shape(a & b & c));
    EXPECT_TRUE(close_to(sum(a & b, X), sum(b & a, X), 49, 2 * 49));
    EXPECT_TRUE(same(max(a & c, X), max(c & a, X)));
  });
}

TEST(order, of_axes_in_a_signature_does_not_matter) {
  const auto body = [](const Tensor& X) { return X[a >> c]; };
  const Function one = function({a & b}, b & c, body), other = function({b & a}, c & b, body);
  for_each_seed(20, [&](Generator& generator) {
    const Tensor X = generator.tensor(generator.shape(a & b & time_axis));
    EXPECT_TRUE(same(one(X), other(X)));
    EXPECT_TRUE(ignores_layout([&](const std::vector<Tensor>& t) { return one.apply(t); }, {X}));
  });
}

TEST(order, never_shows_in_a_function_with_a_recurrence_that_renames) {
  const Function f =
      function({time_axis & a & b, a & c}, time_axis & a & c, [](const Tensor& X, const Tensor& h) {
        return scan(time_axis, h, X,
                    [](const Tensor& state, const Tensor& x) { return state + x[b >> c]; });
      });
  for_each_seed(20, [&](Generator& generator) {
    const Shape sizes = generator.shape(time_axis & a & b);
    const Tensor X = generator.tensor(sizes);
    const Tensor h = generator.tensor(restrict(sizes, a) * c[sizes.size(b)]);
    EXPECT_TRUE(ignores_layout([&](const std::vector<Tensor>& t) { return f.apply(t); }, {X, h}));
  });
}

TEST(order, never_shows_in_a_function_with_a_recurrence_that_reshapes) {
  const Axis flat("flat");
  const Function f =
      function({time_axis & a & b & c, flat & a & b}, time_axis & flat & a & b,
               [&](const Tensor& X, const Tensor& h) {
                 return scan(time_axis, h, X, [&](const Tensor& state, const Tensor& x) {
                   return state + x[c >> (flat[1] & c)][c(0)];
                 });
               });
  for_each_seed(20, [&](Generator& generator) {
    const Shape sizes = generator.shape(time_axis & a & b & c);
    const Tensor X = generator.tensor(sizes);
    const Tensor h = generator.tensor(restrict(sizes, a & b) * flat[1]);
    EXPECT_TRUE(ignores_layout([&](const std::vector<Tensor>& t) { return f.apply(t); }, {X, h}));
  });
}

}  // namespace
}  // namespace axial
