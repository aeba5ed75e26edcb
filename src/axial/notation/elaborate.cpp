#include "axial/notation/elaborate.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "axial/base/text.hpp"
#include "axial/notation/phrases.hpp"

namespace axial::notation {
namespace {

using expr::Expr;

Axes axes_named(const std::string& name, const Scope& scope) {
  const auto formal = scope.axes.find(name);
  return formal == scope.axes.end() ? Axes(Axis(name)) : formal->second;
}

Axes all_of(const std::vector<Axes>& axes) {
  Axes all;
  for (const Axes& some : axes) all = all & some;
  return all;
}

Expr elaborate_name(const Tree& tree, const Scope& scope) {
  const auto found = scope.tensors.find(tree.text);
  if (found != scope.tensors.end()) return found->second;
  std::vector<std::string_view> names;
  for (const auto& [name, tensor] : scope.tensors) names.push_back(name);
  const auto near = nearest(tree.text, names);
  throw Error(
      code("undeclared"), fmt::format("`{}` is not declared", shown(tree.text)),
      near ? fmt::format("did you mean `{}`?", *near) : "declare it, or check the spelling");
}

/// |ax|, the product over all axes that a formal axis stands for.
Expr elaborate_size(const Tree& tree, const Scope& scope) {
  std::vector<SizedAxis> sized;
  const Axes axes = axes_named(tree.text, scope);
  for (const Axis axis : axes) {
    const auto owner = std::ranges::find_if(
        scope.tensors, [&](const auto& entry) { return entry.second.shape().contains(axis); });
    if (owner == scope.tensors.end()) {
      throw Error(
          code("unknown-axis"),
          fmt::format("the size |{}| is not known: no tensor in scope has the axis", axis.name()),
          "give some tensor in scope the axis");
    }
    sized.push_back({axis, owner->second.shape().size(axis)});
  }
  expr::Literal literal{.value = Shape(std::move(sized)).volume()};
  if (axes.count() == 1) literal.size_of = axes[0];
  return expr::make(literal);
}

/// 1 where a comparison holds and 0 elsewhere, in the element type of what is compared.
Expr elaborate_truth(const Tree& tree, const Scope& scope) {
  const Expr truth = elaborate(tree.children[0], scope);
  if (truth.operands().empty() || truth.element() != boolean) {
    throw Error(code("syntax"), "a comparison is expected in square brackets");
  }
  return expr::make(expr::Cast{truth.operands()[0].element()}, {truth});
}

Expr elaborate_node(const Tree& tree, const Scope& scope) {
  std::vector<Axes> axes;
  std::vector<Expr> operands;
  if (tree.form == Form::apply || tree.form == Form::contract) {
    for (const std::string& name : tree.axes) axes.push_back(axes_named(name, scope));
    for (const Tree& child : tree.children) operands.push_back(elaborate(child, scope));
  }
  switch (tree.form) {
    case Form::number: return expr::make(expr::Literal{.value = tree.number});
    case Form::name: return elaborate_name(tree, scope);
    case Form::size: return elaborate_size(tree, scope);
    case Form::truth: return elaborate_truth(tree, scope);
    case Form::apply: return apply_function(tree.text, axes, std::move(operands));
    case Form::contract: return expr::make(expr::Contract{all_of(axes)}, std::move(operands));
  }
  bug("unknown form of a tree");
}

Axis single_axis(std::string_view name, const Axes& axes) {
  if (axes.count() != 1) {
    throw Error(code("wrong-arity"),
                fmt::format("`{}` works along one axis, but is given {}", name, to_text(axes)),
                "flatten the axes into one first: [(a & b) >> c]");
  }
  return axes[0];
}

void require_operands(std::string_view name, const std::vector<Expr>& operands, int count) {
  if (std::ssize(operands) == count) return;
  throw Error(code("wrong-arity"), fmt::format("`{}` takes {} operand{}, but is given {}", name,
                                               count, count == 1 ? "" : "s", operands.size()));
}

}  // namespace

Expr elaborate(const Tree& tree, const Scope& scope) {
  try {
    return elaborate_node(tree, scope);
  } catch (const Error& error) {
    throw error.at(tree.span);
  }
}

Expr apply_function(std::string_view name, const std::vector<Axes>& axes,
                    std::vector<Expr> operands) {
  const Axes over = all_of(axes);
  if (axes.empty()) {
    if (const Word* word = find_word(name)) return expr::make(expr::Map{word}, std::move(operands));
    if (find_reduction(name)) {
      throw Error(code("wrong-arity"), fmt::format("`{}` needs an axis under it", name),
                  fmt::format("write {}_ax X", name));
    }
  } else if (const Reduction* reduction = find_reduction(name)) {
    require_operands(name, operands, 1);
    return expr::make(expr::Reduce{reduction, over}, std::move(operands));
  }
  if (const Primitive* primitive = find_primitive(name)) {
    if (primitive->axes() == 1) single_axis(name, over);
    return expr::make(expr::Along{primitive, over}, std::move(operands));
  }
  if (name == "index") {
    require_operands(name, operands, 2);
    return expr::make(expr::Index{single_axis(name, over)}, std::move(operands));
  }
  if (const Phrase* phrase = find_phrase(name)) {
    // A computation may need an element to start from, where the meaning does not.
    const bool empty = std::ranges::any_of(operands, [&](const Expr& operand) {
      return std::ranges::any_of(over, [&](Axis axis) { return operand.shape().find(axis) == 0; });
    });
    // One formal axis may stand for several, which are then taken jointly.
    const bool joint = phrase->signature.axes.size() == 1 && !axes.empty();
    return apply_phrase(*phrase, empty ? phrase->meaning : phrase->computed(),
                        joint ? std::vector{over} : axes, operands);
  }
  throw Error(
      code("undeclared"),
      fmt::format("there is no function `{}`{}", name, axes.empty() ? "" : " with axes under it"),
      "the page of the vocabulary lists all functions");
}

}  // namespace axial::notation
