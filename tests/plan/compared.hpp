// Runs tensors on the engine and compares them with the reference evaluator.
#pragma once

#include <gtest/gtest.h>

#include "axial/axial.hpp"
#include "axial/calculus/simplify.hpp"
#include "axial/expr/lambda.hpp"
#include "axial/plan/engine.hpp"
#include "axial/reference/evaluate.hpp"
#include "support/tolerance.hpp"

namespace axial::plan {

inline Engine& engine() {
  static Engine instance(2, {});
  return instance;
}

/// Runs a tensor on the engine and compares it; gives the plan.
inline std::shared_ptr<const Plan> compared(const Tensor& tensor, std::int64_t terms) {
  if (!Engine::is_available()) return std::make_shared<Plan>();
  const expr::Expr plain = calculus::without_deltas(expr::without_calls(tensor.expression()));
  const expr::Linearized linearized = expr::linearize({&plain, 1});
  const Array expected = reference::run(linearized.program, linearized.data)[0];
  const Array actual = engine().run(linearized.program, linearized.data)[0];
  EXPECT_TRUE(support::close_to(Tensor(actual), Tensor(expected), terms));
  std::vector<Shape> layouts;
  for (const Array& input : linearized.data) layouts.push_back(input.shape());
  return engine().plan_for(linearized.program, layouts);
}

template <class Step>
std::ptrdiff_t count(const Plan& plan) {
  return std::ranges::count_if(
      plan.steps, [](const PlanStep& step) { return std::holds_alternative<Step>(step.action); });
}

}  // namespace axial::plan
