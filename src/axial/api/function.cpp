#include "axial/api/function.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "axial/api/plain.hpp"
#include "axial/base/error.hpp"
#include "axial/expr/lambda.hpp"

namespace axial {
namespace {

expr::Expr parameter(std::string name, expr::Type type) {
  return expr::make(expr::Parameter{std::move(name), std::move(type)});
}

std::vector<Tensor> as_tensors(const std::vector<expr::Expr>& expressions) {
  std::vector<Tensor> tensors;
  for (const expr::Expr& expression : expressions) tensors.emplace_back(expression);
  return tensors;
}

}  // namespace

void fail_argument_count(std::size_t given) {
  throw Error(code("wrong-arity"),
              fmt::format("the body cannot be called with this number of tensors: {}", given),
              "the signature and the body must have the same number of arguments");
}

Function::Function(std::string name, std::vector<Axes> parameters, Axes result, TensorFunction body)
    : name_(std::move(name)),
      parameters_(std::move(parameters)),
      result_(std::move(result)),
      body_(std::move(body)) {}

Tensor Function::apply(const std::vector<Tensor>& arguments) const {
  if (arguments.size() != parameters_.size()) {
    throw Error(code("wrong-arity"),
                fmt::format("`{}` is given the wrong number of arguments: {} instead of {}", name_,
                            arguments.size(), parameters_.size()),
                "give one argument for each set of axes in the signature");
  }
  std::vector<expr::Expr> parameters, given;
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    given.push_back(arguments[k].expression());
    expr::Type type = given.back().type();
    for (const Axis axis : parameters_[k]) {
      require_axis(type.shape, axis, fmt::format("argument {} of `{}`", k + 1, name_));
    }
    type.shape = restrict(type.shape, parameters_[k]);
    parameters.push_back(parameter(fmt::format("argument {}", k + 1), std::move(type)));
  }
  // The body sees exactly the axes of the signature: what it does to a slice, lifting does to all.
  const Tensor result = [&] {
    try {
      return body_(as_tensors(parameters));
    } catch (const Error& error) {
      throw error.within(fmt::format("`{}`", name_));
    }
  }();
  require_names(result, result_, fmt::format("the result of `{}`", name_));
  return Tensor(
      expr::call(name_, {}, std::move(parameters), result.expression(), std::move(given)));
}

namespace {

/// One run of the step on parameters instead of values.
struct TracedStep {
  std::vector<expr::Expr> parameters;
  expr::Expr next;
};

TracedStep trace(Axis axis, const Tensor& state, const std::vector<Tensor>& inputs,
                 const TensorFunction& step) {
  std::vector<expr::Expr> parameters{parameter("state", state.expression().type())};
  for (const Tensor& input : inputs) {
    require_axis(input.shape(), axis, fmt::format("scan along `{}`", axis.name()));
    expr::Type type = input.expression().type();
    type.shape = type.shape - axis;
    parameters.push_back(parameter("input", std::move(type)));
  }
  const expr::Expr next =
      expr::strengthened(step(as_tensors(parameters)).expression(), state.type());
  return {std::move(parameters), next};
}

/// A number as the first state takes the element type of the inputs.
Tensor strong_state(const Tensor& initial, const std::vector<Tensor>& inputs) {
  const ElementType type = inputs.empty() ? initial.type() : inputs[0].type();
  return Tensor(expr::strengthened(initial.expression(), type));
}

}  // namespace

namespace {

/// A function whose errors say which scan they happened in.
template <class Step>
auto told(Axis axis, const Step& step) {
  return [axis, &step](const std::vector<Tensor>& arguments) {
    try {
      return step(arguments);
    } catch (const Error& error) {
      throw error.within(fmt::format("scan along `{}`", axis.name()));
    }
  };
}

}  // namespace

Tensor plain::scan(Axis axis, const Tensor& initial, const std::vector<Tensor>& inputs,
                   const TensorFunction& plain_step, bool reverse) {
  const TensorFunction step = told(axis, plain_step);
  Tensor state = strong_state(initial, inputs);
  TracedStep traced = trace(axis, state, inputs, step);
  // Axes that the inputs bring into the state are broadcast into the first one.
  if (traced.next.shape() != state.shape() && contains(traced.next.shape(), state.shape())) {
    state = broadcast(state, traced.next.shape());
    traced = trace(axis, state, inputs, step);
  }
  expr::Closure closure = expr::close("step", {}, std::move(traced.parameters), traced.next);
  std::vector<expr::Expr> operands{state.expression()};
  for (const Tensor& input : inputs) operands.push_back(input.expression());
  std::ranges::move(closure.captured, std::back_inserter(operands));
  return Tensor(expr::make(expr::Scan{axis, reverse, std::ssize(inputs), closure.function},
                           std::move(operands)));
}

