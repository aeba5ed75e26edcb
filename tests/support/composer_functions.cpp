// Calls and scans of the composer. Their bodies draw from the same few names of axes as everything
// else, so extra axes of the arguments often have the names of axes that a body uses inside.
#include <algorithm>

#include "axial/expr/lambda.hpp"
#include "support/composer.hpp"

namespace axial::support {
namespace {

using expr::Expr;
using expr::make;

Bounded parameter(const Bounded& argument, const Shape& own) {
  const expr::Type type{own, float64};
  return {make(expr::Parameter{"x", type}), argument.bound};
}

std::vector<Expr> expressions(const std::vector<Bounded>& terms) {
  std::vector<Expr> all;
  for (const Bounded& term : terms) all.push_back(term.expression);
  return all;
}

}  // namespace

std::optional<Bounded> Composer::call_rule() {
  std::vector<Bounded> arguments, parameters;
  Shape extras;
  for (std::int64_t count = generator_.integer(1, 3); count > 0; --count) {
    Bounded argument = operand();
    const Axes own = generator_.subset(argument.shape().names());
    // Only extra axes must agree in size; own axes may have the name of another's extra axis.
    const Shape further = argument.shape() - own;
    for (const SizedAxis& axis : further.written()) {
      if (extras.find(axis.axis).value_or(axis.size) != axis.size) {
        argument = without_axis(argument, axis.axis);
      }
    }
    extras = extras | (argument.shape() - own);
    parameters.push_back(parameter(argument, restrict(argument.shape(), own)));
    arguments.push_back(std::move(argument));
  }
  const Bounded result = without_axes(body(parameters), extras.names());
  const Expr call =
      expr::call("random", {}, expressions(parameters), result.expression, expressions(arguments));
  return Bounded{call, result.bound};
}

std::optional<Bounded> Composer::scan_rule() {
  Bounded first = operand_with_axis();
  const SizedAxis axis = generator_.pick(first.shape().written());
  std::vector<Bounded> inputs{first};
  if (generator_.chance(0.3)) {
    const Bounded more = fitted(operand(), first.shape());
    inputs.push_back(conformed(more, more.shape() | axis));
  }
  Bounded initial = squashed(without_axes(operand(), axis.axis));
  const Shape state = restrict(initial.shape(), generator_.subset(initial.shape().names()));
  Shape extras = initial.shape() - state.names();

  std::vector<Bounded> parameters{parameter(initial, state)};
  for (Bounded& input : inputs) {
    Axes own = generator_.subset(input.shape().names() - axis.axis);
    // An extra axis must be new to the state and agree with the other extra axes.
    const Shape further = input.shape() - (own & axis.axis);
    for (const SizedAxis& other : further.written()) {
      const bool clashes =
          state.contains(other.axis) || extras.find(other.axis).value_or(other.size) != other.size;
      if (clashes) own = own & other.axis;
    }
    extras = extras | (input.shape() - (own & axis.axis));
    parameters.push_back(parameter(input, restrict(input.shape(), own)));
  }
  const Bounded next = squashed(conformed(body(parameters), state));
  expr::Closure closure = expr::close("step", {}, expressions(parameters), next.expression);
  std::vector<Expr> operands{initial.expression};
  for (const Bounded& input : inputs) operands.push_back(input.expression);
  std::ranges::move(closure.captured, std::back_inserter(operands));
  const expr::Scan scan{axis.axis, generator_.chance(0.5), std::ssize(inputs), closure.function};
  return Bounded{make(scan, std::move(operands)), 1};
}

}  // namespace axial::support
