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

/// Makes a node anew from its new operands.
using Rebuild = std::function<Expr(const Expr& node, std::vector<Expr> operands)>;

/// Rebuilds the roots from the bottom up; what they share is rebuilt once. Nodes for which `enter`
/// is false are rebuilt without visiting their operands.
std::vector<Expr> rewrite(std::span<const Expr> roots, const Rebuild& rebuild,
                          const std::function<bool(const Expr&)>& enter = {});

/// The node itself if its operands are unchanged, else one of the same kind on the new operands.
Expr with_operands(const Expr& node, std::vector<Expr> operands);

using Substitution = std::unordered_map<const Node*, Expr>;

/// The roots with nodes replaced; nodes above a replaced one are made anew, those that are shared once.
std::vector<Expr> substitute(std::span<const Expr> roots, const Substitution& replacements,
                             const Rebuild& rebuild = with_operands);
Expr substitute(const Expr& root, const Substitution& replacements,
                const Rebuild& rebuild = with_operands);

}  // namespace axial::expr
