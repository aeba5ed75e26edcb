#include <gmock/gmock.h>

#include "axial/axial.hpp"

namespace axial {
namespace {

TEST(explain, shows_what_several_tensors_share_once) {
  const Axis row{"row"};
  const Tensor x = Random(1).normal(row[50000]);
  const Tensor power = exp(x);
  const std::vector<Tensor> both = {power + 1, power * x};
  const std::string text = explain(both);
  if (text.starts_with("this build has no compiler")) GTEST_SKIP();
  EXPECT_THAT(text, ::testing::HasSubstr("exp add mul"));
  EXPECT_THAT(text, ::testing::HasSubstr("1 steps"));
}

}  // namespace
}  // namespace axial
