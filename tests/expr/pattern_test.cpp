#include "axial/expr/pattern.hpp"

#include <gtest/gtest.h>

#include "axial/axial.hpp"
#include "axial/expr/structure.hpp"

namespace axial::expr {
namespace {

const Axis row("row");

TEST(pattern, gives_what_a_substitution_gives) {
  const Type type{row[3], float32};
  const std::vector<Expr> parameters{make(Parameter{"x", type}), make(Parameter{"y", type})};
  const Tensor x(parameters[0]), y(parameters[1]), constant = iota(row[3], float32) * 2;
  // One result shares a part with another, one is a parameter, and one depends on none.
  const Tensor part = exp(x) + constant;
  const std::vector<Expr> results{(part * y).expression(), sum(row, part).expression(),
                                  y.expression(), constant.expression()};
  const Tensor a = tensor(row[3], {1, 2, 3}), b = tensor(row[3], {4, 5, 6});
  const std::vector<Expr> leaves{a.expression(), b.expression()};
  const auto made = Pattern(parameters, results).on(leaves);
  const auto expected = with_leaves(results, parameters, leaves);
  ASSERT_EQ(made.size(), expected.size());
  for (std::size_t k = 0; k < made.size(); ++k) {
    EXPECT_TRUE(identical(Tensor(made[k]), Tensor(expected[k])));
  }
  EXPECT_EQ(made[0].operands()[0].identity(), made[1].operands()[0].identity());
  EXPECT_EQ(made[2].identity(), b.expression().identity());
  EXPECT_EQ(made[3].identity(), constant.expression().identity());
}

}  // namespace
}  // namespace axial::expr
