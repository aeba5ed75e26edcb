#include "axial/calculus/derivative.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "axial/base/error.hpp"
#include "axial/calculus/differential.hpp"
#include "axial/calculus/simplify.hpp"
#include "axial/calculus/transpose.hpp"
#include "axial/expr/lambda.hpp"
#include "axial/expr/traverse.hpp"

namespace axial::calculus {
namespace {

using expr::make;

/// Formulas of more nodes than this are not simplified before they are run.
constexpr std::size_t max_simplified = 2000;

Expr parameter(std::string name, const expr::Type& type) {
  return make(expr::Parameter{std::move(name), type});
}

/// An expression as a function of variables: whatever they were computed from is out of sight.
struct Opened {
  Expr body;
  std::vector<Expr> variables;
  expr::Substitution closing;

  Opened(const Expr& result, std::span<const Expr> nodes) : body(result) {
    require_real("what is differentiated", result);
    expr::Substitution opening;
    for (const Expr& node : nodes) {
      require_real("the variable", node);
      const auto found = opening.find(node.identity());
      variables.push_back(found != opening.end() ? found->second : parameter("x", node.type()));
      opening.emplace(node.identity(), variables.back());
      closing.emplace(variables.back().identity(), node);
    }
    body = expr::without_calls(expr::substitute(result, opening));
  }

