// Products that stay the same if axes change places are computed by half.
#include "plan/compared.hpp"

namespace axial::plan {
namespace {

const Axis n{"n"}, m{"m"}, k{"k"}, batch{"batch"};

/// How many of the products of a tensor's plan are symmetric, after comparing its value.
int symmetric_products(const Tensor& tensor, std::int64_t terms) {
  const auto plan = compared(tensor, terms);
  return static_cast<int>(std::ranges::count_if(plan->steps, [](const PlanStep& step) {
    const auto* product = std::get_if<RunProduct>(&step.action);
    return product != nullptr && product->product.is_symmetric;
  }));
}

class Symmetry : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!Engine::is_available()) GTEST_SKIP();
  }
  Random random{1};
  /// In double precision, which no machine splits: all choose the same.
  Tensor numbers(const Shape& shape) { return random.normal(shape, 0, 1, float64); }
  Tensor X = numbers(m[300] * n[150]);
  Tensor other = numbers(m[300] * n[150]);
  Tensor weights = numbers(m[300]);
};

TEST_F(Symmetry, is_seen_in_the_product_of_a_matrix_with_itself) {
  EXPECT_EQ(symmetric_products(X * m * X[n >> n.prime()], 300), 1);
  EXPECT_EQ(symmetric_products(X[n >> n.star()] * m * X[n >> n.prime()], 300), 1);
  EXPECT_EQ(symmetric_products(X * m * other[n >> n.prime()], 300), 0);
}

TEST_F(Symmetry, is_seen_through_factors_that_both_sides_share) {
  EXPECT_EQ(symmetric_products((X * weights) * m * X[n >> n.prime()], 300), 1);
  EXPECT_EQ(symmetric_products(X * m * (exp(weights) * X[n >> n.prime()]), 300), 1);
  EXPECT_EQ(symmetric_products(dot(m, X, weights, X[n >> n.prime()]), 300), 1);
  EXPECT_EQ(symmetric_products((X * other) * m * (X * other)[n >> n.prime()], 300), 1);
  EXPECT_EQ(symmetric_products((X * other) * m * X[n >> n.prime()], 300), 0);
  // One side alone has a weight for each row.
  const Tensor each = numbers(n[150]);
  EXPECT_EQ(symmetric_products((each * X) * m * X[n >> n.prime()], 300), 0);
}

TEST_F(Symmetry, is_seen_through_axes_that_were_renamed_before_and_after) {
  const Tensor A = numbers(n[150] * m[150]), x = numbers(n[150]);
  const Axis p{"p"};
  const auto renamed = [&](const Tensor& weight) { return (A[n >> p][m >> n] * weight)[n >> m]; };
  EXPECT_EQ(symmetric_products((A * x[n >> m]) * m * renamed(x), 150), 1);
  // Here it is a weight for each column.
  EXPECT_EQ(symmetric_products((A * x[n >> m]) * m * renamed(x[n >> p]), 150), 0);
}

TEST_F(Symmetry, is_seen_in_each_matrix_of_a_batch_and_between_several_axes) {
  const Tensor many = numbers(batch[3] * m[50] * n[120]);
  EXPECT_EQ(symmetric_products(many * m * many[n >> n.prime()], 50), 1);
  const Tensor pairs = numbers(m[80] * n[12] * k[11]);
  const Tensor renamed = pairs[n >> n.prime()][k >> k.prime()];
  EXPECT_EQ(symmetric_products(pairs * m * renamed, 80), 1);
  // Axes of the same size may have changed places.
  const Tensor square = numbers(m[80] * n[12] * k[12]);
  EXPECT_EQ(symmetric_products(square * m * square[n >> k.prime()][k >> n.prime()], 80), 1);
}

TEST_F(Symmetry, is_seen_in_hessians) {
  const Tensor w = numbers(n[150]);
  EXPECT_EQ(symmetric_products(hessian(sum(m, softplus(X * n * w)), w), 300), 1);
}

TEST_F(Symmetry, of_few_rows_or_within_chains_is_left) {
  const Tensor few = numbers(m[300] * n[7]);
  EXPECT_EQ(symmetric_products(few * m * few[n >> n.prime()], 300), 0);
  const Tensor scores = X * m * X[n >> n.prime()];
  compared(softmax(n.prime(), scores) * n.prime() * other[n >> n.prime()][m >> k], 2000);
}

}  // namespace
}  // namespace axial::plan
