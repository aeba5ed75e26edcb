#include "axial/expr/traverse.hpp"

#include <algorithm>

#include "axial/expr/numbering.hpp"

namespace axial::expr {

std::vector<Expr> post_order(std::span<const Expr> roots,
                             const std::function<bool(const Expr&)>& enter) {
  struct Visit {
    Expr node;
    std::size_t next_operand;
  };
  std::vector<Expr> order;
  Numbering seen;
  std::vector<Visit> path;
  const auto start = [&](const Expr& node) {
    if (!seen.add(node.identity(), 0)) return;
    const bool entered = !enter || enter(node);
    path.push_back({node, entered ? 0 : node.operands().size()});
  };
  for (const Expr& root : roots) {
    start(root);
    while (!path.empty()) {
      Visit& visit = path.back();
      if (visit.next_operand < visit.node.operands().size()) {
        start(visit.node.operands()[visit.next_operand++]);
      } else {
        order.push_back(std::move(visit.node));
        path.pop_back();
      }
    }
  }
  return order;
}

std::vector<Expr> rewrite(std::span<const Expr> roots, const Rebuild& rebuild,
                          const std::function<bool(const Expr&)>& enter) {
  const std::vector<Expr> order = post_order(roots, enter);
  Numbering numbers;
  std::vector<Expr> rebuilt;
  rebuilt.reserve(order.size());
  for (const Expr& node : order) {
    std::vector<Expr> operands;
    operands.reserve(node.operands().size());
    for (const Expr& operand : node.operands()) {
      const std::int64_t number = numbers.find(operand.identity());
      operands.push_back(number < 0 ? operand : rebuilt[static_cast<std::size_t>(number)]);
    }
    numbers.add(node.identity(), std::ssize(rebuilt));
    rebuilt.push_back(rebuild(node, std::move(operands)));
  }
  std::vector<Expr> results;
  for (const Expr& root : roots) {
    results.push_back(rebuilt[static_cast<std::size_t>(numbers.find(root.identity()))]);
  }
  return results;
}

Expr with_operands(const Expr& node, std::vector<Expr> operands) {
  const bool unchanged =
      std::ranges::equal(operands, node.operands(), {}, &Expr::identity, &Expr::identity);
  return unchanged ? node : remake(node, std::move(operands));
}

std::vector<Expr> substitute(std::span<const Expr> roots, const Substitution& replacements,
                             const Rebuild& rebuild) {
  const auto replaced = [&](const Expr& node) { return replacements.contains(node.identity()); };
  const auto replace = [&](const Expr& node, std::vector<Expr> operands) {
    return replaced(node) ? replacements.at(node.identity()) : rebuild(node, std::move(operands));
  };
  return rewrite(roots, replace, std::not_fn(replaced));
}

Expr substitute(const Expr& root, const Substitution& replacements, const Rebuild& rebuild) {
  return substitute({&root, 1}, replacements, rebuild)[0];
}

}  // namespace axial::expr
