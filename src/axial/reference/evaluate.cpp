#include "axial/reference/evaluate.hpp"

#include <algorithm>
#include <optional>

#include "axial/reference/definitions.hpp"

namespace axial::reference {
namespace {

/// For each input and step, the last step that reads it, so that memory is freed early.
std::vector<std::int64_t> last_uses(const expr::Program& program) {
  const auto inputs = std::ssize(program.inputs);
  std::vector<std::int64_t> last(program.inputs.size() + program.steps.size(), -1);
  for (std::int64_t step = 0; step < std::ssize(program.steps); ++step) {
    for (const std::int64_t operand : program.steps[static_cast<std::size_t>(step)].operands) {
      last[static_cast<std::size_t>(operand)] = inputs + step;
    }
  }
  for (const std::int64_t result : program.results) {
    last[static_cast<std::size_t>(result)] = std::ssize(last);
  }
  return last;
}

/// A step may read its operands in the written order of their types, so every value is laid out
/// that way.
Array as_typed(const Array& value, const expr::Type& type) {
  return laid_out(value, type.shape.names());
}

}  // namespace

std::vector<Array> run(const expr::Program& program, std::vector<Array> inputs) {
  const auto last = last_uses(program);
  std::vector<std::optional<Array>> values;
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    values.emplace_back(as_typed(inputs[k], program.inputs[k]));
  }
  inputs.clear();
  for (const expr::Step& step : program.steps) {
    std::vector<Array> operands;
    const std::int64_t now = std::ssize(values);
    for (const std::int64_t operand : step.operands) {
      operands.push_back(*values[static_cast<std::size_t>(operand)]);
    }
    for (const std::int64_t operand : step.operands) {
      if (last[static_cast<std::size_t>(operand)] == now) {
        values[static_cast<std::size_t>(operand)].reset();
      }
    }
    values.emplace_back(as_typed(define(step.kind, operands, step.type), step.type));
  }
  std::vector<Array> results;
  for (const std::int64_t result : program.results) {
    results.push_back(*values[static_cast<std::size_t>(result)]);
  }
  return results;
}

Array evaluate(const expr::Expr& expression) {
  expr::Linearized linearized = expr::linearize({&expression, 1});
  return run(linearized.program, std::move(linearized.data))[0];
}

}  // namespace axial::reference
