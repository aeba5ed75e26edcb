#include "axial/expr/lambda.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "axial/expr/traverse.hpp"

namespace axial::expr {
namespace {

using Renames = std::vector<std::pair<Axis, Axis>>;

Function make_lambda(std::string name, Axes axes, std::vector<Expr> parameters, Expr body) {
  Program program = linearize_body(parameters, {&body, 1});
  const StructureHash structure = structure_of_body(parameters, body);
  return std::make_shared<const Lambda>(Lambda{std::move(name), std::move(axes),
                                               std::move(parameters), std::move(body),
                                               std::move(program), structure});
}

Expr parameter(std::string name, Type type) {
  return make(Parameter{std::move(name), std::move(type)});
}

/// Every axis that occurs in the types of `body`, and so could capture an axis of the same name.
Axes mentioned_axes(const Expr& body) {
  std::vector<Axis> names;
  std::unordered_set<Axis> seen;
  for (const Expr& node : post_order({&body, 1})) {
    for (const SizedAxis& axis : node.shape().written()) {
      if (seen.insert(axis.axis).second) names.push_back(axis.axis);
    }
  }
  return Axes(std::move(names));
}

/// Fresh names for those of `extras` that `body` mentions.
Renames freshened(const Shape& extras, const Expr& body) {
  const Axes mentioned = mentioned_axes(body);
  Axes taken = mentioned & (extras.names() - mentioned);
  Renames renames;
  for (const SizedAxis& axis : extras.written()) {
    if (!mentioned.contains(axis.axis)) continue;
    const Axis name = fresh(axis.axis, taken);
    taken = taken & name;
    renames.emplace_back(axis.axis, name);
  }
  return renames;
}

Renames reversed(Renames renames) {
  for (auto& [from, to] : renames) std::swap(from, to);
  return renames;
}

/// The expression with those renames that name axes in `scope`.
Expr renamed(const Expr& expression, const Renames& renames, const Axes& scope) {
  Renames applicable;
  std::ranges::copy_if(renames, std::back_inserter(applicable),
                       [&](const auto& pair) { return scope.contains(pair.first); });
  return applicable.empty() ? expression : make(Rename{std::move(applicable)}, {expression});
}

Shape renamed(const Shape& shape, const Renames& renames) {
  std::vector<SizedAxis> axes(shape.written().begin(), shape.written().end());
  for (SizedAxis& axis : axes) {
    const auto found = std::ranges::find(renames, axis.axis, &std::pair<Axis, Axis>::first);
    if (found != renames.end()) axis.axis = found->second;
  }
  return Shape(axes);
}

Expr broadcast(const Expr& expression, const Shape& shape) {
  return contains(expression.shape(), shape) ? expression : make(Broadcast{shape}, {expression});
}

/// The argument with its extra axes, those that the parameter lacks, under fresh names.
Expr apart(const Expr& argument, const Expr& parameter, const Renames& renames) {
  return renamed(argument, renames, argument.shape().names() - parameter.shape().names());
}

/// A scan whose step has no calls, and whose operands have no axes that the step does not declare.
Expr flat_scan(const Scan& scan, std::span<const Expr> operands);

/// The node on new operands; a scan is made flat.
Expr with_flat_scan(const Expr& node, std::vector<Expr> operands) {
  if (const auto* scan = node.as<Scan>()) return flat_scan(*scan, operands);
  return with_operands(node, std::move(operands));
}

Expr inlined_body(const Lambda& function, const Expr& body, std::span<const Expr> arguments) {
  Shape extras;
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    extras = extras | (arguments[k].shape() - function.parameters[k].shape().names());
  }
  const Renames renames = freshened(extras, body);
  Substitution substitution;
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    const Expr& parameter = function.parameters[k];
    substitution.emplace(parameter.identity(), apart(arguments[k], parameter, renames));
  }
  // A body that ignores an argument is constant along that argument's extra axes.
  const Expr inside = substitute(body, substitution, with_flat_scan);
  const Expr result = broadcast(inside, renamed(extras, renames));
  const Renames back = reversed(renames);
  return renamed(result, back, result.shape().names());
}

