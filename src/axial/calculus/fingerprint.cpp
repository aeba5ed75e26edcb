#include "axial/calculus/fingerprint.hpp"

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

bool is_commutative(const expr::Kind& kind) {
  if (std::holds_alternative<expr::Contract>(kind)) return true;
  const auto* map = std::get_if<expr::Map>(&kind);
  if (map == nullptr) return false;
  for (const Reduction& reduction : reductions) {
    // What can be folded in any order commutes.
    if (reduction.combine == map->word) return true;
  }
  return false;
}

/// What a kind says besides its operands, as text.
std::string described(const expr::Expr& node) {
  expr::Program program;
  program.steps.push_back({node.kind(), {}, node.type()});
  return expr::to_text(program);
}

}  // namespace

Fingerprint Fingerprints::of_node(const expr::Expr& node) const {
  const bool is_variable = node.as<expr::Leaf>() != nullptr || node.as<expr::Parameter>() != nullptr;
  if (is_variable) return mixed(reinterpret_cast<std::uintptr_t>(node.identity()));
  Fingerprint sum = 0;
  if (is_commutative(node.kind())) {
    for (const expr::Expr& operand : node.operands()) {
      sum += mixed(known_.at(operand.identity()).value);
    }
  } else {
    for (const expr::Expr& operand : node.operands()) {
      sum = mixed(sum + known_.at(operand.identity()).value);
    }
  }
  return mixed(sum ^ of_text(described(node)));
}

Fingerprint Fingerprints::operator()(const expr::Expr& expression) {
  const auto unknown = [&](const expr::Expr& node) { return !known_.contains(node.identity()); };
  for (const expr::Expr& node : expr::post_order({&expression, 1}, unknown)) {
    if (unknown(node)) known_.emplace(node.identity(), Entry{node, of_node(node)});
  }
  return known_.at(expression.identity()).value;
}

}  // namespace axial::calculus
