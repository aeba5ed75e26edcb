#include "axial/notation/formula_of.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <unordered_set>

#include "axial/expr/traverse.hpp"
#include "axial/notation/formula_node.hpp"

namespace axial::notation {
namespace {

using expr::Expr;
using expr::Node;

/// Fresh axes without their marks, primed until no other axis has that name.
std::unordered_map<Axis, Axis> names_for_fresh_axes(const std::vector<Expr>& nodes) {
  std::unordered_set<Axis> taken;
  std::vector<Axis> fresh_ones;
  for (const Expr& node : nodes) {
    for (const SizedAxis& axis : node.shape().written()) {
      if (taken.insert(axis.axis).second && is_fresh(axis.axis)) fresh_ones.push_back(axis.axis);
    }
  }
  std::unordered_map<Axis, Axis> names;
  for (const Axis axis : fresh_ones) {
    Axis name(axis.name().substr(0, axis.name().find("‡")));
    while (!taken.insert(name).second) name = name.prime();
    names.emplace(axis, name);
  }
  return names;
}

/// An axis of the result is there when the formula is read if an operand still has it, or if the
/// node itself makes it.
Axes axes_read(const Expr& node, std::span<const Part> operands) {
  if (node.as<expr::Broadcast>() != nullptr) return operands[0].axes;
  Axes all;
  for (const Axis axis : node.shape().names()) {
    Axis before = axis;
    if (const auto* rename = node.as<expr::Rename>()) {
      const auto pair = std::ranges::find(rename->pairs, axis, &std::pair<Axis, Axis>::second);
      if (pair != rename->pairs.end()) before = pair->first;
    }
    const bool is_there =
        std::ranges::any_of(operands, [&](const Part& part) { return part.axes.contains(before); });
    const bool was_there = std::ranges::any_of(
        node.operands(), [&](const Expr& operand) { return operand.shape().contains(before); });
    if (is_there || !was_there) all = all & axis;
  }
  return all;
}

/// A part with its measures.
struct Measured {
  Part part;
  std::int64_t nodes = 1;
  std::int64_t depth = 1;
};

/// True if `tree` goes on with the row of its first operand, which printers and elaboration follow
/// without recursion.
bool extends_row(const Tree& tree) {
  const auto row = [](const Tree& some) {
    const bool adds = some.text == "add" || some.text == "sub";
    return some.form != Form::apply || some.children.size() != 2 ? 0
           : adds                                                ? 1
           : some.text == "mul"                                  ? 2
                                                                 : 0;
  };
  return row(tree) != 0 && row(tree) == row(tree.children[0]);
}

void require_limits(std::int64_t nodes, std::int64_t depth) {
  if (nodes <= max_formula_nodes && depth <= max_formula_depth) return;
  throw Error(code("too-large"),
              nodes > max_formula_nodes
                  ? fmt::format("the formula would have more than {} parts", max_formula_nodes)
                  : fmt::format("the formula would nest deeper than {}", max_formula_depth),
              "give names to some of the tensors that it is computed from");
}

class FormulaWriter {
 public:
  FormulaWriter(const std::vector<Expr>& nodes, const Names& names, std::int64_t first_position)
      : names_(names), manner_{first_position, names_for_fresh_axes(nodes)} {
    for (const Expr& node : nodes) {
      if (names.contains(node.identity())) continue;
      for (const Expr& operand : node.operands()) ++uses_[operand.identity()];
    }
  }

  void write(const Expr& node);
  Tree tree(const Expr& node) { return std::move(parts_.at(node.identity()).part.tree); }

 private:
  Part taken(const Expr& operand);
  std::int64_t depth_of(const Expr& node, const Tree& tree) const;

  const Names& names_;
  Manner manner_;
  std::unordered_map<const Node*, std::int64_t> uses_;
  std::unordered_map<const Node*, Measured> parts_;
};

/// The part of an operand; the last one who asks gets it without a copy.
Part FormulaWriter::taken(const Expr& operand) {
  const auto found = parts_.find(operand.identity());
  if (--uses_.at(operand.identity()) > 0) return found->second.part;
  return std::move(found->second.part);
}

/// How deep the formula of a node nests, its operands written before.
std::int64_t FormulaWriter::depth_of(const Expr& node, const Tree& tree) const {
  const auto operands = node.operands();
  const bool is_row = node.as<expr::Broadcast>() != nullptr || extends_row(tree);
  // X ⊕ Y ⊕ Z is read with one level for each.
  std::int64_t depth = node.as<expr::Concat>() != nullptr ? std::ssize(operands) : 1;
  for (std::size_t k = 0; k < operands.size(); ++k) {
    const std::int64_t below = parts_.at(operands[k].identity()).depth;
    depth = std::max(depth, below + (k == 0 && is_row ? 0 : 1));
  }
  return depth;
}

void FormulaWriter::write(const Expr& node) {
  if (const auto name = names_.find(node.identity()); name != names_.end()) {
    parts_.emplace(node.identity(), Measured{{name->second, node.shape().names()}});
    return;
  }
  std::int64_t nodes = 1;
  for (const Expr& operand : node.operands()) nodes += parts_.at(operand.identity()).nodes;
  require_limits(nodes, 0);
  std::vector<Part> operands;
  for (const Expr& operand : node.operands()) operands.push_back(taken(operand));
  Axes axes = axes_read(node, operands);
  Part part{written(node, std::move(operands), manner_), std::move(axes)};
  const std::int64_t depth = depth_of(node, part.tree);
  require_limits(nodes, depth);
  parts_.emplace(node.identity(), Measured{std::move(part), nodes, depth});
}

}  // namespace

Tree formula_of(const Expr& expression, const Names& names, std::int64_t first_position) {
  const auto enter = [&](const Expr& node) { return !names.contains(node.identity()); };
  const std::vector<Expr> nodes = expr::post_order({&expression, 1}, enter);
  FormulaWriter writer(nodes, names, first_position);
  for (const Expr& node : nodes) writer.write(node);
  return writer.tree(expression);
}

}  // namespace axial::notation
