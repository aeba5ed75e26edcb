#include "axial/plan/lower.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>

#include "axial/base/error.hpp"
#include "axial/expr/lambda.hpp"
#include "axial/plan/nest_maker.hpp"
#include "axial/plan/passes.hpp"

namespace axial::plan {
namespace {

using expr::Program;
using expr::Step;
using expr::Type;
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

Lowering::Lowering(const Program& program, const std::vector<Shape>& layouts)
    : program_(program), grouping_(grouped(program)) {
  for (std::size_t k = 0; k < layouts.size(); ++k) {
    const ElementType element = storage(program.inputs[k]);
    plan_.buffers.push_back({element, layouts[k].volume(), static_cast<int>(k), false, -1});
    places_.emplace_back(dense(static_cast<int>(k), layouts[k].written()));
  }
  places_.resize(program.inputs.size() + program.steps.size());
  group_done_.assign(grouping_.groups.size(), false);
  outside_.assign(program.steps.size(), false);
  users_.resize(program.steps.size());
  for (int user = 0; user < static_cast<int>(program.steps.size()); ++user) {
    for (const std::int64_t operand : at(user).operands) {
      const int source = step_of(operand);
      if (source < 0) continue;
      const auto k = static_cast<std::size_t>(source);
      const int group = grouping_.group_of[k];
      if (group < 0 || group != grouping_.group_of[static_cast<std::size_t>(user)])
        outside_[k] = true;
      users_[k].push_back(user);
    }
  }
  for (const std::int64_t result : program.results) {
    if (const int step = step_of(result); step >= 0)
      outside_[static_cast<std::size_t>(step)] = true;
  }
}

int Lowering::step_of(std::int64_t value) const {
  return static_cast<int>(value - std::ssize(program_.inputs));
}
const Type& Lowering::type_of(std::int64_t value) const {
  const int step = step_of(value);
  return step < 0 ? program_.inputs[static_cast<std::size_t>(value)] : at(step).type;
}

Plan Lowering::run() {
  for (int step = 0; step < static_cast<int>(program_.steps.size()); ++step) emit_with_needs(step);
  for (const std::int64_t result : program_.results) {
    Place place = place_of(result);
    const bool is_whole =
        place.volume() == plan_.buffers[static_cast<std::size_t>(place.buffer)].volume;
    if (!is_dense(place) || !is_whole) {
      place = copied(place, type_of(result).shape.written(), "result");
    }
    Buffer& buffer = plan_.buffers[static_cast<std::size_t>(place.buffer)];
    buffer.is_result = buffer.input < 0;
    plan_.results.push_back({place.buffer, storage(type_of(result)), Shape(memory_order(place))});
  }
  join_chains(plan_);
  place_buffers(plan_);
  return std::move(plan_);
}

bool Lowering::is_emitted(int step) const {
  const auto k = static_cast<std::size_t>(step);
  if (role_of(step) == Role::number || role_of(step) == Role::counter) return true;
  const int group = grouping_.group_of[k];
  return group >= 0 ? group_done_[static_cast<std::size_t>(group)]
                    : places_[program_.inputs.size() + k].has_value();
}

std::vector<int> Lowering::needs(int step) const {
  const int group = grouping_.group_of[static_cast<std::size_t>(step)];
  const std::vector<int> alone = {step};
  std::vector<int> sources;
  for (const int member :
       group < 0 ? alone : grouping_.groups[static_cast<std::size_t>(group)].steps) {
    for (const std::int64_t operand : at(member).operands) {
      const int source = step_of(operand);
      if (source < 0 || is_emitted(source)) continue;
      if (group < 0 || grouping_.group_of[static_cast<std::size_t>(source)] != group) {
        sources.push_back(source);
      }
    }
  }
  return sources;
}

void Lowering::emit_with_needs(int step) {
  std::vector<int> stack = {step};
  while (!stack.empty()) {
    const int next = stack.back();
    if (is_emitted(next)) {
      stack.pop_back();
      continue;
    }
    const std::vector<int> before = needs(next);
    if (before.empty()) {
      emit(next);
      stack.pop_back();
    }
    stack.insert(stack.end(), before.begin(), before.end());
  }
}

void Lowering::emit(int step) {
  switch (role_of(step)) {
    case Role::number:
    case Role::counter: return;
    case Role::view: return emit_view(step);
    case Role::product: return emit_product(step);
    case Role::define: return emit_define(step);
    case Role::copy:
      return std::visit([&](const auto& kind) { emit_copy(kind, step); }, at(step).kind);
    case Role::loop: {
      const int group = grouping_.group_of[static_cast<std::size_t>(step)];
      group_done_[static_cast<std::size_t>(group)] = true;
      return emit_group(grouping_.groups[static_cast<std::size_t>(group)]);
    }
  }
}

void Lowering::emit_view(int step) {
  const Place source = place_of(at(step).operands[0]);
  if (auto place = viewed(at(step).kind, source, at(step).type.shape)) {
    return set_place(step, std::move(*place));
  }
  const auto& reshape = std::get<expr::Reshape>(at(step).kind);
  const Place together =
      copied(source, with_together(memory_order(source), reshape.from), "reshape");
  set_place(step, *viewed(at(step).kind, together, at(step).type.shape));
}

void Lowering::emit_group(const Group& group) {
  std::string purpose;
  for (const int step : group.steps) {
    if (const auto* index = std::get_if<expr::Index>(&at(step).kind)) {
      const Shape& source = type_of(at(step).operands[0]).shape;
      emit_check(at(step).operands[1], index->axis[source.size(index->axis)]);
    } else if (const auto* scatter = std::get_if<expr::Scatter>(&at(step).kind)) {
      emit_check(at(step).operands[1], scatter->axis);
    }
    const std::string text = to_text(at(step));
    const std::string_view name = std::string_view(text).substr(0, text.find(' '));
    purpose += fmt::format("{}{}", purpose.empty() ? "" : " ", name);
  }
  // Numbers and counters have no memory, unless something that is no nest asks for it.
  RunNest nest = NestMaker(*this, group).make();
  plan_.steps.push_back({std::move(nest), std::move(purpose)});
}

void Lowering::emit_check(std::int64_t positions, SizedAxis axis) {
  const int from = step_of(positions);
  if (from >= 0 && role_of(from) == Role::counter) place_of(positions);
  plan_.steps.push_back({CheckPositions{place_of(positions), axis}, "check"});
}

/// Records are those of the positions and of what is summed; what the values have besides is the slice
/// that each brings, of which every element goes to a place of its own.
void Lowering::emit_scatter(const expr::Scatter& scatter, int step) {
  const Place values = place_of(at(step).operands[0]);
  const Place positions = place_of(at(step).operands[1]);
  const auto is_kept = [&](const SizedAxis& axis) { return !scatter.over.contains(axis.axis); };
  std::vector<SizedAxis> records = memory_order(positions), slice, order;
  for (const SizedAxis& axis : memory_order(values)) {
    if (!positions.has(axis.axis)) (is_kept(axis) ? slice : records).push_back(axis);
  }
  std::ranges::copy_if(records, std::back_inserter(order), is_kept);
  order.push_back(scatter.axis);
  order.insert(order.end(), slice.begin(), slice.end());
  const ElementType element = storage(at(step).type);
  const Place result = new_place(element, order);
  // What is summed over is not walked in the result, even if the new axis has the same name.
  Place kept = result;
  std::erase_if(kept.axes, [&](const Extent& each) { return each.axis == scatter.axis.axis; });
  plan_.steps.push_back({RunScatter{{.element = element,
                                     .x_records = offsets(values, records),
                                     .x_slice = offsets(values, slice),
                                     .c_records = offsets(kept, records),
                                     .c_slice = offsets(kept, slice),
                                     .stride = result.stride(scatter.axis.axis)},
                                    offsets(positions, records),
                                    scatter.axis,
                                    {positions.buffer, positions.offset},
                                    {values.buffer, values.offset},
                                    {result.buffer, 0}},
                         "scatter"});
  set_place(step, result);
}

void Lowering::emit_scan(const expr::Scan& scan, int step) {
  const Shape& shape = at(step).type.shape;
  const SizedAxis time = scan.axis[shape.size(scan.axis)];
  RunScan run{nullptr, scan.reverse, scan.inputs, time.size, {}, {}, -1};
  for (std::size_t k = 0; k < at(step).operands.size(); ++k) {
    const std::int64_t operand = at(step).operands[k];
    const bool is_sequence = k > 0 && static_cast<std::int64_t>(k) <= scan.inputs;
    const Shape& given = type_of(operand).shape;
    const Shape one = k == 0 ? shape - scan.axis : is_sequence ? given - scan.axis : given;
    run.layouts.push_back(one);
    run.operands.push_back(ordered_place(operand, is_sequence ? time * one : one).buffer);
  }
  const Place place = new_place(storage(at(step).type), (time * (shape - scan.axis)).written());
  run.result = place.buffer;
  run.step = std::make_shared<Plan>(plan(prepared(scan.step->program), run.layouts));
  set_place(step, place);
  plan_.steps.push_back({std::move(run), "scan"});
}

/// A step may take plain numbers, which have another precision than the operands that they became.
bool Lowering::can_be_planned(const expr::Scan& scan, int step) const {
  const Program& program = scan.step->program;
  for (std::size_t k = 0; k < program.inputs.size(); ++k) {
    if (storage(program.inputs[k]) != storage(type_of(at(step).operands[k]))) return false;
  }
  return !has_empty_values(program);
}

void Lowering::emit_define(int step) {
  const auto* scan = std::get_if<expr::Scan>(&at(step).kind);
  if (scan != nullptr && can_be_planned(*scan, step)) {
    emit_scan(*scan, step);
    return;
  }
  if (const auto* scatter = std::get_if<expr::Scatter>(&at(step).kind)) {
    if (is_real(at(step).type.element) && !at(step).type.weak) return emit_scatter(*scatter, step);
  }
  Define define{at(step).kind, {}, {}, at(step).type, -1};
  for (const std::int64_t operand : at(step).operands) {
    define.operands.push_back(typed_place(operand).buffer);
    define.operand_types.push_back(type_of(operand));
  }
  const Place place = new_place(storage(at(step).type), at(step).type.shape.written());
  define.result = place.buffer;
  set_place(step, place);
  plan_.steps.push_back({std::move(define), "define"});
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

void Lowering::emit_copy(const auto&, int) { bug("not a copy"); }

const Place& Lowering::place_of(std::int64_t value) {
  std::optional<Place>& place = places_[static_cast<std::size_t>(value)];
  if (place) return *place;
  const int step = step_of(value);
  if (step < 0) bug("an input has no place");
  // A number or a counter is written down when somebody asks for its memory.
  Group group{at(step).type.shape, {}, {}};
  if (role_of(step) == Role::number) {
    const Place target = new_place(storage(at(step).type), at(step).type.shape.written());
    add_copy({}, *grouping_.numbers[static_cast<std::size_t>(step)], target, false, "number");
    place = target;
  } else if (role_of(step) == Role::counter) {
    const ElementType element = storage(at(step).type);
    const Place target = new_place(element, at(step).type.shape.written());
    plan_.steps.push_back({NestMaker(*this, group).written(value, target), "counter"});
    place = target;
  } else {
    bug("a value is asked for before it is computed");
  }
  return *place;
}

Place Lowering::typed_place(std::int64_t value) {
  return ordered_place(value, type_of(value).shape);
}

Place Lowering::ordered_place(std::int64_t value, const Shape& order) {
  const Place place = place_of(value);
  const bool is_whole =
      place.volume() == plan_.buffers[static_cast<std::size_t>(place.buffer)].volume;
  if (is_whole && place == dense(place.buffer, order.written())) return place;
  return copied(place, order.written(), "copy");
}

Place Lowering::copied(const Place& place, std::span<const SizedAxis> order,
                       const std::string& purpose) {
  const ElementType element = plan_.buffers[static_cast<std::size_t>(place.buffer)].element;
  const Place target = new_place(element, order);
  add_copy(place, 0, target, false, purpose);
  return target;
}

int Lowering::new_buffer(ElementType element, std::int64_t volume) {
  plan_.buffers.push_back({element, volume, -1, false, -1});
  return static_cast<int>(plan_.buffers.size()) - 1;
}

Place Lowering::new_place(ElementType element, std::span<const SizedAxis> order) {
  std::int64_t volume = 1;
  for (const SizedAxis& axis : order) volume *= axis.size;
  return dense(new_buffer(element, volume), order);
}

void Lowering::set_place(int step, Place place) {
  places_[program_.inputs.size() + static_cast<std::size_t>(step)] = std::move(place);
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

bool has_empty_values(const Program& program) {
  const auto is_empty = [](const expr::Type& type) { return type.shape.volume() == 0; };
  return std::ranges::any_of(program.inputs, is_empty) ||
         std::ranges::any_of(program.steps, is_empty, &expr::Step::type);
}

Plan plan(const Program& program, const std::vector<Shape>& layouts) {
  return Lowering(program, layouts).run();
}

}  // namespace axial::plan
