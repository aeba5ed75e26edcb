// Visiting and rebuilding expressions of any depth without recursion.
#pragma once

#include <functional>
#include <span>
#include <unordered_map>
#include <vector>

#include "axial/expr/node.hpp"

namespace axial::expr {

/// Every node that the roots depend on, operands before users, each once. Nodes for which `enter`
/// is false are listed but their operands are not visited.
std::vector<Expr> post_order(std::span<const Expr> roots,
                             const std::function<bool(const Expr&)>& enter = {});

/// Rebuilds `root` from the bottom up. `rebuild` gets each node with its new operands.
Expr rewrite(const Expr& root,
             const std::function<Expr(const Expr& node, std::vector<Expr> operands)>& rebuild,
             const std::function<bool(const Expr&)>& enter = {});

using Substitution = std::unordered_map<const Node*, Expr>;

/// `root` with nodes replaced; nodes above a replaced one are built and typed anew.
Expr substitute(const Expr& root, const Substitution& replacements);

}  // namespace axial::expr
