#include "axial/expr/lift.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "axial/base/error.hpp"
#include "axial/expr/lambda.hpp"
#include "axial/expr/operand_checks.hpp"

namespace axial::expr {

namespace {

/// Some axes of a shape.
struct Part {
  Shape axes;
  Shape whole;
};

/// Fails with size-clash, giving the whole shapes, if an axis of both parts differs in size.
void require_same_sizes(const Activity& name, const Part& left, const Part& right) {
  for (const SizedAxis& axis : left.axes.written()) {
    const std::int64_t other = right.axes.find(axis.axis).value_or(axis.size);
    if (other == axis.size) continue;
    throw Error(
        code("size-clash"),
        fmt::format("`{}`: axis `{}` has size {} in {} and size {} in {}", name.text(),
                    axis.axis.name(), axis.size, to_text(left.whole), other, to_text(right.whole)),
        fmt::format("if these are different axes, rename one: [{0} >> {0}']", axis.axis.name()));
  }
}

}  // namespace

Shape lift(const Activity& name, std::span<const LiftedArgument> arguments, const Shape& result) {
  Shape extras;
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    const auto& [given, own] = arguments[k];
    for (const SizedAxis& axis : own.written()) {
      require_axis(given, axis.axis, [&] { return fmt::format("`{}`", name.text()); });
    }
    require_same_sizes(name, {own, own}, {given, given});
    const Shape extra = given - own.names();
    for (const auto& [earlier, earlier_own] : arguments.first(k)) {
      require_same_sizes(name, {earlier - earlier_own.names(), earlier}, {extra, given});
    }
    extras = extras | extra;
  }
  for (const SizedAxis& axis : extras.written()) {
    if (result.contains(axis.axis)) {
      throw Error(
          code("lifting-clash"),
          fmt::format("`{}` cannot be lifted over axis `{}`: its result, of shape {}, has an "
                      "axis of that name",
                      name.text(), axis.axis.name(), to_text(result)),
          fmt::format("a function f : S -> T lifts over axes that are neither in S nor in T; "
                      "rename the extra axis first: [{0} >> {0}']",
                      axis.axis.name()));
    }
  }
  return result * extras;
}

Type infer_node(const Along& along, std::span<const Expr> operands) {
  const Primitive& word = *along.word;
  require_arity(word.name, operands, word.arity());
  if (along.over.count() != word.axes()) {
    throw Error(code("wrong-arity"),
                fmt::format("`{}` is given the axes {}, but works on {}", word.name,
                            to_text(along.over), word.axes() == 1 ? "1 axis" : "2 axes"),
                "name the axes of the vector or matrix");
  }
  Shape sizes;
  std::vector<LiftedArgument> arguments;
  for (int k = 0; k < word.arity(); ++k) {
    const Expr& operand = operands[static_cast<std::size_t>(k)];
    require_accepted(word.name, word.takes, operand);
    for (const Axis axis : along.axes_of(k)) {
      require_axis(operand.shape(), axis, [&] { return fmt::format("`{}`", word.name); });
    }
    const Shape own = restrict(operand.shape(), along.axes_of(k));
    if (sizes.order() < own.order()) sizes = own;
    arguments.push_back({operand.shape(), restrict(sizes, along.axes_of(k))});
  }
  if (along.over.count() == 2 && sizes.size(along.over[0]) != sizes.size(along.over[1])) {
    throw Error(
        code("size-clash"),
        fmt::format("`{}` needs a square matrix, but axis `{}` has size {} and axis `{}` has "
                    "size {}",
                    word.name, along.over[0].name(), sizes.size(along.over[0]),
                    along.over[1].name(), sizes.size(along.over[1])),
        "name two axes of one size");
  }
  if (!word.allows_empty && sizes.volume() == 0) {
    throw Error(code("empty-axis"),
                fmt::format("`{}` over axis `{}` of {}: the axis is empty", word.name,
                            along.over[0].name(), to_text(operands[0].shape())),
                "make sure that the axis has at least one position");
  }
  const Shape own_result = restrict(sizes, along.axes_of(word.arity()));
  const ElementType element = shared_element(word.name, operands);
  return {lift(word.name, arguments, own_result), result_type(word.gives, element)};
}

