// Copies: what a pad, a concatenation or a fold writes, and values that are wanted in another order.
#include <algorithm>

#include "axial/plan/lower.hpp"

namespace axial::plan {
namespace {

using kernels::Operation;

/// The copy from one place to another as matrices that are turned, if neighbours here are long rows
/// there.
std::optional<RunTurn> turned(const Place& source, const Place& target,
                              std::int64_t element_bytes) {
  const auto near = nearest_axis(source);
  const auto far = nearest_axis(target);
  if (!far || target.stride(*far) != 1 || !is_crosswise(source, *far, element_bytes)) {
    return std::nullopt;
  }
  const auto size = [&](Axis axis) {
    return std::ranges::find(target.axes, axis, &Extent::axis)->size;
  };
  std::vector<SizedAxis> others;
  for (const SizedAxis& axis : memory_order(target)) {
    if (axis.axis != near && axis.axis != far) others.push_back(axis);
  }
  return RunTurn{{.element_bytes = element_bytes,
                  .from = offsets(source, others),
                  .to = offsets(target, others),
                  .rows = size(*far),
                  .columns = size(*near),
                  .from_stride = source.stride(*far),
                  .to_stride = target.stride(*near)},
                 {source.buffer, source.offset},
                 {target.buffer, target.offset}};
}

}  // namespace

bool is_crosswise(const Place& place, Axis along, std::int64_t element_bytes) {
  constexpr std::int64_t least = 16;
  const auto near = nearest_axis(place);
  const std::int64_t jump = std::abs(place.stride(along));
  if (!near || near == along || place.stride(*near) != 1 || jump <= 1) return false;
  const auto is_long = [&](Axis axis) {
    return std::ranges::find(place.axes, axis, &Extent::axis)->size >= least;
  };
  return element_bytes >= 4 && is_long(*near) && is_long(along);
}

std::optional<int> Lowering::only_pad_of(int step) const {
  const auto& users = users_[static_cast<std::size_t>(step)];
  if (users.size() != 1 || !std::holds_alternative<expr::Pad>(at(users[0]).kind))
    return std::nullopt;
  const std::int64_t value = std::ssize(program_.inputs) + step;
  const bool is_result = std::ranges::find(program_.results, value) != program_.results.end();
  return is_result ? std::nullopt : std::optional(users[0]);
}

Place Lowering::filled_pad(int step, std::vector<SizedAxis> order) {
  const auto& pad = std::get<expr::Pad>(at(step).kind);
  const Shape& shape = at(step).type.shape;
  Place place;
  if (const auto outer = only_pad_of(step)) {
    place = filled_pad(*outer, std::move(order));
  } else {
    for (SizedAxis& axis : order) axis.size = shape.size(axis.axis);
    place = new_place(storage(at(step).type), order_for_users(step, std::move(order)));
  }
  set_place(step, place);
  const auto part = [&](std::int64_t begin, std::int64_t count) {
    return *viewed(expr::Slice{pad.axis, begin, count}, place, shape);
  };
  const std::int64_t kept = shape.size(pad.axis) - pad.before - pad.after;
  if (pad.before > 0) add_copy({}, pad.value, part(0, pad.before), false, "pad");
  if (pad.after > 0) add_copy({}, pad.value, part(pad.before + kept, pad.after), false, "pad");
  return part(pad.before, kept);
}

void Lowering::emit_copy(const expr::Pad&, int step) {
  const Place source = place_of(at(step).operands[0]);
  add_copy(source, 0, filled_pad(step, memory_order(source)), false, "pad");
}

void Lowering::emit_copy(const expr::Concat& concat, int step) {
  const Shape& shape = at(step).type.shape;
  const Place target = new_place(storage(at(step).type), shape.written());
  std::int64_t begin = 0;
  for (const std::int64_t operand : at(step).operands) {
    const std::int64_t count = type_of(operand).shape.size(concat.axis);
    const Place part = *viewed(expr::Slice{concat.axis, begin, count}, target, shape);
    add_copy(place_of(operand), 0, part, false, "concat");
    begin += count;
  }
  set_place(step, target);
}

/// Adds window after window; what they have in common is added more than once.
void Lowering::emit_copy(const expr::Fold& fold, int step) {
  const Place source = place_of(at(step).operands[0]);
  const Shape& shape = at(step).type.shape;
  std::vector<SizedAxis> order;
  for (const SizedAxis& axis : memory_order(source)) {
    if (const auto size = shape.find(axis.axis)) order.push_back(axis.axis[*size]);
  }
  const Place target = new_place(storage(at(step).type), order);
  add_copy({}, 0, target, false, "fold");
  const Shape& walked = type_of(at(step).operands[0]).shape;
  for (std::int64_t k = 0; k < walked.size(fold.kernel); ++k) {
    Place part = *viewed(expr::Slice{fold.kernel, k, 1}, source, walked);
    std::erase_if(part.axes, [&](const Extent& each) { return each.axis == fold.kernel; });
    const std::int64_t count = walked.size(fold.axis.axis);
    const expr::Slice into{fold.axis.axis, k * fold.dilation, count, fold.stride};
    add_copy(part, 0, *viewed(into, target, shape), true, "fold");
  }
  set_place(step, target);
}

void Lowering::add_copy(const std::optional<Place>& source, Number number, const Place& target,
                        bool adds, const std::string& purpose) {
  const ElementType element = plan_.buffers[static_cast<std::size_t>(target.buffer)].element;
  if (source && !adds) {
    if (auto turn = turned(*source, target, facts(element).bytes)) {
      plan_.steps.push_back({std::move(*turn), purpose});
      return;
    }
  }
  RunNest copy;
  const auto stream = [&](const Place& place) {
    kernels::Stream result{element, {}};
    for (const SizedAxis& axis : memory_order(target)) {
      result.strides.push_back(place.stride(axis.axis));
    }
    copy.nest.streams.push_back(std::move(result));
    copy.starts.push_back({place.buffer, place.offset});
    return static_cast<int>(copy.nest.streams.size()) - 1;
  };
  const auto add = [&](Operation operation) {
    copy.nest.operations.push_back(std::move(operation));
    return static_cast<int>(copy.nest.operations.size()) - 1;
  };
  for (const SizedAxis& axis : memory_order(target)) copy.nest.outer.push_back(axis.size);
  const auto load = [&](const Place& place) {
    return add({.kind = Operation::Kind::load, .element = element, .stream = stream(place)});
  };
  int value = source
                  ? load(*source)
                  : add({.kind = Operation::Kind::literal, .element = element, .number = number});
  if (adds) {
    const int before = load(target);
    value = add({.kind = Operation::Kind::map,
                 .element = element,
                 .operands = {before, value},
                 .word = &word("add")});
  }
  add({.kind = Operation::Kind::store,
       .element = element,
       .operands = {value},
       .stream = stream(target)});
  plan_.steps.push_back({std::move(copy), purpose});
}

}  // namespace axial::plan
