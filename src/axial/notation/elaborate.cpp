#include "axial/notation/elaborate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "axial/base/text.hpp"
#include "axial/notation/phrases.hpp"
#include "axial/notation/structure.hpp"

namespace axial::notation {
namespace {

using expr::Expr;

Axes axes_named(const std::vector<std::string>& names, const Environment& environment) {
  Axes all;
  for (const std::string& name : names) all = all & environment.axes(name);
  return all;
}

std::vector<Axes> each_named(const std::vector<std::string>& names,
                             const Environment& environment) {
  std::vector<Axes> all;
  for (const std::string& name : names) all.push_back(environment.axes(name));
  return all;
}

Axes all_of(const std::vector<Axes>& axes) {
  Axes all;
  for (const Axes& some : axes) all = all & some;
  return all;
}

Expr elaborate_name(const Tree& tree, const Environment& environment) {
  if (const auto found = environment.tensor(tree)) return *found;
  const std::vector<std::string> names = environment.tensor_names();
  const std::vector<std::string_view> views(names.begin(), names.end());
  // A single letter is near to all others.
  const auto near = tree.text.size() > 1 ? nearest(tree.text, views) : std::nullopt;
  throw Error(
      code("undeclared"), fmt::format("`{}` is not declared", shown(tree.text)),
      near ? fmt::format("did you mean `{}`?", *near) : "declare it, or check the spelling");
}

/// |ax|, the product over all axes that a formal axis stands for.
Expr elaborate_size(const Tree& tree, const Environment& environment) {
  std::optional<Expr> volume;
  const Axes axes = environment.axes(tree.text);
  for (const Axis axis : axes) {
    const auto size = environment.size(axis);
    if (!size) {
      throw Error(
          code("unknown-axis"),
          fmt::format("the size |{}| is not known: no tensor in scope has the axis", axis.name()),
          "give some tensor in scope the axis");
    }
    const Expr factor = expr::make(expr::Literal{.value = *size, .size_of = axis});
    volume = volume ? expr::make(expr::Map{&word("mul")}, {*volume, factor}) : factor;
  }
  return volume ? *volume : expr::make(expr::Literal{.value = 1});
}

/// 1 where a comparison holds and 0 elsewhere, in the element type of what is compared.
Expr elaborate_truth(const Tree& tree, const Environment& environment) {
  const Expr truth = elaborate(tree.children[0], environment);
  if (truth.operands().empty() || truth.element() != boolean) {
    throw Error(code("syntax"), "a comparison is expected in square brackets");
  }
  return expr::make(expr::Cast{truth.operands()[0].element()}, {truth});
}

[[noreturn]] void refuse(std::string_view what) {
  throw Error(code("foreign"), std::string(what), "leave it out with a comment: % axial: ignore");
}

/// Two operands, with sizes that nothing says adapted to those that the other operand has.
void adapt(const Tree& tree, std::vector<Expr>& operands, const Environment& environment) {
  if (operands.size() != 2) return;
  const Shape shape = operands[0].shape();
  for (const SizedAxis& axis : shape.written()) {
    const auto other = operands[1].shape().find(axis.axis);
    if (!other || *other == axis.size) continue;
    if (const auto right = environment.adapted(tree.children[1], axis.axis, axis.size)) {
      operands[1] = *right;
    } else if (const auto left = environment.adapted(tree.children[0], axis.axis, *other)) {
      operands[0] = *left;
    }
  }
}

Expr elaborate_contraction(const Tree& tree, const Environment& environment) {
  const Axes over = axes_named(tree.axes, environment);
  std::vector<Expr> operands{elaborate(tree.children[0], environment),
                             elaborate(tree.children[1], environment)};
  adapt(tree, operands, environment);
  const Expr& left = operands[0];
  const Expr& right = operands[1];
  if (over.empty()) return expr::make(expr::Map{find_word("mul")}, {left, right});
  for (const Axis axis : over) {
    if (left.shape().contains(axis) && right.shape().contains(axis)) continue;
    const bool is_number =
        left.as<expr::Literal>() != nullptr || right.as<expr::Literal>() != nullptr;
    if (is_number) refuse("a number stands for a tensor whose axes are not said");
    const bool left_lacks = !left.shape().contains(axis);
    const Shape& lacking = left_lacks ? left.shape() : right.shape();
    const std::string near = nearest_name(axis.name(), lacking.names());
    throw Error(code("contraction-axis"),
                fmt::format("contraction over `{}`: the {} side has the axes {} and the {} side {}",
                            axis.name(), left_lacks ? "left" : "right", to_text(lacking.names()),
                            left_lacks ? "right" : "left",
                            to_text((left_lacks ? right : left).shape().names())),
                near.starts_with("did you mean")
                    ? near
                    : fmt::format("both sides need the axis `{}`", axis.name()));
  }
  return expr::make(expr::Contract{over}, {left, right});
}

/// Only where tensors have increments can formulas be differentiated.
Expr elaborate_differential(const Tree& tree, const Environment& environment) {
  if (const auto known = environment.differentiated(tree, environment)) return *known;
  if (tree.form == Form::differential) refuse("a differential has no value here");
  if (tree.form == Form::derivative) refuse("a derivative has no value here");
  refuse("a formula at a point has no value here");
}

Expr elaborate_node(const Tree& tree, const Environment& environment) {
  switch (tree.form) {
    case Form::number: return expr::make(expr::Literal{.value = tree.number});
    case Form::name: return elaborate_name(tree, environment);
    case Form::size: return elaborate_size(tree, environment);
    case Form::truth: return elaborate_truth(tree, environment);
    case Form::apply: return elaborate_application(tree, environment);
    case Form::contract: return elaborate_contraction(tree, environment);
    case Form::concat:
      return expr::make(
          expr::Concat{single_axis("⊕", axes_named(tree.axes, environment))},
          {elaborate(tree.children[0], environment), elaborate(tree.children[1], environment)});
    case Form::index: return elaborate_index(tree, environment);
    case Form::rename: return elaborate_rename(tree, environment);
    case Form::mark: return elaborate_mark(tree, environment);
    case Form::identity: return elaborate_identity(tree, environment);
    case Form::array: return elaborate_array(tree, environment);
    case Form::cases: return elaborate_cases(tree, environment);
    case Form::parity: return elaborate_parity(tree, environment);
    case Form::fold: return elaborate_fold(tree, environment);
    case Form::limit: return elaborate_limit(tree, environment);
    case Form::norm: {
      const Expr inner = elaborate(tree.children[0], environment);
      return apply_function("norm", {inner.shape().names()}, {inner});
    }
    case Form::infinity:
      return expr::make(expr::Literal{.value = std::numeric_limits<double>::infinity()});
    case Form::differential:
    case Form::derivative:
    case Form::evaluated: return elaborate_differential(tree, environment);
    case Form::slice: refuse("a range of positions stands alone");
    case Form::hole: refuse("a place for an operand stands in a formula");
    case Form::ellipsis: refuse("an ellipsis leaves out what the formula is");
  }
  bug("unknown form of a tree");
}

/// True if a power may be read as a name with a label: X^1.
std::optional<Expr> labelled(const Tree& tree, const Environment& environment) {
  if (tree.text != "pow" || tree.children.size() != 2) return std::nullopt;
  const Tree& base = tree.children[0];
  if (base.form != Form::name || !base.super.empty()) return std::nullopt;
  Tree name = base;
  name.super = {tree.children[1]};
  return environment.tensor(name);
}

void require_operands(std::string_view name, std::span<const Expr> operands, int count) {
  if (std::ssize(operands) == count) return;
  throw Error(code("wrong-arity"), fmt::format("`{}` takes {} operand{}, but is given {}", name,
                                               count, count == 1 ? "" : "s", operands.size()));
}

std::int64_t over_count(const std::vector<Axes>& axes) { return all_of(axes).count(); }

/// An application, its first operand read before if `first` is given.
Expr applied(const Tree& tree, const Environment& environment, const Expr* first = nullptr) {
  if (const auto name = labelled(tree, environment)) return *name;
  if (const auto known = environment.apply(tree, environment)) return *known;
  if (!tree.sub.empty()) {
    throw Error(code("undeclared"),
                fmt::format("there is no function `{}` with parameters below", shown(tree.text)));
  }
  const std::vector<Axes> axes = each_named(tree.axes, environment);
  std::vector<Expr> operands;
  for (const Tree& child : tree.children) {
    const bool is_read = first != nullptr && operands.empty();
    operands.push_back(is_read ? *first : elaborate(child, environment));
  }
  if (find_word(tree.text) != nullptr) adapt(tree, operands, environment);
  environment.observe(tree, operands);
  if (tree.text == "unroll" || tree.text == "pool") {
    return elaborate_window(tree, axes, std::move(operands), environment);
  }
  if (tree.text == "index" && operands.size() == 2 && over_count(axes) == 1) {
    require_bound(tree.children[1], all_of(axes)[0], operands[0].shape(), environment);
  }
  if (tree.text == "index" && operands.size() == 2 && environment.first_position() != 0) {
    const Expr start = expr::make(expr::Literal{.value = environment.first_position()});
    operands[1] = expr::make(expr::Map{find_word("sub")}, {operands[1], start});
  }
  return apply_function(tree.text, axes, std::move(operands));
}

bool is_plain_operator(const Tree& tree) {
  if (tree.form != Form::apply || tree.children.size() != 2 || tree.text == "pow") return false;
  const Word* word = find_word(tree.text);
  return word != nullptr && !word->symbol.empty() && tree.super.empty() && tree.sub.empty() &&
         tree.axes.empty();
}

}  // namespace

Expr elaborate_application(const Tree& tree, const Environment& environment) {
  // Rows of operators nest to the left without limit; they are read without recursion.
  std::vector<const Tree*> row;
  const Tree* start = &tree;
  for (; is_plain_operator(*start); start = &start->children[0]) row.push_back(start);
  if (!row.empty()) {
    Expr result = elaborate(*start, environment);
    for (auto one = row.rbegin(); one != row.rend(); ++one) {
      try {
        result = applied(**one, environment, &result);
      } catch (const Error& error) {
        throw error.at((*one)->span);
      }
    }
    return result;
  }
  Expr result = applied(tree, environment);
  // What the environment did not take as a label of the function is a power of its result.
  if (tree.super.size() != 1 || find_phrase(tree.text) || !is_function(tree.text)) return result;
  return expr::make(expr::Map{find_word("pow")}, {result, elaborate(tree.super[0], environment)});
}

Axis single_axis(std::string_view name, const Axes& axes) {
  if (axes.count() != 1) {
    throw Error(code("wrong-arity"),
                fmt::format("`{}` works along one axis, but is given {}", name, to_text(axes)),
                "flatten the axes into one first: [(a & b) >> c]");
  }
  return axes[0];
}

Expr elaborate(const Tree& tree, const Environment& environment) {
  try {
    return elaborate_node(tree, environment);
  } catch (const Error& error) {
    throw error.at(tree.span);
  }
}

Expr apply_function(std::string_view name, const std::vector<Axes>& axes, expr::Operands operands) {
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
                        joint ? std::vector{over} : axes, std::move(operands));
  }
  throw Error(
      code("undeclared"),
      fmt::format("there is no function `{}`{}", name, axes.empty() ? "" : " with axes under it"),
      "the page of the vocabulary lists all functions");
}

}  // namespace axial::notation
