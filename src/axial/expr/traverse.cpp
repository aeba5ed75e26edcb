#include "axial/expr/traverse.hpp"

#include <algorithm>
#include <unordered_set>

namespace axial::expr {

std::vector<Expr> post_order(std::span<const Expr> roots,
                             const std::function<bool(const Expr&)>& enter) {
  struct Visit {
    Expr node;
    std::size_t next_operand;
  };
  std::vector<Expr> order;
  std::unordered_set<const Node*> seen;
  std::vector<Visit> path;
  const auto start = [&](const Expr& node) {
    if (!seen.insert(node.identity()).second) return;
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
  std::unordered_map<const Node*, Expr> rebuilt;
  for (const Expr& node : post_order(roots, enter)) {
    std::vector<Expr> operands;
    for (const Expr& operand : node.operands()) {
      const auto found = rebuilt.find(operand.identity());
      operands.push_back(found == rebuilt.end() ? operand : found->second);
    }
    rebuilt.emplace(node.identity(), rebuild(node, std::move(operands)));
  }
  std::vector<Expr> results;
  for (const Expr& root : roots) results.push_back(rebuilt.at(root.identity()));
  return results;
}

Expr with_operands(const Expr& node, std::vector<Expr> operands) {
  const bool unchanged =
      std::ranges::equal(operands, node.operands(), {}, &Expr::identity, &Expr::identity);
  return unchanged ? node : make(node.kind(), std::move(operands));
}

Expr substitute(const Expr& root, const Substitution& replacements, const Rebuild& rebuild) {
  const auto replaced = [&](const Expr& node) { return replacements.contains(node.identity()); };
  const auto replace = [&](const Expr& node, std::vector<Expr> operands) {
    return replaced(node) ? replacements.at(node.identity()) : rebuild(node, std::move(operands));
  };
  return rewrite({&root, 1}, replace, std::not_fn(replaced))[0];
}

}  // namespace axial::expr
