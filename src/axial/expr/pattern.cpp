#include "axial/expr/pattern.hpp"

#include <algorithm>

#include "axial/expr/numbering.hpp"
#include "axial/expr/traverse.hpp"

namespace axial::expr {

Pattern::Pattern(std::span<const Expr> parameters, std::span<const Expr> expressions)
    : parameter_count_(parameters.size()) {
  Numbering above;
  for (const Expr& parameter : parameters) above.add(parameter.identity(), 0);
  const auto is_above = [&](const Expr& node) { return above.find(node.identity()) >= 0; };
  std::vector<Expr> nodes;
  for (const Expr& node : post_order(expressions)) {
    if (is_above(node)) continue;
    if (std::ranges::any_of(node.operands(), is_above)) {
      above.add(node.identity(), 0);
      nodes.push_back(node);
    } else {
      constants_.push_back(node);
    }
  }
  Numbering numbers;
  std::int64_t next = 0;
  for (const Expr& parameter : parameters) numbers.add(parameter.identity(), next++);
  for (const Expr& constant : constants_) numbers.add(constant.identity(), next++);
  const auto number_of = [&](const Expr& node) {
    return static_cast<std::size_t>(numbers.find(node.identity()));
  };
  for (const Expr& node : nodes) {
    std::vector<std::size_t> operands;
    std::ranges::transform(node.operands(), std::back_inserter(operands), number_of);
    nodes_.push_back({node, std::move(operands)});
    numbers.add(node.identity(), next++);
  }
  std::ranges::transform(expressions, std::back_inserter(results_), number_of);
}

std::vector<Expr> Pattern::on(std::span<const Expr> leaves) const {
  std::vector<Expr> made;
  made.reserve(parameter_count_ + constants_.size() + nodes_.size());
  made.insert(made.end(), leaves.begin(), leaves.end());
  made.insert(made.end(), constants_.begin(), constants_.end());
  for (const auto& [node, numbers] : nodes_) {
    Operands operands;
    for (const std::size_t number : numbers) operands.push_back(made[number]);
    made.push_back(remake(node, std::move(operands)));
  }
  std::vector<Expr> results;
  results.reserve(results_.size());
  for (const std::size_t number : results_) results.push_back(made[number]);
  return results;
}

}  // namespace axial::expr
