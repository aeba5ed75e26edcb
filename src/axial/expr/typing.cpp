#include "axial/expr/typing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "axial/base/error.hpp"
#include "axial/expr/lambda.hpp"

namespace axial::expr {
namespace {

using Operands = std::span<const Expr>;

void require_arity(std::string_view name, Operands operands, std::int64_t count) {
  if (std::ssize(operands) == count) return;
  throw Error(code("wrong-arity"), fmt::format("`{}` takes {} operand{}, but is given {}", name,
                                               count, count == 1 ? "" : "s", operands.size()));
}

std::string describe(Takes takes) {
  if (takes == Takes::reals) return "real numbers (float32, float64)";
  if (takes == Takes::booleans) return "truth values (bool)";
  if (takes == Takes::numbers) return "numbers (float32, float64, int32, int64)";
  return "any elements";
}

void require_accepted(std::string_view name, Takes takes, const Expr& operand) {
  const ElementType element = operand.element();
  if (operand.type().weak || accepts(takes, element)) return;
  const bool whole_quotient = name == "div" && is_integer(element);
  throw Error(code("element-type"),
              fmt::format("`{}` takes {}, but the tensor of shape {} holds {}", name,
                          describe(takes), to_text(operand.shape()), to_text(element)),
              whole_quotient ? "convert first: to(float32, X); for whole quotients use floor_div"
              : takes == Takes::booleans ? "compare first: X != 0"
                                         : "convert first: to(float32, X)");
}

/// The element type shared by all operands. Fails with element-type if they differ.
ElementType shared_element(std::string_view name, Operands operands) {
  for (const Expr& operand : operands) {
    if (operand.element() != operands[0].element()) {
      throw Error(code("element-type"),
                  fmt::format("`{}` mixes element types: {} in {} and {} in {}", name,
                              to_text(operands[0].element()), to_text(operands[0].shape()),
                              to_text(operand.element()), to_text(operand.shape())),
                  fmt::format("convert one of them: to({}, X)", to_text(operands[0].element())));
    }
  }
  return operands[0].element();
}

Shape united(std::string_view name, Operands operands) {
  Shape shape;
  try {
    for (const Expr& operand : operands) shape = shape | operand.shape();
  } catch (const Error& error) {
    throw error.within(fmt::format("`{}`", name));
  }
  return shape;
}

bool all_weak(Operands operands) {
  return std::ranges::all_of(operands, [](const Expr& operand) { return operand.type().weak; });
}

Type infer_node(const Leaf& leaf, Operands) { return {leaf.value.shape(), leaf.value.type()}; }

Type infer_node(const Parameter& parameter, Operands) { return parameter.type; }

Type infer_node(const Literal& literal, Operands) { return {{}, literal.element, literal.weak}; }

Type infer_node(const Map& map, Operands operands) {
  const Word& word = *map.word;
  require_arity(word.name, operands, word.arity());
  Operands values = operands;
  if (word.conditional) {
    values = operands.subspan(1);
    require_accepted(fmt::format("{} (its condition)", word.name), Takes::booleans, operands[0]);
  }
  for (const Expr& operand : values) require_accepted(word.name, word.takes, operand);
  const ElementType element = shared_element(word.name, values);
  return {united(word.name, operands), result_type(word.gives, element),
          all_weak(operands) && word.gives == Gives::same};
}

Type infer_node(const Reduce& reduce, Operands operands) {
  const Reduction& word = *reduce.word;
  require_arity(word.name, operands, 1);
  require_accepted(word.name, word.combine->takes, operands[0]);
  const Shape& shape = operands[0].shape();
  for (const Axis axis : reduce.over) {
    require_axis(shape, axis, fmt::format("`{}`", word.name));
    if (shape.size(axis) == 0 && !word.allows_empty) {
      throw Error(code("empty-axis"),
                  fmt::format("`{}` over axis `{}` of {}: the axis is empty, and {} of nothing has "
                              "no value",
                              word.name, axis.name(), to_text(shape), word.name),
                  "make sure that the axis has at least one position");
    }
  }
  return {shape - reduce.over, operands[0].element()};
}

/// Fails with unknown-axis, giving both shapes, unless both factors have the axis.
void require_contracted(std::string_view name, Axis axis, const Shape& left, const Shape& right) {
  for (const auto& [here, there] : {std::pair(left, right), std::pair(right, left)}) {
    if (here.contains(axis)) continue;
    const Axes shared = common(here.names(), there.names());
    throw Error(code("unknown-axis"),
                fmt::format("{}: there is no axis `{}` in shape {}, which meets shape {}", name,
                            axis.name(), to_text(here), to_text(there)),
                shared.empty() ? "both operands need the axis; to sum over one of them, use sum"
                               : fmt::format("the operands share the axes {}", to_text(shared)));
  }
}

Type infer_node(const Contract& contract, Operands operands) {
  const std::string name = fmt::format("contraction over {}", to_text(contract.over));
  for (const Expr& operand : operands) require_accepted(name, Takes::numbers, operand);
  if (operands.size() == 2) {
    for (const Axis axis : contract.over) {
      require_contracted(name, axis, operands[0].shape(), operands[1].shape());
    }
  }
  const ElementType element = shared_element(name, operands);
  const Shape shape = united(name, operands);
  for (const Axis axis : contract.over) require_axis(shape, axis, name);
  return {shape - contract.over, element};
}

[[noreturn]] void fail_rename_clash(std::string_view what, Axis axis, const Shape& shape) {
  throw Error(code("rename-clash"),
              fmt::format("{} makes a second axis `{}`: {} already has it", what, axis.name(),
                          to_text(shape)),
              fmt::format("choose another name, or first rename the other axis: [{0} >> {0}']",
                          axis.name()));
}

Type infer_node(const Rename& rename, Operands operands) {
  const Type& type = operands[0].type();
  std::vector<SizedAxis> axes(type.shape.written().begin(), type.shape.written().end());
  std::vector<Axis> sources;
  for (const auto& [from, to] : rename.pairs) {
    require_axis(type.shape, from, fmt::format("rename `{}` to `{}`", from.name(), to.name()));
    sources.push_back(from);
  }
  const Axes renamed(std::move(sources));
  Axes names = type.shape.names() - renamed;
  for (const auto& [from, to] : rename.pairs) {
    if (names.contains(to)) {
      fail_rename_clash(fmt::format("renaming `{}` to `{}`", from.name(), to.name()), to,
                        type.shape);
    }
    names = names & to;
    const auto position = std::ranges::find(type.shape.written(), from, &SizedAxis::axis);
    axes[static_cast<std::size_t>(position - type.shape.written().begin())].axis = to;
  }
  return {Shape(std::move(axes)), type.element};
}

Type infer_node(const Reshape& reshape, Operands operands) {
  const Type& type = operands[0].type();
  const std::string name =
      fmt::format("reshape {} to {}", to_text(reshape.from), to_text(reshape.to));
  for (const Axis axis : reshape.from) require_axis(type.shape, axis, name);
  const Shape source = restrict(type.shape, reshape.from);
  if (source.volume() != reshape.to.volume()) {
    throw Error(code("size-clash"),
                fmt::format("{}: {} has {} positions, but {} has {}", name, to_text(source),
                            source.volume(), to_text(reshape.to), reshape.to.volume()),
                "leave one size open and it is computed: layer >> (heads[8] & key)");
  }
  const Shape rest = type.shape - reshape.from;
  for (const SizedAxis& axis : reshape.to.written()) {
    if (rest.contains(axis.axis)) fail_rename_clash(name, axis.axis, type.shape);
  }
  return {rest * reshape.to, type.element};
}

Type infer_node(const Index& index, Operands operands) {
  const std::string name = fmt::format("index along `{}`", index.axis.name());
  const Type& source = operands[0].type();
  const Type& indices = operands[1].type();
  require_axis(source.shape, index.axis, name);
  if (!indices.weak && !is_integer(indices.element)) {
    throw Error(code("element-type"),
                fmt::format("{}: the indices of shape {} are {}, not integers", name,
                            to_text(indices.shape), to_text(indices.element)),
                "convert them: to(int64, I)");
  }
  try {
    return {(source.shape - index.axis) | indices.shape, source.element};
  } catch (const Error& error) {
    throw error.within(name);
  }
}

/// The shape with another size for an axis that it has.
Shape resized(const Shape& shape, Axis axis, std::int64_t size) {
  std::vector<SizedAxis> axes(shape.written().begin(), shape.written().end());
  std::ranges::find(axes, axis, &SizedAxis::axis)->size = size;
  return Shape(std::move(axes));
}

Type infer_node(const Window& window, Operands operands) {
  const Type& type = operands[0].type();
  const auto& [axis, kernel, stride, dilation, exact] = window;
  const std::string name =
      fmt::format("window `{}[{}]` along `{}`", kernel.axis.name(), kernel.size, axis.name());
  require_axis(type.shape, axis, name);
  if (kernel.axis == axis || type.shape.contains(kernel.axis)) {
    fail_rename_clash(name, kernel.axis, type.shape);
  }
  if (kernel.size < 1 || stride < 1 || dilation < 1) {
    throw Error(code("bad-size"),
                fmt::format("{}: window size {}, stride {} and dilation {} must all be 1 or more",
                            name, kernel.size, stride, dilation));
  }
  const std::int64_t size = type.shape.size(axis);
  // Compared by division, since a hostile dilation may overflow.
  if (size == 0 || (kernel.size > 1 && dilation > (size - 1) / (kernel.size - 1))) {
    throw Error(
        code("window-size"),
        fmt::format("{} with dilation {} does not fit: the axis has size {}", name, dilation, size),
        "use a smaller window, or pad the axis");
  }
  const std::int64_t room = size - 1 - dilation * (kernel.size - 1);
  if (exact && room % stride != 0) {
    throw Error(code("window-size"),
                fmt::format("{}: size {} is not a multiple of {}, {} position{} would be left over",
                            name, size, stride, room % stride, room % stride == 1 ? "" : "s"),
                "slice or pad the axis to a multiple, or use unroll with a stride");
  }
  return {resized(type.shape, axis, room / stride + 1) * kernel, type.element};
}

Type infer_node(const Slice& slice, Operands operands) {
  const Type& type = operands[0].type();
  require_axis(type.shape, slice.axis, "slice");
  if (slice.count < 0 || slice.step == 0) bug("a slice with a negative count or no step");
  if (slice.count > 0) {
    const std::int64_t size = type.shape.size(slice.axis);
    require_in_range(slice.axis, slice.begin, size);
    require_in_range(slice.axis, slice.begin + (slice.count - 1) * slice.step, size);
  }
  return {resized(type.shape, slice.axis, slice.count), type.element};
}

Type infer_node(const Pad& pad, Operands operands) {
  const Type& type = operands[0].type();
  require_axis(type.shape, pad.axis, "pad");
  constexpr std::int64_t limit = std::int64_t{1} << 59;
  if (pad.before < 0 || pad.after < 0 || pad.before > limit || pad.after > limit) {
    throw Error(code("bad-size"),
                fmt::format("pad: axis `{}` cannot be padded by {} and {} positions",
                            pad.axis.name(), pad.before, pad.after),
                "to drop positions, take a slice");
  }
  if (!pad.value.fits(type.element)) {
    throw Error(code("element-type"),
                fmt::format("pad: a tensor of {} cannot hold the padding value {}",
                            to_text(type.element), to_text(pad.value)));
  }
  const std::int64_t size = type.shape.size(pad.axis) + pad.before + pad.after;
  return {resized(type.shape, pad.axis, size), type.element};
}

Type infer_node(const Concat& concat, Operands operands) {
  const std::string name = fmt::format("concatenation along `{}`", concat.axis.name());
  if (operands.empty()) {
    throw Error(code("wrong-arity"), fmt::format("{} needs at least one tensor", name));
  }
  std::int64_t size = 0;
  Shape rest;
  for (const Expr& operand : operands) {
    require_axis(operand.shape(), concat.axis, name);
    size += operand.shape().size(concat.axis);
    try {
      rest = rest | (operand.shape() - concat.axis);
    } catch (const Error& error) {
      throw error.within(name);
    }
  }
  return {rest * concat.axis[size], shared_element(name, operands)};
}

Type infer_node(const Broadcast& broadcast, Operands operands) {
  try {
    return {operands[0].shape() | broadcast.along, operands[0].element()};
  } catch (const Error& error) {
    throw error.within("broadcast");
  }
}

Type infer_node(const Delta& delta, Operands) {
  return {delta.row * delta.column[delta.row.size], delta.element};
}

Type infer_node(const Iota& iota, Operands) { return {iota.axis, iota.element}; }

Type infer_node(const Cast& cast, Operands operands) { return {operands[0].shape(), cast.element}; }

Type infer_node(const Along& along, Operands operands) {
  const Primitive& word = *along.word;
  require_arity(word.name, operands, word.arity());
  if (along.over.count() != word.axes()) {
    throw Error(code("wrong-arity"), fmt::format("`{}` works on {} axes, but is given {}",
                                                 word.name, word.axes(), to_text(along.over)));
  }
  const auto axes_of = [&](int k) {
    std::vector<Axis> axes;
    for (const char letter : word.letters(k)) axes.push_back(along.over[letter - 'a']);
    return Axes(std::move(axes));
  };
  Shape sizes;
  std::vector<LiftedArgument> arguments;
  for (int k = 0; k < word.arity(); ++k) {
    const Expr& operand = operands[static_cast<std::size_t>(k)];
    require_accepted(word.name, word.takes, operand);
    for (const Axis axis : axes_of(k)) {
      require_axis(operand.shape(), axis, fmt::format("`{}`", word.name));
    }
    const Shape own = restrict(operand.shape(), axes_of(k));
    if (sizes.order() < own.order()) sizes = own;
    arguments.push_back({operand.shape(), restrict(sizes, axes_of(k))});
  }
  if (along.over.count() == 2 && sizes.size(along.over[0]) != sizes.size(along.over[1])) {
    throw Error(
        code("size-clash"),
        fmt::format("`{}` needs a square matrix, but axis `{}` has size {} and axis `{}` has "
                    "size {}",
                    word.name, along.over[0].name(), sizes.size(along.over[0]),
                    along.over[1].name(), sizes.size(along.over[1])));
  }
  if (!word.allows_empty && sizes.volume() == 0) {
    throw Error(code("empty-axis"),
                fmt::format("`{}` over {}: the axis is empty", word.name, to_text(sizes)));
  }
  const Shape own_result = restrict(sizes, axes_of(word.arity()));
  const ElementType element = shared_element(word.name, operands);
  return {lift(word.name, arguments, own_result), result_type(word.gives, element)};
}

/// The arguments of a lifted application, from the operands and the function's parameters.
std::vector<LiftedArgument> arguments_of(const Lambda& function, std::span<const Shape> given) {
  if (given.size() != function.parameters.size()) {
    throw Error(code("wrong-arity"),
                fmt::format("`{}` takes {} arguments, but is given {}", function.name,
                            function.parameters.size(), given.size()));
  }
  std::vector<LiftedArgument> arguments;
  for (std::size_t k = 0; k < given.size(); ++k) {
    arguments.push_back({given[k], function.parameters[k].shape()});
  }
  return arguments;
}

void require_parameter_types(const Lambda& function, Operands operands) {
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

Type infer_node(const Call& call, Operands operands) {
  const Lambda& function = *call.function;
  std::vector<Shape> given;
  for (const Expr& operand : operands) given.push_back(operand.shape());
  const auto arguments = arguments_of(function, given);
  require_parameter_types(function, operands);
  return {lift(function.name, arguments, function.body.shape()), function.body.element(),
          function.body.type().weak && all_weak(operands)};
}

Type infer_node(const Scan& scan, Operands operands) {
  const Lambda& step = *scan.step;
  const std::string name = fmt::format("scan along `{}`", scan.axis.name());
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
      throw Error(code("size-clash"), fmt::format("{}: the sequences have {} and {} positions",
                                                  name, *size, shape.size(scan.axis)));
    }
    size = shape.size(scan.axis);
    given.push_back(shape - scan.axis);
  }
  if (!size) throw Error(code("wrong-arity"), fmt::format("{} needs a sequence to run over", name));
  const auto arguments = arguments_of(step, given);
  require_parameter_types(step, operands);
  const Type& state = step.parameters[0].type();
  if (step.body.shape() != state.shape || step.body.element() != state.element) {
    throw Error(code("unexpected-axis"),
                fmt::format("{}: a step turns a state of shape {} and {} into {} and {}", name,
                            to_text(state.shape), to_text(state.element),
                            to_text(step.body.shape()), to_text(step.body.element())),
                "the next state must have the shape and element type of the one before");
  }
  const Shape lifted = lift(name, arguments, state.shape);
  if (lifted.contains(scan.axis)) {
    throw Error(code("lifting-clash"),
                fmt::format("{}: the state of shape {} already has axis `{}`", name,
                            to_text(lifted), scan.axis.name()),
                fmt::format("rename it: [{0} >> {0}']", scan.axis.name()));
  }
  return {lifted * scan.axis[*size], state.element};
}

}  // namespace

Shape lift(std::string_view name, std::span<const LiftedArgument> arguments, const Shape& result) {
  Shape extras;
  for (const auto& [given, own] : arguments) {
    for (const SizedAxis& axis : own.written()) {
      require_axis(given, axis.axis, fmt::format("`{}`", name));
    }
    try {
      own | given;
      extras = extras | (given - own.names());
    } catch (const Error& error) {
      throw error.within(fmt::format("`{}`", name));
    }
  }
  for (const SizedAxis& axis : extras.written()) {
    if (result.contains(axis.axis)) {
      throw Error(
          code("lifting-clash"),
          fmt::format("`{}` cannot be lifted over axis `{}`: its result, of shape {}, has an "
                      "axis of that name",
                      name, axis.axis.name(), to_text(result)),
          fmt::format("a function f : S -> T lifts over axes that are neither in S nor in T; "
                      "rename the extra axis first: [{0} >> {0}']",
                      axis.axis.name()));
    }
  }
  return result * extras;
}

Type infer(const Kind& kind, std::span<const Expr> operands) {
  return std::visit([&](const auto& node) { return infer_node(node, operands); }, kind);
}

}  // namespace axial::expr
