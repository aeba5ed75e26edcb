#include "axial/train/blame.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "axial/expr/traverse.hpp"
#include "axial/nn/finite.hpp"

namespace axial::train {
namespace {

using expr::Expr;

/// The first definition that a tensor belongs to; none if it belongs to the loss itself.
const NamedExpr* definition_of(const Expr& node, std::span<const NamedExpr> definitions) {
  const auto found = std::ranges::find_if(definitions, [&](const NamedExpr& definition) {
    const std::vector<Expr> parts = expr::post_order({&definition.value, 1});
    return std::ranges::find(parts, node.identity(), &Expr::identity) != parts.end();
  });
  return found == definitions.end() ? nullptr : &*found;
}

}  // namespace

std::string first_not_finite(const Objective& objective,
                             const std::map<std::string, Array>& values) {
  Tensors names, learned;
  expr::Substitution leaves;
  for (const NamedExpr& input : all_inputs(objective)) {
    const Tensor value(values.at(input.name));
    leaves.emplace(input.value.identity(), value.expression());
    names.emplace(input.name, value);
  }
  for (const NamedExpr& parameter : objective.parameters) {
    const Tensor& value = learned.emplace(parameter.name, names.at(parameter.name)).first->second;
    if (const auto found = axial::first_not_finite(value)) {
      return fmt::format("the parameter `{}` became {} in the step before", parameter.name,
                         shown_number(found->value));
    }
  }
  std::vector<Expr> roots = {objective.loss};
  for (const NamedExpr& definition : objective.definitions) roots.push_back(definition.value);
  roots = expr::substitute(roots, leaves);
  std::vector<NamedExpr> definitions = objective.definitions;
  for (std::size_t k = 0; k < definitions.size(); ++k) {
    definitions[k].value = roots[k + 1];
    names.emplace(definitions[k].name, Tensor(roots[k + 1]));
  }
  const auto found = axial::first_not_finite(Tensor(roots[0]), names, learned);
  if (!found) return "computed step by step, it is finite";
  const NamedExpr* place = definition_of(found->tensor.expression(), definitions);
  // Documents count from 1.
  return place == nullptr
             ? fmt::format("the first number that is not finite is {}", to_text(*found, 1))
             : fmt::format("the first tensor with such an element is `{}` {}, which comes from {}",
                           place->name, to_text(place->value.shape()), to_text(*found, 1));
}

}  // namespace axial::train