namespace {

/// The arguments of a lifted application, from the operands and the function's parameters.
std::vector<LiftedArgument> arguments_of(const Lambda& function, std::span<const Shape> given) {
  if (given.size() != function.parameters.size()) {
    throw Error(code("wrong-arity"),
                fmt::format("`{}` is given the wrong number of arguments: {} instead of {}",
                            function.name, given.size(), function.parameters.size()));
  }
  std::vector<LiftedArgument> arguments;
  for (std::size_t k = 0; k < given.size(); ++k) {
    arguments.push_back({given[k], function.parameters[k].shape()});
  }
  return arguments;
}

void require_parameter_types(const Lambda& function, std::span<const Expr> operands) {
  for (std::size_t k = 0; k < operands.size(); ++k) {
    if (operands[k].element() != function.parameters[k].element()) {
      throw Error(code("element-type"),
                  fmt::format("`{}` takes {} here, but the tensor of shape {} holds {}",
                              function.name, to_text(function.parameters[k].element()),
                              to_text(operands[k].shape()), to_text(operands[k].element())),
                  fmt::format("convert it: to({}, X)", to_text(function.parameters[k].element())));
    }
  }
}

}  // namespace

Type infer_node(const Call& call, std::span<const Expr> operands) {
  const Lambda& function = *call.function;
  // Most arguments have no extra axes, and then there is nothing to lift.
  const bool is_plain =
      std::ranges::equal(operands, function.parameters, [](const Expr& given, const Expr& own) {
        return given.type() == own.type() && given.shape().is_written_as(own.shape());
      });
  if (is_plain && !function.body.type().weak) return function.body.type();
  std::vector<Shape> given;
  for (const Expr& operand : operands) given.push_back(operand.shape());
  const auto arguments = arguments_of(function, given);
  require_parameter_types(function, operands);
  return {lift(function.name, arguments, function.body.shape()), function.body.element(),
          function.body.type().weak && all_weak(operands)};
}

Type infer_node(const Scan& scan, std::span<const Expr> operands) {
  const Lambda& step = *scan.step;
  const auto name = [&] { return fmt::format("scan along `{}`", scan.axis.name()); };
  std::vector<Shape> given;
  std::optional<std::int64_t> size;
  for (std::int64_t k = 0; k < std::ssize(operands); ++k) {
    const Shape& shape = operands[static_cast<std::size_t>(k)].shape();
    if (k < 1 || k > scan.inputs) {
      given.push_back(shape);
      continue;
    }
    require_axis(shape, scan.axis, name);
    if (size.value_or(shape.size(scan.axis)) != shape.size(scan.axis)) {
      throw Error(
          code("size-clash"),
          fmt::format(
              "{}: one sequence has {} positions, but the one of shape {} has {}; the first is {}",
              name(), *size, to_text(shape), shape.size(scan.axis), to_text(operands[1].shape())),
          "slice or pad the sequences to one length");
    }
    size = shape.size(scan.axis);
    given.push_back(shape - scan.axis);
  }
  if (!size)
    throw Error(code("wrong-arity"), fmt::format("{} needs a sequence to run over", name()),
                "give a tensor that has the axis");
  const auto arguments = arguments_of(step, given);
  require_parameter_types(step, operands);
  const Type& state = step.parameters[0].type();
  if (step.body.element() != state.element) {
    throw Error(code("element-type"),
                fmt::format("{}: a step turns a state of {} into one of {}", name(),
                            to_text(state.element), to_text(step.body.element())),
                fmt::format("convert the next state: to({}, X)", to_text(state.element)));
  }
  if (step.body.shape() != state.shape) {
    throw Error(code("unexpected-axis"),
                fmt::format("{}: a step turns a state of shape {} into one of shape {}", name(),
                            to_text(state.shape), to_text(step.body.shape())),
                "the next state must have the shape of the one before");
  }
  const Shape lifted = lift(name, arguments, state.shape);
  if (lifted.contains(scan.axis)) {
    throw Error(code("lifting-clash"),
                fmt::format("{}: the state of shape {} already has axis `{}`", name(),
                            to_text(lifted), scan.axis.name()),
                fmt::format("rename it: [{0} >> {0}']", scan.axis.name()));
  }
  return {lifted * scan.axis[*size], state.element};
}

}  // namespace axial::expr
