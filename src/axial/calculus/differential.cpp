#include "axial/calculus/differential.hpp"

#include <algorithm>
#include <concepts>
#include <unordered_map>

#include "axial/base/error.hpp"
#include "axial/calculus/formulas.hpp"
#include "axial/calculus/recurrence.hpp"

namespace axial::calculus {
namespace {

using expr::make;
using Tangents = std::span<const Tangent>;

/// Constants do not change.
template <class Constant>
Tangent of_kind(const Constant&, const Expr&, Tangents) {
  return std::nullopt;
}

/// x^1 is x, alone or as a factor.
Expr without_first_powers(const Expr& expression) {
  const auto* map = expression.as<expr::Map>();
  if (map == nullptr || map->word->arity() != 2) return expression;
  const auto operands = expression.operands();
  if (map->word->name == "pow" && is_number(operands[1], 1)) return operands[0];
  if (map->word->name != "mul") return expression;
  return times(without_first_powers(operands[0]), without_first_powers(operands[1]));
}

/// ∂f(U, V) = f₁(U, V) ⊙ ∂U + f₂(U, V) ⊙ ∂V (eq. elementwise_rule), with the partials of the word.
Tangent of_kind(const expr::Map& map, const Expr& node, Tangents tangents) {
  const notation::Scope scope = word_scope(node);
  Tangent sum;
  for (std::size_t k = 0; k < tangents.size(); ++k) {
    const std::string_view partial = map.word->partials[k];
    if (!tangents[k] || partial.empty()) continue;
    Expr slope = from_table(partial, scope);
    if (map.word->name == "pow") slope = without_first_powers(slope);
    sum = plus(sum, times(slope, *tangents[k]));
  }
  return sum;
}

/// ∂ max_ax U = argmax_ax U ⊙_ax ∂U, and so with the weight of each reduction (eq. sum_rule).
Tangent of_kind(const expr::Reduce& reduce, const Expr& node, Tangents tangents) {
  const std::string_view weight = reduce.word->weight;
  if (weight.empty()) return std::nullopt;
  if (weight == "1") return total(reduce.over, *tangents[0]);
  const Expr factor = from_table(weight, reduction_scope(reduce, node));
  return contraction(reduce.over, {factor, *tangents[0]});
}

/// ∂(U ⊙_ax V) = U ⊙_ax ∂V + V ⊙_ax ∂U (eq. ndot_rule).
Tangent of_kind(const expr::Contract& contract, const Expr& node, Tangents tangents) {
  Tangent sum;
  for (std::size_t k = 0; k < tangents.size(); ++k) {
    if (!tangents[k]) continue;
    std::vector<Expr> factors(node.operands().begin(), node.operands().end());
    factors[k] = *tangents[k];
    sum = plus(sum, contraction(contract.over, std::move(factors)));
  }
  return sum;
}

template <class Kind, class... Kinds>
concept OneOf = (std::same_as<Kind, Kinds> || ...);

/// Kinds that are linear in their first operand and constant in all others.
template <OneOf<expr::Reshape, expr::Index, expr::Window, expr::Fold, expr::Scatter, expr::Slice,
                expr::Cast>
              Linear>
Tangent of_kind(const Linear& kind, const Expr& node, Tangents tangents) {
  if (!tangents[0]) return std::nullopt;
  std::vector<Expr> operands(node.operands().begin(), node.operands().end());
  operands[0] = *tangents[0];
  return make(kind, std::move(operands));
}
Tangent of_kind(const expr::Rename& kind, const Expr&, Tangents tangents) {
  return renamed(*tangents[0], kind.pairs);
}
Tangent of_kind(const expr::Broadcast& kind, const Expr&, Tangents tangents) {
  return spread(*tangents[0], kind.along);
}
/// What is added at the ends does not change.
Tangent of_kind(const expr::Pad& pad, const Expr&, Tangents tangents) {
  return make(expr::Pad{pad.axis, pad.before, pad.after, 0}, {*tangents[0]});
}

Tangent of_kind(const expr::Concat& concat, const Expr& node, Tangents tangents) {
  std::vector<Expr> parts;
  for (std::size_t k = 0; k < tangents.size(); ++k) {
    parts.push_back(tangents[k] ? *tangents[k] : zeros(node.operands()[k].type()));
  }
  return make(concat, std::move(parts));
}

Tangent of_kind(const expr::Along& along, const Expr& node, Tangents tangents) {
  notation::Scope scope = primitive_scope(along, node);
  Tangent sum;
  for (std::size_t k = 0; k < tangents.size(); ++k) {
    const std::string_view formula = along.word->differentials[k];
    if (!tangents[k] || formula.empty()) continue;
    scope.tensors.insert_or_assign("d", *tangents[k]);
    sum = plus(sum, from_table(formula, scope));
  }
  return sum;
}

Tangent of_kind(const expr::Scan& scan, const Expr& node, Tangents tangents) {
  return scan_differential(scan, node, tangents);
}

Tangent of_kind(const expr::Call&, const Expr&, Tangents) {
  bug("a call is inlined before it is differentiated");
}

}  // namespace

Tangent differential(const Expr& node, std::span<const Tangent> operands) {
  const bool constant =
      std::ranges::none_of(operands, [](const Tangent& tangent) { return tangent.has_value(); });
  if (constant || !is_real(node.element())) return std::nullopt;
  const Tangent result =
      std::visit([&](const auto& kind) { return of_kind(kind, node, operands); }, node.kind());
  // A sum may have an operand that the others do not reach: ∂(U + V) has the axes of both.
  return result ? Tangent(spread(*result, node.shape())) : std::nullopt;
}

std::vector<Tangent> differentials(std::span<const Expr> roots, const Increments& increments) {
  std::unordered_map<const expr::Node*, Tangent> known;
  const auto is_variable = [&](const Expr& node) { return increments.contains(node.identity()); };
  for (const Expr& node : expr::post_order(roots, std::not_fn(is_variable))) {
    if (is_variable(node)) {
      known.emplace(node.identity(), increments.at(node.identity()));
      continue;
    }
    std::vector<Tangent> operands;
    for (const Expr& operand : node.operands()) operands.push_back(known.at(operand.identity()));
    known.emplace(node.identity(), differential(node, operands));
  }
  std::vector<Tangent> results;
  for (const Expr& root : roots) results.push_back(known.at(root.identity()));
  return results;
}

}  // namespace axial::calculus
