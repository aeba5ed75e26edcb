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
    if (!is_word(part, "mul")) {
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

/// True for numbers and what is made of them alone.
bool is_constant(const Expr& factor) {
  if (factor.as<expr::Cast>() != nullptr) return is_constant(factor.operands()[0]);
  return factor.type().weak || factor.as<expr::Literal>() != nullptr;
}

/// Puts differentials and derivatives behind what they are multiplied by, as people write it:
/// α ⊙_seq ∂V.
class ReadingOrder {
 public:
  explicit ReadingOrder(const Pending& pending) : pending_(&pending) {}

  Expr operator()(const Expr& root) {
    return expr::rewrite({&root, 1}, [&](const Expr& node, std::vector<Expr> operands) {
      const bool reached = pending_->contains(node.identity()) || has_starred_axis(node.shape()) ||
                           std::ranges::any_of(operands, is_late());
      const Expr result = ordered(node, std::move(operands));
      late_.emplace(result.identity(), std::pair(result, reached));
      return result;
    })[0];
  }

 private:
  std::function<bool(const Expr&)> is_late() const {
    return [this](const Expr& node) {
      const auto found = late_.find(node.identity());
      return found != late_.end() && found->second.second;
    };
  }

  Expr ordered(const Expr& node, std::vector<Expr> operands) const {
    if (node.as<expr::Contract>() != nullptr)
      return contraction_in_order(node, std::move(operands));
    const Expr rebuilt = expr::with_operands(node, std::move(operands));
    if (is_word(rebuilt, "div") && is_word(rebuilt.operands()[0], "div")) {
      // A / B / C as A / (B ⊙ C).
      const auto inner = rebuilt.operands()[0].operands();
      const Expr below = make(expr::Map{find_word("mul")}, {inner[1], rebuilt.operands()[1]});
      return make(expr::Map{find_word("div")}, {inner[0], product_in_order(below)});
    }
    if (!is_word(rebuilt, "mul")) return rebuilt;
    const auto factors = rebuilt.operands();
    if (!is_word(factors[1], "div")) return product_in_order(rebuilt);
    // A ⊙ (B / C) as (A ⊙ B) / C, which needs fewer parentheses.
    const auto quotient = factors[1].operands();
    const Expr above = make(expr::Map{find_word("mul")}, {factors[0], quotient[0]});
    return make(expr::Map{find_word("div")}, {product_in_order(above), quotient[1]});
  }

  Expr contraction_in_order(const Expr& node, std::vector<Expr> operands) const {
    const auto tail = std::ranges::stable_partition(operands, std::not_fn(is_late()));
    Shape late_shape;
    for (const Expr& operand : tail) late_shape = late_shape | operand.shape();
    // What only shares axes with the differential stands beside it: V ⊙_seq (α ⊙ ∂S).
    std::stable_partition(operands.begin(), tail.begin(), [&](const Expr& operand) {
      return !contains(late_shape, operand.shape());
    });
    return expr::with_operands(node, std::move(operands));
  }

  /// Numbers come first, identities last, and sums behind what they are multiplied by:
  /// 2 y ⊙ (1 - y).
  Expr product_in_order(const Expr& product) const {
    std::vector<Expr> factors = factors_in(product);
    const auto rank = [&](const Expr& factor) {
      const int place = factor.as<expr::Delta>() != nullptr ? 2 : is_late()(factor) ? 1 : 0;
      return 3 * place + (is_constant(factor) ? 0 : is_sum(factor) ? 2 : 1);
    };
    const bool nested = is_word(product.operands()[1], "mul");
    if (!nested && std::ranges::is_sorted(factors, {}, rank)) return product;
    std::ranges::stable_sort(factors, {}, rank);
    Expr result = factors[0];
    for (std::size_t k = 1; k < factors.size(); ++k) {
      result = make(expr::Map{find_word("mul")}, {result, factors[k]});
    }
    return result;
  }

  const Pending* pending_;
  /// Nodes that are or have a differential or a derivative, kept alive.
  std::unordered_map<const expr::Node*, std::pair<Expr, bool>> late_;
};

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
  const Expr expression = ReadingOrder(pending)(step.expression);
  name_parameters(expression, pending, all);
  for (const Expr& node : expr::post_order({&expression, 1})) {
    const auto found = pending.find(node.identity());
    if (found == pending.end()) continue;
    const Expr subject = ReadingOrder(pending)(found->second.subject);
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
