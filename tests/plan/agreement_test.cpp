// Whatever the reference evaluator computes, the engine computes, for every layout of the inputs and
// on any number of threads.
#include <gtest/gtest.h>

#include <cstring>

#include "axial/calculus/simplify.hpp"
#include "axial/expr/lambda.hpp"
#include "axial/expr/traverse.hpp"
#include "axial/plan/engine.hpp"
#include "axial/plan/stepwise.hpp"
#include "axial/reference/evaluate.hpp"
#include "support/random_expression.hpp"
#include "support/tolerance.hpp"

namespace axial {
namespace {

using support::Generator;

/// Shares all work among its threads and joins all steps that it can, however little they do, so that
/// every way is tried.
plan::Engine& engine(int threads) {
  static plan::Engine engine(1, {}, {.shared = 0, .joined = 0});
  if (engine.threads() != threads) engine.set_threads(threads);
  return engine;
}

/// The same values in a random order of axes.
Array shuffled(const Array& array, Generator& generator) {
  std::vector<Axis> axes;
  for (const SizedAxis& axis : array.shape().written()) axes.push_back(axis.axis);
  Axes order;
  for (const Axis axis : generator.shuffled(axes)) order = order & axis;
  return laid_out(array, order);
}

::testing::AssertionResult agree(const Array& actual, const Array& expected, double relative) {
  if (actual.shape() != expected.shape() || actual.type() != expected.type()) {
    return ::testing::AssertionFailure() << to_text(actual.shape()) << " " << to_text(actual.type())
                                         << " is not " << to_text(expected.shape());
  }
  const Array ordered = laid_out(actual, expected.shape().names());
  double scale = 1;
  for (std::int64_t k = 0; k < expected.volume(); ++k) {
    if (std::isfinite(expected.real(k))) scale = std::max(scale, std::abs(expected.real(k)));
  }
  for (std::int64_t k = 0; k < expected.volume(); ++k) {
    if (!support::near(ordered.real(k), expected.real(k), relative * scale)) {
      return ::testing::AssertionFailure()
             << "element " << k << " is " << ordered.real(k) << ", not " << expected.real(k);
    }
  }
  return ::testing::AssertionSuccess();
}

/// True if no bit differs.
bool same_bits(const Array& left, const Array& right) {
  const Array ordered = laid_out(left, right.shape().names());
  return left.type() == right.type() &&
         std::memcmp(ordered.bytes(), right.bytes(),
                     static_cast<std::size_t>(right.volume() * facts(right.type()).bytes)) == 0;
}

/// Runs an expression on the engine, step by step, and on the reference evaluator.
void compare(const expr::Expr& expression, Generator& generator, double relative) {
  const expr::Expr plain = expr::without_calls(expression);
  expr::Linearized linearized = expr::linearize({&plain, 1});
  std::vector<Array> inputs;
  for (const Array& array : linearized.data) inputs.push_back(shuffled(array, generator));
  const Array expected = reference::run(linearized.program, linearized.data)[0];
  const std::vector<const Array*> pointers = expr::pointers_to(inputs);
  const plan::Stepwise steps(linearized.program, plan::layouts_of(pointers));
  ASSERT_TRUE(same_bits(steps.run(pointers)[0], expected)) << to_text(linearized.program);
  for (const int threads : {1, 2, 3}) {
    const Array actual = engine(threads).run(linearized.program, inputs)[0];
    ASSERT_TRUE(agree(actual, expected, relative)) << to_text(linearized.program);
  }
}

TEST(engine, agrees_with_the_reference_evaluator) {
  support::for_each_seed(40, [](Generator& generator) {
    compare(support::random_expression(generator), generator, 1e-9);
  });
}

TEST(slow_engine, agrees_with_the_reference_evaluator_on_longer_axes) {
  support::for_each_seed(15, [](Generator& generator) {
    const support::ExpressionOptions options{
        .operations = 20, .sizes = {1, 4, 7, 19, 33}, .max_volume = 3000};
    compare(support::random_expression(generator, options), generator, 1e-9);
  });
}

}  // namespace
}  // namespace axial
