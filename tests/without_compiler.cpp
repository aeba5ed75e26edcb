// What only holds where no code can be generated, as in a build without LLVM.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "axial/axial.hpp"
#include "axial/plan/engine.hpp"

namespace axial {
namespace {

const Axis row("row"), column("column"), other("other");

TEST(without_compiler, the_engine_is_not_there_and_says_so) {
  EXPECT_FALSE(plan::Engine::is_available());
  EXPECT_THAT(explain(exp(Random(1).normal(Shape(row[3])))), ::testing::HasSubstr("no compiler"));
}

TEST(without_compiler, large_expressions_have_their_values) {
  Random random(1);
  const Tensor A = random.normal(row[60] * column[50]), B = random.normal(column[50] * other[40]);
  const Tensor share = softmax(row, A * column * B);
  EXPECT_NEAR(sum(row & other, share).item(), 40, 1e-4);
}

}  // namespace
}  // namespace axial
