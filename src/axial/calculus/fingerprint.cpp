#include "axial/calculus/fingerprint.hpp"

#include <fmt/format.h>

#include <string>

#include "axial/expr/lambda.hpp"
#include "axial/expr/program.hpp"
#include "axial/expr/traverse.hpp"

namespace axial::calculus {
namespace {

/// A bijection of 64-bit numbers that spreads every bit over all others.
Fingerprint mixed(Fingerprint value) {
  value ^= value >> 30;
  value *= 0xbf58476d1ce4e5b9ULL;
  value ^= value >> 27;
  value *= 0x94d049bb133111ebULL;
  return value ^ (value >> 31);
}

Fingerprint of_text(std::string_view text) { return mixed(std::hash<std::string_view>{}(text)); }

/// What a kind says besides its operands, as text.
std::string described(const expr::Expr& node) {
  expr::Program program;
  program.steps.push_back({node.kind(), {}, node.type()});
  return expr::to_text(program);
}

}  // namespace

Fingerprints::Entry Fingerprints::entry_of(const expr::Expr& node) const {
  const auto operands = node.operands();
  const auto operand_entry = [&](std::size_t k) -> const Entry& {
    return known_.at(operands[k].identity());
  };
  const auto* map = node.as<expr::Map>();
  const std::string_view word = map == nullptr ? std::string_view{} : map->word->name;
  const std::string type = fmt::format("{} {}", to_text(node.element()), to_text(node.shape()));
  // Sums and products add up what their operands contribute, so that nesting does not show.
  const auto sum = [&](Fingerprint terms) {
    const Fingerprint value = mixed(terms ^ of_text("sum " + type));
    return Entry{node, value, terms, mixed(value)};
  };
  const auto product = [&](Fingerprint factors) {
    const Fingerprint value = mixed(factors ^ of_text("product " + type));
    return Entry{node, value, mixed(value), factors};
  };
  if (word == "add") return sum(operand_entry(0).as_term + operand_entry(1).as_term);
  if (word == "sub") return sum(operand_entry(0).as_term - operand_entry(1).as_term);
  if (word == "neg") return sum(-operand_entry(0).as_term);
  if (word == "mul") return product(operand_entry(0).as_factor + operand_entry(1).as_factor);
  if (word == "div") return product(operand_entry(0).as_factor - operand_entry(1).as_factor);
  if (const auto* literal = node.as<expr::Literal>()) {
    // A number is the same whatever element type it has taken.
    const Fingerprint value =
        of_text(fmt::format("{} {}", literal->value.real(),
                            literal->size_of ? literal->size_of->name() : std::string_view{}));
    return {node, value, mixed(value), mixed(value)};
  }
  Fingerprint value = 0;
  if (node.as<expr::Contract>() != nullptr) {
    for (std::size_t k = 0; k < operands.size(); ++k) value += operand_entry(k).as_factor;
  } else if (operands.empty() && (node.as<expr::Leaf>() != nullptr || node.is_open())) {
    value = mixed(reinterpret_cast<std::uintptr_t>(node.identity()));
    return {node, value, mixed(value), mixed(value)};
  } else {
    for (std::size_t k = 0; k < operands.size(); ++k) value = mixed(value + operand_entry(k).value);
  }
  value = mixed(value ^ of_text(described(node)));
  return {node, value, mixed(value), mixed(value)};
}

const Fingerprints::Entry& Fingerprints::known(const expr::Expr& expression) {
  const auto unknown = [&](const expr::Expr& node) { return !known_.contains(node.identity()); };
  for (const expr::Expr& node : expr::post_order({&expression, 1}, unknown)) {
    if (!unknown(node)) continue;
    Entry entry = entry_of(node);
    for (const expr::Expr& operand : node.operands()) {
      entry.size += known_.at(operand.identity()).size;
    }
    known_.emplace(node.identity(), std::move(entry));
  }
  return known_.at(expression.identity());
}

Fingerprint Fingerprints::operator()(const expr::Expr& expression) {
  return known(expression).value;
}

double Fingerprints::size(const expr::Expr& expression) { return known(expression).size; }

}  // namespace axial::calculus
