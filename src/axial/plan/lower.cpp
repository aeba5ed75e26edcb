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

}  // namespace

Lowering::Lowering(const Program& program, const std::vector<Shape>& layouts,
                   std::int64_t least_joined)
    : program_(program), least_joined_(least_joined), grouping_(grouped(program)) {
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
const Type& Lowering::type_of(std::int64_t value) const { return program_.type_of(value); }

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
  join_chains(plan_, least_joined_);
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
  run.step = std::make_shared<Plan>(plan(prepared(scan.step->program), run.layouts, least_joined_));
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

bool has_empty_values(const Program& program) {
  const auto is_empty = [](const expr::Type& type) { return type.shape.volume() == 0; };
  return std::ranges::any_of(program.inputs, is_empty) ||
         std::ranges::any_of(program.steps, is_empty, &expr::Step::type);
}

Plan plan(const Program& program, const std::vector<Shape>& layouts, std::int64_t least_joined) {
  return Lowering(program, layouts, least_joined).run();
}

}  // namespace axial::plan
