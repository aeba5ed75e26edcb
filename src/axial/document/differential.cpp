// Differentials and derivatives in formulas (section 5 of the paper). In a trial every open tensor X
// has an increment ∂X of its own, drawn like X itself; all that is computed from X changes with it.
#include <fmt/format.h>

#include <algorithm>

#include "axial/calculus/derivative.hpp"
#include "axial/document/world.hpp"
#include "axial/expr/lambda.hpp"
#include "axial/expr/traverse.hpp"
#include "axial/notation/print.hpp"

namespace axial::document {
namespace {

using expr::Expr;
using notation::Bound;
using notation::Environment;
using notation::Form;
using notation::Tree;

// Each derivative of a formula is a few times as large as the formula.
constexpr std::size_t max_nodes = 20'000;

[[noreturn]] void refuse(std::string message) {
  throw Error(code("foreign"), std::move(message), "leave it out with a comment: % axial: ignore");
}

/// All that an expression is computed from. Fails with foreign if it is too large.
std::vector<Expr> nodes_of(const Expr& expression) {
  std::vector<Expr> nodes = expr::post_order({&expression, 1});
  if (nodes.size() > max_nodes) refuse("the formula is too large to be differentiated");
  return nodes;
}

void require_small(const Expr& expression) { nodes_of(expression); }

/// Whole numbers in formulas stand for reals.
Expr real(const Expr& expression, ElementType element) {
  if (is_real(expression.element())) return expr::strengthened(expression, element);
  return expr::make(expr::Cast{element}, {expression});
}

/// ∂E, the sum over all open tensors that E is computed from.
Expr total_differential(const Expr& formula, World& world) {
  std::optional<Expr> sum;
  for (const Expr& node : nodes_of(formula)) {
    if (const auto* parameter = node.as<expr::Parameter>()) {
      refuse(fmt::format("nothing says the increment of the parameter `{}`", parameter->name));
    }
    const auto increment = world.increment(node);
    if (!increment) continue;
    const Expr part = calculus::differential(formula, node, *increment);
    sum = sum ? calculus::plus(*sum, part) : part;
  }
  return sum ? *sum : calculus::zeros(formula.type());
}

/// ∂f(X, Y; H, G): the increments stand behind the semicolon.
Expr differential_with(const Tree& application, const Environment& inside, ElementType element) {
  const std::size_t count = *application.before_semicolon;
  Tree call = application;
  call.children.resize(count);
  call.before_semicolon.reset();
  std::map<std::string, Expr, std::less<>> variables;
  std::vector<Expr> tensors;
  for (std::size_t k = 0; k < count; ++k) {
    tensors.push_back(real(notation::elaborate(application.children[k], inside), element));
    call.children[k] = {Form::name, application.children[k].span, fmt::format("∂{}", k), {}, {}};
    const expr::Parameter variable{call.children[k].text, tensors[k].type()};
    variables.emplace(call.children[k].text, expr::make(variable));
  }
  const Expr formula = real(notation::elaborate(call, Bound(inside, variables)), element);
  std::optional<Expr> sum;
  expr::Substitution values;
  for (std::size_t k = 0; k < count; ++k) {
    const Expr& variable = variables.at(call.children[k].text);
    const Expr increment = notation::elaborate(application.children[count + k], inside);
    const Expr part = calculus::differential(formula, variable, increment);
    sum = sum ? calculus::plus(*sum, part) : part;
    values.emplace(variable.identity(), tensors[k]);
  }
  return expr::substitute(*sum, values);
}

/// What stands below a derivative, X, X^* or X^†, and how its axes are called then.
struct Denominator {
  Expr variable;
  std::string mark;
};

/// Fails with foreign unless `formula` is computed from the variable: what depends on it in a way
/// that is not written down has a derivative that nobody knows.
Denominator denominator(const Tree& below, const Expr& formula, const Environment& inside) {
  std::string mark;
  const Tree* name = &below;
  for (; name->form == Form::mark; name = &name->children[0]) mark = name->text + mark;
  const Expr variable = notation::elaborate(*name, inside);
  const std::vector<Expr> nodes = nodes_of(formula);
  if (std::ranges::find(nodes, variable.identity(), &Expr::identity) == nodes.end()) {
    refuse(fmt::format("what is differentiated is not written in terms of `{}`",
                       notation::to_text(*name)));
  }
  return {variable, mark};
}

calculus::Renames marked_axes(const Shape& shape, std::string_view mark) {
  calculus::Renames names;
  for (const SizedAxis& axis : shape.written()) {
    names.emplace_back(axis.axis, Axis(std::string(axis.axis.name()) + std::string(mark)));
  }
  return names;
}

/// ∂Y/∂X. Without a mark below, the axes of X are starred, or plain where nothing forbids it.
Expr derivative_by(const Denominator& below, const Expr& formula, bool starred) {
  const Shape& shape = below.variable.shape();
  const auto own = calculus::derivative_axes(formula.shape(), shape);
  const bool is_plain = below.mark.empty() && !starred && orthogonal(formula.shape(), shape);
  const auto wanted = is_plain || !below.mark.empty() ? marked_axes(shape, below.mark) : own;
  calculus::Renames pairs;
  for (std::size_t k = 0; k < own.size(); ++k) {
    if (own[k].second != wanted[k].second) pairs.emplace_back(own[k].second, wanted[k].second);
  }
  const Expr result = calculus::derivative(formula, below.variable);
  return pairs.empty() ? result : expr::make(expr::Rename{pairs}, {result});
}

/// ∂Y/∂X_{a(i)}, which is the element [∂Y/∂X*]_{a*(i)}; nothing for other derivatives.
std::optional<Tree> as_element(const Tree& derivative) {
  if (derivative.children.size() != 2 || derivative.children[1].form != Form::index) {
    return std::nullopt;
  }
  Tree element = derivative.children[1];
  for (std::string& axis : element.axes) axis += "*";
  Tree whole = derivative;
  whole.children[1] = {Form::mark, element.span, "*", {}, {Tree(element.children[0])}};
  element.children[0] = std::move(whole);
  return element;
}

/// E|_{X=U}: the function X ↦ E, lifted, of U. X has the axes that are declared for it, else as few
/// of those of U as E can do with.
Expr at_point(const Tree& tree, const Environment& inside) {
  const Tree& name = tree.children[1];
  if (name.form != Form::name || !name.sub.empty() || !name.super.empty()) {
    refuse("only a name can stand for a point");
  }
  const Expr point = notation::elaborate(tree.children[2], inside);
  const auto applied = [&](const Shape& shape) {
    expr::Type type = point.type();
    type.shape = shape;
    const Expr variable = expr::make(expr::Parameter{name.text, type});
    const Expr body = notation::elaborate(tree.children[0], Bound(inside, {{name.text, variable}}));
    return expr::call("at", {}, {variable}, body, {point});
  };
  if (const auto declared = inside.tensor(name)) {
    for (const Axis axis : declared->shape().names()) {
      require_axis(point.shape(), axis, fmt::format("the point for `{}`", name.text));
    }
    return applied(restrict(point.shape(), declared->shape().names()));
  }
  Axes axes = point.shape().names();
  for (const SizedAxis& axis : point.shape().written()) {
    try {
      const Axes fewer = axes - Axes(axis.axis);
      applied(restrict(point.shape(), fewer));
      axes = fewer;
    } catch (const Error&) {
      // The formula needs the axis.
    }
  }
  return applied(restrict(point.shape(), axes));
}

}  // namespace

std::optional<Expr> World::increment(const Expr& tensor) {
  const auto found = variables_.find(tensor.identity());
  if (found == variables_.end()) return std::nullopt;
  // Words before a name say where it comes from: "parameter X".
  std::string key = found->second.key;
  key.insert(key.rfind(' ') + 1, "∂");
  const Symbol symbol{LabelledName{key, {}}, found->second.item};
  Expr result = open_value(symbol, key, tensor.shape(), {});
  // An increment does not vary itself: ∂∂X = 0.
  variables_.erase(result.identity());
  return result;
}

bool Frame::has_increments(const Tree& application) const {
  if (application.form != Form::apply || !application.before_semicolon) return false;
  if (application.children.size() != 2 * *application.before_semicolon) return false;
  const auto functions = world_->symbols().visible_functions(application.text, item_);
  return std::ranges::none_of(functions, [&](const Function* function) {
    return function->parameters.size() == application.children.size();
  });
}

std::optional<Expr> Frame::differentiated(const Tree& tree, const Environment& inside) const {
  const Tree& inner = tree.children[0];
  if (tree.form == Form::evaluated) return at_point(tree, inside);
  if (tree.form == Form::differential && has_increments(inner)) {
    return differential_with(inner, inside, reals());
  }
  if (const auto element = tree.form == Form::derivative ? as_element(tree) : std::nullopt) {
    return notation::elaborate(*element, inside);
  }
  const Expr formula = real(notation::elaborate(inner, inside), reals());
  if (tree.form == Form::differential) return total_differential(formula, *world_);
  Expr result = formula;
  for (std::size_t k = 1; k < tree.children.size(); ++k) {
    const Denominator below = denominator(tree.children[k], formula, inside);
    result = derivative_by(below, result, world_->draw().starred);
    require_small(result);
  }
  return result;
}

std::optional<Expr> Frame::implied(const Tree& application, const Environment& inside) const {
  const Tree* meaning = world_->symbols().implied(application);
  if (meaning == nullptr || notation::is_function(application.text)) return std::nullopt;
  const Descent descent(*world_, application.text);
  return notation::elaborate(*meaning, inside);
}

}  // namespace axial::document
