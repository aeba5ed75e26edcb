#include "axial/expr/typing.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "axial/base/error.hpp"
#include "axial/expr/lift.hpp"
#include "axial/expr/operand_checks.hpp"

namespace axial::expr {
namespace {

using Operands = std::span<const Expr>;

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
  for (const Expr& operand : values) {
    require_accepted(word.name, word.takes, operand, word.integer_hint);
  }
  const ElementType element = shared_element(word.name, values);
  return {united(word.name, operands), result_type(word.gives, element),
          all_weak(values) && word.gives == Gives::same};
}

Type infer_node(const Reduce& reduce, Operands operands) {
  const Reduction& word = *reduce.word;
  require_arity(word.name, operands, 1);
  require_accepted(word.name, word.combine->takes, operands[0]);
  const Shape& shape = operands[0].shape();
  for (const Axis axis : reduce.over) {
    require_axis(shape, axis, [&] { return fmt::format("`{}`", word.name); });
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
void require_contracted(const Activity& name, Axis axis, const Shape& left, const Shape& right) {
  if (left.contains(axis) && right.contains(axis)) return;
  for (const auto& [here, there] : {std::pair(left, right), std::pair(right, left)}) {
    if (here.contains(axis)) continue;
    const Axes shared = common(here.names(), there.names());
    throw Error(code("unknown-axis"),
                fmt::format("{}: there is no axis `{}` in shape {}, which meets shape {}",
                            name.text(), axis.name(), to_text(here), to_text(there)),
                shared.empty() ? "both operands need the axis; to sum over one of them, use sum"
                               : fmt::format("the operands share the axes {}", to_text(shared)));
  }
}

Type infer_node(const Contract& contract, Operands operands) {
  const auto name = [&] { return fmt::format("contraction over {}", to_text(contract.over)); };
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
              fmt::format("{} gives {} two axes called `{}`", what, to_text(shape), axis.name()),
              fmt::format("choose another name, or first rename the other axis: [{0} >> {0}']",
                          axis.name()));
}

Type infer_node(const Rename& rename, Operands operands) {
  const Type& type = operands[0].type();
  std::vector<SizedAxis> axes(type.shape.written().begin(), type.shape.written().end());
  std::vector<Axis> sources;
  for (const auto& [from, to] : rename.pairs) {
    require_axis(type.shape, from, [&, &from = from, &to = to] {
      return fmt::format("rename `{}` to `{}`", from.name(), to.name());
    });
    sources.push_back(from);
  }
  const Axes renamed(std::move(sources));
  Axes names = type.shape.names() - renamed;
  for (const auto& [from, to] : rename.pairs) {
    if (names.contains(to)) {
      const auto other = std::ranges::find(rename.pairs, to, &std::pair<Axis, Axis>::second);
      const bool both = other->first != from;
      fail_rename_clash(fmt::format("renaming {}`{}` to `{}`",
                                    both ? fmt::format("`{}` and ", other->first.name()) : "",
                                    from.name(), to.name()),
                        to, type.shape);
    }
    names = names & to;
    const auto position = std::ranges::find(type.shape.written(), from, &SizedAxis::axis);
    axes[static_cast<std::size_t>(position - type.shape.written().begin())].axis = to;
  }
  return {Shape(axes), type.element};
}

Type infer_node(const Reshape& reshape, Operands operands) {
  const Type& type = operands[0].type();
  const auto name = [&] {
    return fmt::format("reshape {} to {}", to_text(reshape.from), to_text(reshape.to));
  };
  for (const Axis axis : reshape.from) require_axis(type.shape, axis, name);
  const Shape source = restrict(type.shape, reshape.from);
  if (source.volume() != reshape.to.volume()) {
    throw Error(code("size-clash"),
                fmt::format("{}: {} has {} positions, but {} has {}", name(), to_text(source),
                            source.volume(), to_text(reshape.to), reshape.to.volume()),
                "leave one size open and it is computed: layer >> (heads[8] & key)");
  }
  const Shape rest = type.shape - reshape.from;
  for (const SizedAxis& axis : reshape.to.written()) {
    if (rest.contains(axis.axis)) fail_rename_clash(name(), axis.axis, type.shape);
  }
  return {rest * reshape.to, type.element};
}

Type infer_node(const Index& index, Operands operands) {
  const auto name = [&] { return fmt::format("index along `{}`", index.axis.name()); };
  const Type& source = operands[0].type();
  const Type& indices = operands[1].type();
  require_axis(source.shape, index.axis, name);
  require_accepted(name, Takes::numbers, operands[1]);
  try {
    return {(source.shape - index.axis) | indices.shape, source.element};
  } catch (const Error& error) {
    throw error.within(name());
  }
}

/// The shape with another size for an axis that it has.
Shape resized(const Shape& shape, Axis axis, std::int64_t size) {
  std::vector<SizedAxis> axes(shape.written().begin(), shape.written().end());
  std::ranges::find(axes, axis, &SizedAxis::axis)->size = size;
  return Shape(axes);
}

Type infer_node(const Window& window, Operands operands) {
  const Type& type = operands[0].type();
  const auto& [axis, kernel, stride, dilation, exact] = window;
  const auto name = [&, &kernel = kernel, &axis = axis] {
    return fmt::format("window `{}[{}]` along `{}`", kernel.axis.name(), kernel.size, axis.name());
  };
  require_axis(type.shape, axis, name);
  if (kernel.axis == axis || type.shape.contains(kernel.axis)) {
    fail_rename_clash(name(), kernel.axis, type.shape);
  }
  if (kernel.size < 1 || stride < 1 || dilation < 1) {
    throw Error(code("bad-size"),
                fmt::format("{}: window size {}, stride {} and dilation {} must all be 1 or more",
                            name(), kernel.size, stride, dilation),
                "without options, stride and dilation are 1");
  }
  const std::int64_t size = type.shape.size(axis);
  // Compared by division, since a hostile dilation may overflow.
  if (size == 0 || (kernel.size > 1 && dilation > (size - 1) / (kernel.size - 1))) {
    throw Error(code("window-size"),
                fmt::format("{} with dilation {} does not fit: the axis has size {}", name(),
                            dilation, size),
                "use a smaller window, or pad the axis");
  }
  const std::int64_t room = size - 1 - dilation * (kernel.size - 1);
  if (exact && room % stride != 0) {
    throw Error(code("window-size"),
                fmt::format("{}: size {} is not a multiple of {}, {} position{} would be left over",
                            name(), size, stride, room % stride, room % stride == 1 ? "" : "s"),
                "slice or pad the axis to a multiple, or use unroll with a stride");
  }
  return {resized(type.shape, axis, room / stride + 1) * kernel, type.element};
}

Type infer_node(const Fold& fold, Operands operands) {
  const Type& type = operands[0].type();
  for (const Axis axis : {fold.axis.axis, fold.kernel}) require_axis(type.shape, axis, "fold");
  const std::int64_t reach = (type.shape.size(fold.axis.axis) - 1) * fold.stride +
                             (type.shape.size(fold.kernel) - 1) * fold.dilation;
  if (reach >= fold.axis.size) bug("a fold of windows that reach beyond the axis");
  return {(type.shape - (fold.axis.axis & fold.kernel)) * fold.axis, type.element};
}

Type infer_node(const Scatter& scatter, Operands operands) {
  const auto name = [&] { return fmt::format("scatter along `{}`", scatter.axis.axis.name()); };
  require_accepted(name, Takes::numbers, operands[1]);
  const Shape shape = united(name, operands);
  for (const Axis axis : scatter.over) require_axis(shape, axis, name);
  return {(shape - scatter.over) * scatter.axis, operands[0].element()};
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
    throw Error(code("bad-value"),
                fmt::format("pad: a tensor of {} cannot hold the padding value {}",
                            to_text(type.element), to_text(pad.value)),
                "convert the tensor: to(float32, X)");
  }
  std::int64_t size = type.shape.size(pad.axis);
  if (__builtin_add_overflow(size, pad.before + pad.after, &size)) {
    throw Error(code("too-large"),
                fmt::format("pad: axis `{}` would have more than 2^63 positions", pad.axis.name()),
                "use less padding");
  }
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
    if (__builtin_add_overflow(size, operand.shape().size(concat.axis), &size)) {
      throw Error(code("too-large"), fmt::format("{}: the sizes add up to more than 2^63", name),
                  "join fewer or smaller tensors");
    }
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

}  // namespace

Type infer(const Kind& kind, std::span<const Expr> operands) {
  return std::visit([&](const auto& node) { return infer_node(node, operands); }, kind);
}

}  // namespace axial::expr
