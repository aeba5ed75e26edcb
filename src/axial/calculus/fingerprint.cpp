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
  const auto known = [&](std::size_t k) -> const Entry& {
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
  if (word == "add") return sum(known(0).as_term + known(1).as_term);
  if (word == "sub") return sum(known(0).as_term - known(1).as_term);
  if (word == "neg") return sum(-known(0).as_term);
  if (word == "mul") return product(known(0).as_factor + known(1).as_factor);
  if (word == "div") return product(known(0).as_factor - known(1).as_factor);
  Fingerprint value = 0;
  if (node.as<expr::Contract>() != nullptr) {
    for (std::size_t k = 0; k < operands.size(); ++k) value += known(k).as_factor;
  } else if (operands.empty() && (node.as<expr::Leaf>() != nullptr || node.is_open())) {
    value = mixed(reinterpret_cast<std::uintptr_t>(node.identity()));
    return {node, value, mixed(value), mixed(value)};
  } else {
    for (std::size_t k = 0; k < operands.size(); ++k) value = mixed(value + known(k).value);
  }
  value = mixed(value ^ of_text(described(node)));
  return {node, value, mixed(value), mixed(value)};
}

Fingerprint Fingerprints::operator()(const expr::Expr& expression) {
  const auto unknown = [&](const expr::Expr& node) { return !known_.contains(node.identity()); };
  for (const expr::Expr& node : expr::post_order({&expression, 1}, unknown)) {
    if (unknown(node)) known_.emplace(node.identity(), entry_of(node));
  }
  return known_.at(expression.identity()).value;
}

}  // namespace axial::calculus
