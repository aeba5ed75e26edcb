// Derivations as people read them: formulas of steps, and how rules are cited.
#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "axial/calculus/derivation.hpp"
#include "axial/calculus/product.hpp"
#include "axial/expr/traverse.hpp"

namespace axial::calculus {

using expr::make;

namespace {

/// The factors of a row of products.
std::vector<Expr> factors_in(const Expr& product) {
  std::vector<Expr> factors, pending{product};
  while (!pending.empty()) {
    const Expr part = pending.back();
    pending.pop_back();
    const auto* map = part.as<expr::Map>();
    if (map == nullptr || map->word->name != "mul") {
      factors.push_back(part);
    } else {
      pending.push_back(part.operands()[1]);
      pending.push_back(part.operands()[0]);
    }
  }
  return factors;
}

bool has_starred_axis(const Shape& shape) {
  return std::ranges::any_of(shape.written(), [](const SizedAxis& axis) {
    return axis.axis.name().ends_with("*") || axis.axis.name().ends_with("†");
  });
}

/// The same expression with differentials and derivatives behind what they are multiplied by, as
/// people write it: α ⊙_seq ∂V.
Expr in_reading_order(const Expr& root, const Pending& pending) {
  std::unordered_map<const expr::Node*, std::pair<Expr, bool>> late;
  const auto is_late = [&](const Expr& node) {
    const auto found = late.find(node.identity());
    return found != late.end() && found->second.second;
  };
  const auto rebuild = [&](const Expr& node, std::vector<Expr> operands) {
    const bool reached = pending.contains(node.identity()) || has_starred_axis(node.shape()) ||
                         std::ranges::any_of(operands, is_late);
    const auto* map = node.as<expr::Map>();
    const bool is_product = map != nullptr && map->word->name == "mul";
    Expr result = node;
    if (node.as<expr::Contract>() != nullptr) {
      const auto tail = std::ranges::stable_partition(operands, std::not_fn(is_late));
      Shape late_shape;
      for (const Expr& operand : tail) late_shape = late_shape | operand.shape();
      // What only shares axes with the differential stands beside it: V ⊙_seq (α ⊙ ∂S).
      std::stable_partition(operands.begin(), tail.begin(), [&](const Expr& operand) {
        return !contains(late_shape, operand.shape());
      });
      result = expr::with_operands(node, std::move(operands));
    } else if (is_product) {
      const Expr product = expr::with_operands(node, std::move(operands));
      std::vector<Expr> factors = factors_in(product);
      // Numbers come first, and sums behind what they are multiplied by: 2 y ⊙ (1 - y).
      const auto rank = [&](const Expr& factor) {
        const int place = factor.as<expr::Delta>() != nullptr ? 2 : is_late(factor) ? 1 : 0;
        const bool is_literal = factor.as<expr::Literal>() != nullptr;
        return 3 * place + (is_literal ? 0 : is_sum(factor) ? 2 : 1);
      };
      const auto* right = product.operands()[1].as<expr::Map>();
      const bool nested = right != nullptr && right->word->name == "mul";
      const bool ordered = !nested && std::ranges::is_sorted(factors, {}, rank);
      std::ranges::stable_sort(factors, {}, rank);
      result = ordered ? product : factors[0];
      for (std::size_t k = 1; !ordered && k < factors.size(); ++k) {
        result = make(expr::Map{find_word("mul")}, {result, factors[k]});
      }
    } else {
      result = expr::with_operands(node, std::move(operands));
    }
    late.emplace(result.identity(), std::pair(result, reached));
    return result;
  };
  return expr::rewrite({&root, 1}, rebuild)[0];
}

/// (∂X)^* as ∂X^*, which is the same.
void move_marks_inside(notation::Tree& tree) {
  for (notation::Tree& child : tree.children) move_marks_inside(child);
  const bool marked =
      tree.form == notation::Form::mark && tree.children[0].form == notation::Form::differential;
  if (!marked) return;
  notation::Tree differential = std::move(tree.children[0]);
  tree.children[0] = std::move(differential.children[0]);
  notation::Tree mark = std::move(tree);
  differential.children[0] = std::move(mark);
  tree = std::move(differential);
}

/// Names for the parameters of lemmas, which are called as in the definition of the phrase.
void name_parameters(const Expr& expression, const Pending& pending, notation::Names& names) {
  for (const Expr& node : expr::post_order({&expression, 1})) {
    const auto* free = node.as<expr::Parameter>();
    if (free == nullptr || pending.contains(node.identity())) continue;
    names.try_emplace(node.identity(),
                      notation::Tree{notation::Form::name, {}, free->name, {}, {}});
  }
}

}  // namespace

notation::Tree formula_of(const Step& step, const Pending& pending, const notation::Names& names) {
  notation::Names all = names;
  const Expr expression = in_reading_order(step.expression, pending);
  name_parameters(expression, pending, all);
  for (const Expr& node : expr::post_order({&expression, 1})) {
    const auto found = pending.find(node.identity());
    if (found == pending.end()) continue;
    const Expr subject = in_reading_order(found->second.subject, pending);
    name_parameters(subject, pending, all);
    notation::Tree differential{notation::Form::differential, {}, {}, {}, {}};
    differential.children.push_back(notation::formula_of(subject, all));
    all.emplace(node.identity(), std::move(differential));
  }
  notation::Tree formula = notation::formula_of(expression, all);
  move_marks_inside(formula);
  return formula;
}

std::string cited(const Step& step) {
  if (step.rule == nullptr) return "";
  if (step.rule == &rule("differential")) return fmt::format("differential of {}", step.of);
  if (step.rule == &rule("definition")) return fmt::format("definition of {}", step.of);
  return step.of.empty() ? std::string(step.rule->name)
                         : fmt::format("{} ({})", step.rule->name, step.of);
}

}  // namespace axial::calculus
