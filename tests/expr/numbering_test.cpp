#include "axial/expr/numbering.hpp"

#include <gtest/gtest.h>

namespace axial::expr {
namespace {

TEST(numbering, gives_each_node_a_number_however_many_there_are) {
  std::vector<Expr> nodes;
  for (int k = 0; k < 500; ++k) nodes.push_back(make(Literal{.value = k}));
  Numbering numbers;
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    // What was numbered before keeps its number, and what comes later has none.
    for (std::size_t other = 0; other < nodes.size(); ++other) {
      EXPECT_EQ(numbers.find(nodes[other].identity()),
                other < k ? static_cast<std::int64_t>(other) : -1);
    }
    EXPECT_TRUE(numbers.add(nodes[k].identity(), static_cast<std::int64_t>(k)));
    EXPECT_FALSE(numbers.add(nodes[k].identity(), 0));
  }
}

}  // namespace
}  // namespace axial::expr