namespace {

/// Several tensors as one vector, and back: how a recurrence carries more than one state.
class Bundle {
 public:
  Bundle(Axis axis, const std::vector<Tensor>& members)
      : axis_(axis), type_(members.empty() ? float32 : members[0].type()) {
    for (const Tensor& member : members) shapes_.push_back(member.shape());
  }

  Tensor pack(const std::vector<Tensor>& members) const {
    if (members.size() != shapes_.size()) {
      throw Error(code("wrong-arity"),
                  fmt::format("a step gives the wrong number of states: {} instead of {}",
                              members.size(), shapes_.size()),
                  "give the next value of every state, in the same order");
    }
    std::vector<Tensor> flat;
    for (std::size_t k = 0; k < members.size(); ++k) {
      const Tensor member(expr::strengthened(members[k].expression(), type_));
      require_state(member, k);
      const expr::Reshape flatten{shapes_[k].names(), axis_[shapes_[k].volume()]};
      flat.emplace_back(expr::make(flatten, {member.expression()}));
    }
    return plain::concat(axis_, flat);
  }

  std::vector<Tensor> unpack(const Tensor& bundle) const {
    std::vector<Tensor> members;
    std::int64_t begin = 0;
    for (const Shape& shape : shapes_) {
      const Tensor part = bundle[axis_(begin, begin + shape.volume())];
      members.emplace_back(expr::make(expr::Reshape{axis_, shape}, {part.expression()}));
      begin += shape.volume();
    }
    return members;
  }

 private:
  void require_state(const Tensor& next, std::size_t k) const {
    if (next.shape() == shapes_[k] && next.type() == type_) return;
    throw Error(code("unexpected-axis"),
                fmt::format("scan: a step turns state {}, of shape {} and {}, into one of shape {} "
                            "and {}",
                            k + 1, to_text(shapes_[k]), to_text(type_), to_text(next.shape()),
                            to_text(next.type())),
                "the next state must have the shape and element type of the one before");
  }

  Axis axis_;
  ElementType type_;
  std::vector<Shape> shapes_;
};

using StepOfMany = std::function<std::vector<Tensor>(const std::vector<Tensor>&)>;

/// The first states with the axes that inputs bring into them.
std::vector<Tensor> widened(Axis axis, const std::vector<Tensor>& initial,
                            const std::vector<Tensor>& inputs, const StepOfMany& step) {
  std::vector<Tensor> states;
  for (const Tensor& state : initial) states.push_back(strong_state(state, inputs));
  for (bool changed = true; changed;) {
    std::vector<Tensor> arguments = states;
    for (const Tensor& input : inputs) {
      expr::Type type = input.expression().type();
      require_axis(type.shape, axis, fmt::format("scan along `{}`", axis.name()));
      type.shape = type.shape - axis;
      arguments.emplace_back(parameter("input", std::move(type)));
    }
    const std::vector<Tensor> next = step(arguments);
    changed = false;
    for (std::size_t k = 0; k < std::min(states.size(), next.size()); ++k) {
      const Shape shape = next[k].shape();
      if (shape != states[k].shape() && contains(shape, states[k].shape())) {
        states[k] = plain::broadcast(states[k], shape);
        changed = true;
      }
    }
  }
  return states;
}

}  // namespace

std::vector<Tensor> plain::scan(Axis axis, const std::vector<Tensor>& initial,
                                const std::vector<Tensor>& inputs, const StepOfMany& step,
                                bool reverse) {
  const std::vector<Tensor> first = widened(axis, initial, inputs, step);
  Axes taken = axis;
  for (const Tensor& state : first) taken = taken & (state.shape().names() - taken);
  for (const Tensor& input : inputs) taken = taken & (input.shape().names() - taken);
  const Bundle bundle(fresh(Axis("states"), taken), first);
  const auto packed_step = [&](const std::vector<Tensor>& arguments) {
    std::vector<Tensor> unpacked = bundle.unpack(arguments[0]);
    unpacked.insert(unpacked.end(), arguments.begin() + 1, arguments.end());
    return bundle.pack(step(unpacked));
  };
  return bundle.unpack(scan(axis, bundle.pack(first), inputs, packed_step, reverse));
}

}  // namespace axial
