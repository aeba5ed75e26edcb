#include "axial/train/initial.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "axial/api/create.hpp"
#include "axial/expr/lambda.hpp"
#include "axial/expr/traverse.hpp"
#include "axial/nn/initializer.hpp"

namespace axial::train {
namespace {

using expr::Expr;

/// What is done with a parameter.
struct Use {
  /// How many products with it are added up, at most; 0 if none are.
  std::int64_t terms = 0;
  bool scales = false;
  bool is_looked_up = false;
};

/// True if the node only arranges the elements of its first operand in another way.
bool is_arrangement(const Expr& node) {
  return node.as<expr::Rename>() != nullptr || node.as<expr::Reshape>() != nullptr ||
         node.as<expr::Broadcast>() != nullptr || node.as<expr::Cast>() != nullptr ||
         node.as<expr::Slice>() != nullptr;
}

/// How many elements of a tensor a contraction adds up.
std::int64_t terms_of(const expr::Contract& contract, const Shape& shape) {
  std::int64_t terms = 1;
  for (const Axis axis : contract.over) terms *= shape.find(axis).value_or(1);
  return terms;
}

std::unordered_map<const expr::Node*, Use> uses_in(const Objective& objective) {
  std::unordered_map<const expr::Node*, Use> uses;
  std::unordered_map<const expr::Node*, const expr::Node*> origin;
  for (const NamedExpr& parameter : objective.parameters) {
    origin.emplace(parameter.value.identity(), parameter.value.identity());
  }
  const Expr loss = expr::without_calls(objective.loss);
  for (const Expr& node : expr::post_order(std::span(&loss, 1))) {
    for (std::size_t k = 0; k < node.operands().size(); ++k) {
      const Expr& operand = node.operands()[k];
      const auto found = origin.find(operand.identity());
      if (found == origin.end()) continue;
      Use& use = uses[found->second];
      if (k == 0 && is_arrangement(node)) origin.emplace(node.identity(), found->second);
      if (const auto* contract = node.as<expr::Contract>()) {
        use.terms = std::max(use.terms, terms_of(*contract, operand.shape()));
      }
      if (const auto* map = node.as<expr::Map>()) {
        use.scales = use.scales || map->word->name == "mul";
      }
      use.is_looked_up = use.is_looked_up || (k == 0 && node.as<expr::Index>() != nullptr);
    }
  }
  return uses;
}

}  // namespace

Tensors initial_values(const Objective& objective, std::uint64_t seed, ElementType element) {
  const auto uses = uses_in(objective);
  Tensors values;
  for (const auto& [name, leaf] : objective.parameters) {
    const auto found = uses.find(leaf.identity());
    const Use use = found == uses.end() ? Use{} : found->second;
    Random random(seed_of(seed, name));
    if (use.terms > 1) {
      const double deviation = 1 / std::sqrt(static_cast<double>(use.terms));
      values[name] = random.normal(leaf.shape(), 0, deviation, element);
    } else if (use.scales || use.terms == 1) {
      values[name] = ones(leaf.shape(), element);
    } else if (use.is_looked_up) {
      values[name] = random.normal(leaf.shape(), 0, 1, element);
    } else {
      values[name] = zeros(leaf.shape(), element);
    }
    values[name] = detached(values[name]);
  }
  return values;
}

}  // namespace axial::train
