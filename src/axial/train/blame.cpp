#include "axial/train/blame.hpp"

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <unordered_set>

#include "axial/expr/traverse.hpp"
#include "axial/train/named_program.hpp"

namespace axial::train {
namespace {

using expr::Expr;

/// The first element that is not a number, else the first that is infinite.
std::optional<double> not_finite(const Array& array) {
  std::optional<double> infinite;
  for (std::int64_t k = 0; k < array.volume(); ++k) {
    const double value = array.real(k);
    if (std::isnan(value)) return value;
    if (std::isinf(value) && !infinite) infinite = value;
  }
  return infinite;
}

/// The definitions that parameters have an influence on: a mask may hold -∞ on purpose.
std::vector<NamedExpr> influenced(const Objective& objective) {
  std::unordered_set<const expr::Node*> touched;
  for (const NamedExpr& parameter : objective.parameters)
    touched.insert(parameter.value.identity());
  for (const Expr& node : expr::post_order(std::span(&objective.loss, 1))) {
    for (const Expr& operand : node.operands()) {
      if (touched.contains(operand.identity())) touched.insert(node.identity());
    }
  }
  std::vector<NamedExpr> found;
  for (const NamedExpr& definition : objective.definitions) {
    if (touched.contains(definition.value.identity())) found.push_back(definition);
  }
  return found;
}

}  // namespace

std::string shown_number(double value) {
  return std::isnan(value) ? "NaN" : fmt::format("{}", value);
}

std::string first_not_finite(const Objective& objective,
                             const std::map<std::string, Array>& values) {
  for (const NamedExpr& parameter : objective.parameters) {
    if (const auto value = not_finite(values.at(parameter.name))) {
      return fmt::format("the parameter `{}` became {} in the step before", parameter.name,
                         shown_number(*value));
    }
  }
  const std::vector<NamedExpr> definitions = influenced(objective);
  std::vector<Expr> results;
  for (const NamedExpr& definition : definitions) results.push_back(definition.value);
  std::vector<NamedExpr> inputs = objective.inputs;
  inputs.insert(inputs.end(), objective.parameters.begin(), objective.parameters.end());
  const std::vector<Array> found = NamedProgram(results, inputs)(values);
  for (std::size_t k = 0; k < found.size(); ++k) {
    if (const auto value = not_finite(found[k])) {
      return fmt::format("the first tensor with such an element is `{}` {}, which holds {}",
                         definitions[k].name, to_text(found[k].shape()), shown_number(*value));
    }
  }
  return "everything that the document defines on the way to it is finite";
}

}  // namespace axial::train
