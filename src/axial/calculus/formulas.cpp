#include "axial/calculus/formulas.hpp"

#include <map>

#include "axial/notation/parse.hpp"

namespace axial::calculus {
namespace {

using Formulas = std::map<std::string_view, notation::Tree, std::less<>>;

Formulas parse_tables() {
  Formulas formulas;
  const auto add = [&](std::string_view formula) {
    if (formula.empty()) return;
    formulas.try_emplace(formula, notation::parse_formula(formula, notation::is_function));
  };
  for (const Word& word : elementwise_words) {
    for (const std::string_view partial : word.partials) add(partial);
  }
  for (const Reduction& reduction : reductions) {
    add(reduction.weight);
    add(reduction.short_weight);
  }
  for (const Primitive& primitive : primitives()) {
    for (const std::string_view formula : primitive.differentials) add(formula);
    for (const std::string_view formula : primitive.transposes) add(formula);
  }
  return formulas;
}

}  // namespace

expr::Expr from_table(std::string_view formula, const notation::Scope& scope) {
  static const Formulas formulas = parse_tables();
  return notation::elaborate(formulas.at(formula), scope);
}

notation::Scope word_scope(const expr::Expr& node) {
  constexpr std::string_view letters[] = {"a", "b", "c"};
  notation::Scope scope;
  scope.tensors.emplace("y", node);
  for (std::size_t k = 0; k < node.operands().size(); ++k) {
    const expr::Expr& operand = node.operands()[k];
    // Plain numbers are computed with at once: x^(3 - 1) is x^2.
    const auto* literal = operand.as<expr::Literal>();
    const bool is_number = literal != nullptr && !literal->size_of;
    scope.tensors.emplace(letters[k],
                          is_number ? expr::make(expr::Literal{literal->value}) : operand);
  }
  return scope;
}

notation::Scope reduction_scope(const expr::Reduce& reduce, const expr::Expr& node) {
  using expr::make;
  const expr::Expr& operand = node.operands()[0];
  Axes taken = operand.shape().names();
  expr::Rename apart;
  std::vector<Axis> other;
  expr::Expr same = make(expr::Literal{.value = true});
  for (const Axis axis : reduce.over) {
    const Axis name = fresh(axis, taken);
    taken = taken & name;
    apart.pairs.emplace_back(axis, name);
    other.push_back(name);
    const std::int64_t size = operand.shape().size(axis);
    const expr::Expr equal = make(expr::Map{find_word("equal")},
                                  {make(expr::Iota{axis[size]}), make(expr::Iota{name[size]})});
    same = make(expr::Map{find_word("and")}, {same, equal});
  }
  notation::Scope scope;
  scope.tensors = {{"x", operand}, {"y", node}, {"others", make(apart, {operand})}, {"same", same}};
  scope.formal_axes = {{"ax", reduce.over}, {"other", Axes(std::move(other))}};
  return scope;
}

notation::Scope primitive_scope(const expr::Along& along, const expr::Expr& node) {
  constexpr std::string_view letters[] = {"a", "b"};
  constexpr std::string_view operand_names[] = {"x", "z"};
  notation::Scope scope;
  scope.tensors.emplace("y", node);
  Axes taken = along.over & (node.shape().names() - along.over);
  for (std::size_t k = 0; k < node.operands().size(); ++k) {
    const expr::Expr& operand = node.operands()[k];
    scope.tensors.emplace(operand_names[k], operand);
    taken = taken & (operand.shape().names() - taken);
  }
  for (std::int64_t k = 0; k < along.over.count(); ++k) {
    const std::string letter(letters[k]);
    const Axis other = fresh(along.over[k], taken);
    taken = taken & other;
    scope.formal_axes.emplace(letter, along.over[k]);
    scope.formal_axes.emplace(letter + "'", other);
  }
  return scope;
}

}  // namespace axial::calculus
