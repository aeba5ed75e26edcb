#include "axial/expr/structure.hpp"

#include <gtest/gtest.h>

#include "axial/axial.hpp"
#include "axial/expr/program.hpp"
#include "support/random_expression.hpp"

namespace axial::expr {
namespace {

const Axis row("row"), column("column");

StructureHash hash(const Tensor& tensor) {
  return structure_above_values({&tensor.expression(), 1}).hash;
}

Tensor matrix(double value) { return broadcast(tensor(row[2], {value, 1}), column[3]); }

TEST(structure, is_that_of_equal_formulas_with_other_values) {
  const Tensor A = eval(matrix(1)), B = eval(matrix(2));
  EXPECT_EQ(hash(softmax(row, A) * 2 + B), hash(softmax(row, B) * 2 + A));
}

TEST(structure, tells_apart_which_leaves_are_the_same) {
  const Tensor A = eval(matrix(1)), B = eval(matrix(2));
  EXPECT_NE(hash(A + A), hash(A + B));
  EXPECT_NE(hash(A - B * A), hash(A - B * B));
}

TEST(structure, tells_apart_numbers_axes_words_and_shapes) {
  const Tensor A = eval(matrix(1));
  EXPECT_NE(hash(A + 1), hash(A + 2));
  EXPECT_NE(hash(A + 1), hash(A - 1));
  EXPECT_NE(hash(sum(row, A)), hash(sum(column, A)));
  EXPECT_NE(hash(softmax(row, A)), hash(softmax(column, A)));
  EXPECT_NE(hash(A + 1), hash(eval(A[row(0, 1)]) + 1));
  EXPECT_NE(hash(A + 1), hash(eval(to(float64, A)) + 1));
}

TEST(structure, tells_apart_how_values_lie) {
  const Tensor A = eval(matrix(1));
  const Tensor B(laid_out(A.array(), column & row));
  const Tensor C(laid_out(A.array(), row & column));
  EXPECT_NE(hash(B + 1), hash(C + 1));
}

TEST(structure, is_not_that_of_another_random_expression) {
  // Equal hashes must mean equal programs.
  std::unordered_map<StructureHash, std::string, HashOfStructure> programs;
  support::for_each_seed(200, [&](support::Generator& generator) {
    const Expr expression = support::random_expression(generator);
    const std::string text = to_text(linearize({&expression, 1}).program);
    const StructureHash found = structure_above_values({&expression, 1}).hash;
    EXPECT_EQ(programs.emplace(found, text).first->second, text);
  });
}

}  // namespace
}  // namespace axial::expr