  /// Expressions in the variables as ones in the tensors that they stand for; what they share stays
  /// shared.
  std::vector<Expr> closed(std::span<const Expr> expressions) const {
    return expr::substitute(expressions, closing);
  }
  Expr closed(const Expr& expression) const { return closed({&expression, 1})[0]; }
};

/// The matrix of the transpose, which has the axes of Y under other names and those of X.
Expr by_cotangents(const Expr& tangent, const Expr& increment, const Renames& stars) {
  const Expr cotangent = parameter("w", tangent.type());
  const Tangent share = transpose({&tangent, 1}, {&cotangent, 1}, {&increment, 1})[0];
  Axes taken = tangent.shape().names();
  taken = taken & (increment.shape().names() - taken);
  Renames passage, back = stars;
  for (const SizedAxis& axis : tangent.shape().written()) {
    const Axis name = fresh(axis.axis, taken);
    taken = taken & name;
    passage.emplace_back(axis.axis, name);
    back.emplace_back(name, axis.axis);
  }
  return renamed(linear_matrix(*share, cotangent, passage), back);
}

}  // namespace

void require_real(std::string_view role, const Expr& expression) {
  if (is_real(expression.element())) return;
  throw Error(code("not-differentiable"),
              fmt::format("{} has elements of type {}, which do not vary continuously", role,
                          to_text(expression.element())),
              "convert it: to(float64, X)");
}

Expr identity(const Shape& shape, const Renames& names, ElementType element) {
  Expr product = number(1);
  for (const auto& [from, to] : names) {
    product = times(product, make(expr::Delta{from[shape.size(from)], to, element}));
  }
  return strengthened(product, element);
}

Expr linear_matrix(const Expr& linear, const Expr& variable, const Renames& names) {
  const expr::Closure closure = expr::close("derivative", {}, {variable}, linear);
  std::vector<Expr> arguments{identity(variable.shape(), names, variable.element())};
  arguments.insert(arguments.end(), closure.captured.begin(), closure.captured.end());
  return expr::inlined(*closure.function, arguments);
}

Shape renamed_shape(const Shape& shape, const Renames& names) {
  std::vector<SizedAxis> axes(shape.written().begin(), shape.written().end());
  for (SizedAxis& axis : axes) {
    const auto pair = std::ranges::find(names, axis.axis, &std::pair<Axis, Axis>::first);
    if (pair != names.end()) axis.axis = pair->second;
  }
  return Shape(axes);
}

Renames derivative_axes(const Shape& result, const Shape& variable) {
  const auto decorated = [&](int stars, int daggers) {
    Renames names;
    for (const SizedAxis& axis : variable.written()) {
      Axis name = axis.axis;
      for (int k = 0; k < stars; ++k) name = name.star();
      for (int k = 0; k < daggers; ++k) name = name.dagger();
      names.emplace_back(axis.axis, name);
    }
    return names;
  };
  for (int marks = 1;; ++marks) {
    for (int daggers = 0; daggers <= marks; ++daggers) {
      const Renames names = decorated(marks - daggers, daggers);
      const bool free = std::ranges::none_of(
          names, [&](const auto& pair) { return result.contains(pair.second); });
      if (free) return names;
    }
  }
}

Expr differential(const Expr& result, const Expr& variable, const Expr& increment) {
  const Opened opened(result, {&variable, 1});
  if (increment.shape() != variable.shape()) {
    throw Error(code("size-clash"),
                fmt::format("differential: the increment has shape {}, and the variable {}",
                            to_text(increment.shape()), to_text(variable.shape())),
                "an increment has exactly the axes of the variable");
  }
  const Expr typed = make(expr::Cast{variable.element()}, {increment});
  const Increments increments{{opened.variables[0].identity(), typed}};
  const Tangent tangent = differentials({&opened.body, 1}, increments)[0];
  return opened.closed(tangent ? *tangent : zeros(opened.body.type()));
}

std::vector<Expr> gradients(const Expr& result, std::span<const Expr> variables) {
  if (result.shape().order() > 0) {
    throw Error(
        code("not-differentiable"),
        fmt::format("gradient: the result has the axes {}, but only a scalar has a gradient",
                    to_text(result.shape().names())),
        "sum over them first, or use derivative");
  }
  const Opened opened(result, variables);
  Increments increments;
  std::vector<Expr> directions;
  for (const Expr& variable : opened.variables) {
    directions.push_back(parameter("∂x", variable.type()));
    increments.emplace(variable.identity(), directions.back());
  }
  const Tangent tangent = differentials({&opened.body, 1}, increments)[0];
  std::vector<Expr> results;
  for (const Expr& variable : variables) results.push_back(zeros(variable.type()));
  if (!tangent) return results;
  const Expr one = make(expr::Literal{.value = 1, .element = opened.body.element(), .weak = false});
  // A variable that is given twice has one increment, the first.
  for (std::size_t k = 0; k < directions.size(); ++k) {
    directions[k] = increments.at(opened.variables[k].identity());
  }
  const std::vector<Tangent> shares = transpose({&*tangent, 1}, {&one, 1}, directions);
  for (std::size_t k = 0; k < shares.size(); ++k) {
    if (shares[k]) results[k] = *shares[k];
  }
  return opened.closed(results);
}

double cost(const Expr& expression) {
  double sum = 0;
  for (const Expr& node : expr::post_order({&expression, 1})) {
    Shape walked = node.shape();
    if (node.as<expr::Contract>() != nullptr || node.as<expr::Reduce>() != nullptr) {
      for (const Expr& operand : node.operands()) walked = walked | operand.shape();
    }
    double volume = 1;
    for (const SizedAxis& axis : walked.written()) volume *= static_cast<double>(axis.size);
    if (node.as<expr::Rename>() == nullptr) sum += volume;
  }
  return sum;
}

Expr derivative(const Expr& result, const Expr& variable) {
  const Opened opened(result, {&variable, 1});
  const Renames stars = derivative_axes(result.shape(), variable.shape());
  const Expr increment = parameter("∂x", variable.type());
  const Increments increments{{opened.variables[0].identity(), increment}};
  const Tangent tangent = differentials({&opened.body, 1}, increments)[0];
  if (!tangent) {
    return zeros({result.shape() * renamed_shape(variable.shape(), stars), result.element()});
  }
  const Expr forward = without_deltas(linear_matrix(*tangent, increment, stars));
  const Expr backward = without_deltas(by_cotangents(*tangent, increment, stars));
  const Expr shorter = cost(backward) < cost(forward) ? backward : forward;
  if (expr::post_order({&shorter, 1}).size() > max_simplified) return opened.closed(shorter);
  const Expr symbolic = simplified(shorter, {.brackets = false, .logistic = false});
  return opened.closed(cost(symbolic) < cost(shorter) ? symbolic : shorter);
}

}  // namespace axial::calculus
