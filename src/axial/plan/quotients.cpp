// Gradients of a softmax divide again and again by the same totals of powers. Where a row was divided by
// its total already, nothing but that quotient is needed.
#include <set>
#include <unordered_map>

#include "axial/expr/traverse.hpp"
#include "axial/plan/passes.hpp"

namespace axial::plan {
namespace {

using expr::Expr;
using expr::make;
using expr::Node;

bool is_map(const Expr& node, const Word& word) {
  const auto* map = node.as<expr::Map>();
  return map != nullptr && map->word == &word;
}

/// What an expression divides by a total of powers. Other divisors keep numbers small on purpose, so they
/// stay where they are.
struct Quotient {
  Expr dividend;
  Expr divisor;
};
std::optional<Quotient> as_quotient(const Expr& node) {
  if (!is_map(node, word("div"))) return std::nullopt;
  const Expr& divisor = node.operands()[1];
  const auto* total = divisor.as<expr::Reduce>();
  const bool is_total = total != nullptr && total->word == &reduction("sum") &&
                        is_map(divisor.operands()[0], word("exp"));
  return is_total ? std::optional(Quotient{node.operands()[0], divisor}) : std::nullopt;
}

Expr quotient(const Expr& dividend, const Expr& divisor) {
  return make(expr::Map{&word("div")}, {dividend, divisor});
}

/// What is known of a graph before it is rewritten.
struct Known {
  /// Rows and the totals by which they are divided somewhere.
  std::set<std::pair<const Node*, const Node*>> quotients;
  std::unordered_map<const Node*, int> users;
};

Known known(std::span<const Expr> roots) {
  Known result;
  for (const Expr& root : roots) ++result.users[root.identity()];
  for (const Expr& node : expr::post_order(roots)) {
    for (const Expr& operand : node.operands()) ++result.users[operand.identity()];
    const auto parts = as_quotient(node);
    if (parts && parts->divisor.shape() != parts->dividend.shape()) {
      result.quotients.emplace(parts->dividend.identity(), parts->divisor.identity());
    }
  }
  return result;
}

/// True for e^(x - c) / Σ e^(x - c) where c is the largest x of each sum: powers are at most 1 and the
/// total is at least 1, so that neither large nor small numbers get lost if it divides later.
bool is_softmax(const Quotient& parts) {
  const Expr& powers = parts.dividend;
  const bool is_own_total = parts.divisor.operands()[0].identity() == powers.identity();
  if (!is_own_total || !is_map(powers.operands()[0], word("sub"))) return false;
  const Expr& difference = powers.operands()[0];
  Expr centre = difference.operands()[1];
  while (is_map(centre, word("constant"))) centre = Expr(centre.operands()[0]);
  const auto* largest = centre.as<expr::Reduce>();
  return largest != nullptr && largest->word == &reduction("max") &&
         largest->over == parts.divisor.as<expr::Reduce>()->over &&
         centre.operands()[0].identity() == difference.operands()[0].identity();
}

/// Σ x ⊙ (y / s) = (Σ x ⊙ y) / s, where nobody else needs y / s, and s has the axes of the sum; or fewer,
/// if then there are fewer elements to divide, as in attention.
std::optional<Expr> divided_later(const Expr& node, const Expressions& operands,
                                  const Known& known) {
  const auto* contract = node.as<expr::Contract>();
  if (contract == nullptr) return std::nullopt;
  for (std::size_t k = 0; k < operands.size(); ++k) {
    const auto parts = as_quotient(operands[k]);
    const bool is_private = known.users.at(node.operands()[k].identity()) == 1;
    if (!parts || !is_private) continue;
    const Shape &divisor = parts->divisor.shape(), &dividend = parts->dividend.shape();
    const bool saves_divisions = node.shape().volume() < dividend.volume() &&
                                 common(divisor.names(), contract->over).count() == 0 &&
                                 is_softmax(*parts);
    if (divisor != node.shape() && !saves_divisions) continue;
    Expressions factors = operands;
    factors[k] = parts->dividend;
    return quotient(make(*contract, std::move(factors)), parts->divisor);
  }
  return std::nullopt;
}

/// (x / s) ⊙ y = x ⊙ (y / s), where y / s is there anyway.
std::optional<Expr> with_known_quotient(const Expr& node, const Expressions& operands,
                                        const Known& known) {
  if (!is_map(node, word("mul"))) return std::nullopt;
  for (const std::size_t k : {0, 1}) {
    const auto parts = as_quotient(operands[k]);
    const Expr& other = operands[1 - k];
    if (!parts || !known.quotients.contains({other.identity(), parts->divisor.identity()}))
      continue;
    return make(node.kind(), {parts->dividend, quotient(other, parts->divisor)});
  }
  return std::nullopt;
}

}  // namespace

Expressions reuse_quotients(std::span<const Expr> roots) {
  const Known before = known(roots);
  return expr::rewrite(roots, [&](const Expr& node, Expressions operands) {
    if (auto later = divided_later(node, operands, before)) return *later;
    if (auto reused = with_known_quotient(node, operands, before)) return *reused;
    return expr::with_operands(node, std::move(operands));
  });
}

}  // namespace axial::plan
