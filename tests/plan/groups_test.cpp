// Steps that are computed together in one nest.
#include "plan/compared.hpp"

namespace axial::plan {
namespace {

Axis val{"val"}, row{"row"}, column{"column"};

TEST(groups, that_meet_keep_the_row_of_the_sum_that_they_meet_in) {
  Random random(12);
  const Tensor x = random.normal(row[20] * column[30]), y = random.normal(row[20] * column[30]);
  compared(tanh(y) * row * softmax(column, x), 100);
  compared(softmax(column, x) * row * tanh(y), 100);
  compared(softmax(row, y) * row * softmax(column, x), 100);
}

TEST(groups, that_meet_make_no_circle) {
  Random random(13);
  const Tensor x = random.normal(row[20] * column[30]), W = random.normal(column[30] * val[30]);
  const Tensor h = tanh(x);
  compared(where(x > 0, h, (h * column * W)[val >> column]), 100);
  compared(exp(x) + h * (h * column * W)[val >> column], 100);
}

TEST(plan, of_the_gradient_of_a_softmax_is_one_nest) {
  Random random(8);
  const Tensor x = random.normal(row[20] * column[30]), y = random.normal(row[20] * column[30]);
  const auto plan = compared(gradient(sum(row & column, softmax(column, x) * y), x), 200);
  if (!Engine::is_available()) GTEST_SKIP();
  EXPECT_EQ(plan->steps.size(), 1);
}

}  // namespace
}  // namespace axial::plan