Expr flat_scan(const Scan& scan, std::span<const Expr> operands) {
  const Lambda& step = *scan.step;
  const Expr body = without_calls(step.body);
  const auto is_input = [&](std::size_t k) {
    return k >= 1 && static_cast<std::int64_t>(k) <= scan.inputs;
  };
  Shape extras;
  for (std::size_t k = 0; k < operands.size(); ++k) {
    Axes own = step.parameters[k].shape().names();
    if (is_input(k)) own = own & scan.axis;
    extras = extras | (operands[k].shape() - own);
  }
  if (extras.order() == 0 && body.identity() == step.body.identity()) {
    return make(scan, {operands.begin(), operands.end()});
  }
  const Renames renames = freshened(extras, body);
  const Shape state_shape = step.parameters[0].shape() * renamed(extras, renames);
  std::vector<Expr> arguments, parameters;
  Substitution substitution;
  for (std::size_t k = 0; k < operands.size(); ++k) {
    Expr argument = apart(operands[k], step.parameters[k], renames);
    if (k == 0) argument = broadcast(argument, state_shape);
    Type type = argument.type();
    if (is_input(k)) type.shape = type.shape - scan.axis;
    parameters.push_back(parameter(step.parameters[k].as<Parameter>()->name, type));
    arguments.push_back(std::move(argument));
    substitution.emplace(step.parameters[k].identity(), parameters.back());
  }
  const Expr inside = substitute(body, substitution, with_flat_scan);
  const Expr lifted_body = broadcast(inside, state_shape);
  const Function lifted = make_lambda(step.name, step.axes, std::move(parameters), lifted_body);
  const Expr result =
      make(Scan{scan.axis, scan.reverse, scan.inputs, lifted}, std::move(arguments));
  return renamed(result, reversed(renames), result.shape().names());
}

/// True for what is the same wherever it stands: a number, an identity, √2.
bool is_constant(const Expr& node) {
  const auto operands = node.operands();
  if (operands.empty()) return node.as<Leaf>() == nullptr && node.as<Parameter>() == nullptr;
  const bool of_numbers = node.as<Map>() != nullptr || node.as<Cast>() != nullptr;
  return of_numbers && std::ranges::all_of(operands, [](const Expr& operand) {
           return operand.as<Literal>() != nullptr || (operand.type().weak && is_constant(operand));
         });
}

}  // namespace

Closure close(std::string name, Axes axes, std::vector<Expr> parameters, const Expr& body) {
  std::unordered_set<const Node*> bound;
  for (const Expr& parameter : parameters) bound.insert(parameter.identity());
  std::vector<Expr> captured;
  std::vector<Expr> all_parameters = std::move(parameters);
  Substitution substitution;

  const auto order = post_order({&body, 1}, [](const Expr& node) { return node.is_open(); });
  std::unordered_set<const Node*> dependent = bound;
  for (const Expr& node : order) {
    if (std::ranges::any_of(node.operands(), [&](const Expr& operand) {
          return dependent.contains(operand.identity());
        })) {
      dependent.insert(node.identity());
    }
  }
  const auto capture = [&](const Expr& node) {
    if (dependent.contains(node.identity()) || is_constant(node) ||
        substitution.contains(node.identity())) {
      return;
    }
    captured.push_back(node);
    all_parameters.push_back(parameter("captured", node.type()));
    substitution.emplace(node.identity(), all_parameters.back());
  };
  for (const Expr& node : order) {
    if (!dependent.contains(node.identity())) continue;
    for (const Expr& operand : node.operands()) capture(operand);
  }
  capture(body);
  Expr closed = substitute(body, substitution);
  return {
      make_lambda(std::move(name), std::move(axes), std::move(all_parameters), std::move(closed)),
      std::move(captured)};
}

Expr call(std::string name, Axes axes, std::vector<Expr> parameters, const Expr& body,
          Operands arguments) {
  // A body that is a plain number becomes a tensor if an argument is one.
  const auto strong = std::ranges::find_if(arguments, [](const Expr& argument) {
    return !argument.type().weak && argument.element() != boolean;
  });
  const bool to_tensor = strong != arguments.end() && body.type().weak;
  Closure closure = close(std::move(name), std::move(axes), std::move(parameters),
                          to_tensor ? strengthened(body, strong->element()) : body);
  std::ranges::move(closure.captured, std::back_inserter(arguments));
  return make(Call{closure.function}, std::move(arguments));
}

Expr inlined(const Lambda& function, std::span<const Expr> arguments) {
  return inlined_body(function, function.body, arguments);
}

std::vector<Expr> without_calls(std::span<const Expr> expressions) {
  const auto is_unknown = [](const Expr& node) { return !node.is_known(); };
  const auto rebuild = [&](const Expr& node, std::vector<Expr> operands) {
    if (!is_unknown(node)) return node;
    if (const auto* call = node.as<Call>()) {
      return inlined_body(*call->function, without_calls(call->function->body), operands);
    }
    return with_flat_scan(node, std::move(operands));
  };
  return rewrite(expressions, rebuild, is_unknown);
}

Expr without_calls(const Expr& expression) { return without_calls(std::span(&expression, 1))[0]; }

}  // namespace axial::expr
