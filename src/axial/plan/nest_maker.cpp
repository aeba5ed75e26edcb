#include "axial/plan/nest_maker.hpp"

#include <algorithm>

#include "axial/base/error.hpp"

namespace axial::plan {
namespace {

using kernels::Operation;
using Kind = Operation::Kind;

}  // namespace

NestMaker::NestMaker(Lowering& lowering, const Group& group) : lowering_(lowering), group_(group) {}

RunNest NestMaker::written(std::int64_t value, const Place& target) {
  choose_order();
  store(this->value(value), target, storage(lowering_.type_of(value)));
  return finished();
}

RunNest NestMaker::finished() {
  for (const SizedAxis& axis : loops_) {
    (group_.row.contains(axis.axis) ? result_.nest.row : result_.nest.outer).push_back(axis.size);
  }
  return std::move(result_);
}

RunNest NestMaker::make() {
  choose_order();
  for (const int step : group_.steps) {
    const expr::Step& node = lowering_.at(step);
    const int operation =
        std::visit([&](const auto& kind) { return this->step(kind, node); }, node.kind);
    operations_[static_cast<std::int64_t>(lowering_.program_.inputs.size()) + step] = operation;
    if (lowering_.is_needed_outside(step)) store(step);
  }
  return finished();
}

/// The loops follow the memory of the largest value that is read, so that most of it is passed in
/// order.
void NestMaker::choose_order() {
  const Shape all = group_.outer | group_.row;
  std::optional<Place> leader;
  for (const int step : group_.steps) {
    for (const std::int64_t operand : lowering_.at(step).operands) {
      const auto& place = lowering_.places_[static_cast<std::size_t>(operand)];
      if (place && (!leader || place->volume() > leader->volume())) leader = place;
    }
  }
  std::vector<SizedAxis> known;
  if (leader) {
    for (const SizedAxis& axis : memory_order(*leader)) {
      if (all.find(axis.axis) == axis.size && leader->stride(axis.axis) != 0) known.push_back(axis);
    }
  }
  for (const SizedAxis& axis : all.written()) {
    if (std::ranges::find(known, axis.axis, &SizedAxis::axis) == known.end()) {
      memory_order_.push_back(axis);
    }
  }
  memory_order_.insert(memory_order_.end(), known.begin(), known.end());
  for (const SizedAxis& axis : memory_order_) {
    if (!group_.row.contains(axis.axis)) loops_.push_back(axis);
  }
  for (const SizedAxis& axis : memory_order_) {
    if (group_.row.contains(axis.axis)) loops_.push_back(axis);
  }
}

int NestMaker::loop_of(Axis axis) const {
  const auto found = std::ranges::find(loops_, axis, &SizedAxis::axis);
  if (found == loops_.end()) bug("a nest lacks an axis of its values");
  return static_cast<int>(found - loops_.begin());
}

int NestMaker::add(Operation operation) {
  result_.nest.operations.push_back(std::move(operation));
  return static_cast<int>(result_.nest.operations.size()) - 1;
}

int NestMaker::add_stream(const Place& place, ElementType element, std::optional<Axis> without) {
  kernels::Stream stream{element, {}};
  for (const SizedAxis& loop : loops_) {
    stream.strides.push_back(loop.axis == without ? 0 : place.stride(loop.axis));
  }
  result_.nest.streams.push_back(std::move(stream));
  result_.starts.push_back({place.buffer, place.offset});
  return static_cast<int>(result_.nest.streams.size()) - 1;
}

int NestMaker::value(std::int64_t value) {
  if (const auto found = operations_.find(value); found != operations_.end()) return found->second;
  const int step = lowering_.step_of(value);
  const ElementType element = storage(lowering_.type_of(value));
  int operation = -1;
  if (step >= 0 && lowering_.role_of(step) == Role::number) {
    const Number number = *lowering_.grouping_.numbers[static_cast<std::size_t>(step)];
    operation = add({.kind = Kind::literal, .element = element, .number = number});
  } else if (step >= 0 && lowering_.role_of(step) == Role::counter) {
    operation =
        std::visit([&](const auto& kind) { return counter(kind); }, lowering_.at(step).kind);
  } else {
    const Place place = place_along_loops(value);
    const int stream = add_stream(place, element);
    // The second level of a core's cache holds about so much, or half of it.
    constexpr std::int64_t far = std::int64_t{2} << 20;
    result_.nest.streams[static_cast<std::size_t>(stream)].is_far =
        place.volume() * facts(element).bytes >= far;
    operation = add({.kind = Kind::load, .element = element, .stream = stream});
  }
  return operations_[value] = operation;
}

/// Elements are loaded side by side, so those that lie crosswise to the innermost loop are turned first.
Place NestMaker::place_along_loops(std::int64_t value) {
  const Place place = lowering_.place_of(value);
  const std::int64_t bytes = facts(storage(lowering_.type_of(value))).bytes;
  const bool has_rows = group_.row.order() > 0;
  if (has_rows || loops_.empty() || !is_crosswise(place, loops_.back().axis, bytes)) return place;
  std::vector<SizedAxis> order;
  for (const SizedAxis& loop : loops_) {
    if (place.stride(loop.axis) != 0) order.push_back(loop);
  }
  return lowering_.copied(place, order, "turn");
}

int NestMaker::position(Axis axis) {
  return add({.kind = Kind::position, .element = int64, .loop = loop_of(axis)});
}

int NestMaker::counter(const expr::Iota& iota) {
  return add({.kind = Kind::cast, .element = iota.element, .operands = {position(iota.axis.axis)}});
}

int NestMaker::counter(const expr::Delta& delta) {
  const int row = position(delta.row.axis);
  const int column = position(delta.column);
  const int same = add(
      {.kind = Kind::map, .element = boolean, .operands = {row, column}, .word = &word("equal")});
  return add({.kind = Kind::cast, .element = delta.element, .operands = {same}});
}

int NestMaker::counter(const auto&) { bug("not a counter"); }

int NestMaker::step(const expr::Map& map, const expr::Step& step) {
  std::vector<int> operands;
  for (const std::int64_t operand : step.operands) operands.push_back(value(operand));
  return add({.kind = Kind::map,
              .element = storage(step.type),
              .operands = std::move(operands),
              .word = map.word});
}

int NestMaker::step(const expr::Reduce& reduce, const expr::Step& step) {
  return add({.kind = Kind::reduce,
              .element = storage(step.type),
              .operands = {value(step.operands[0])},
              .reduction = reduce.word});
}

int NestMaker::step(const expr::Contract& contract, const expr::Step& step) {
  const ElementType element = storage(step.type);
  int product = value(step.operands[0]);
  for (std::size_t k = 1; k < step.operands.size(); ++k) {
    const int factor = value(step.operands[k]);
    product = add({.kind = Kind::map,
                   .element = element,
                   .operands = {product, factor},
                   .word = &word("mul")});
  }
  if (contract.over.count() == 0) return product;
  return add({.kind = Kind::reduce,
              .element = element,
              .operands = {product},
              .reduction = &reduction("sum")});
}

int NestMaker::step(const expr::Cast& cast, const expr::Step& step) {
  return add({.kind = Kind::cast, .element = cast.element, .operands = {value(step.operands[0])}});
}

int NestMaker::step(const expr::Index& index, const expr::Step& step) {
  const int positions = value(step.operands[1]);
  const Place& source = lowering_.place_of(step.operands[0]);
  // The positions may have an axis of the same name; the source is not walked along it.
  const int stream = add_stream(source, storage(step.type), index.axis);
  return add({.kind = Kind::gather,
              .element = storage(step.type),
              .operands = {positions},
              .stream = stream,
              .stride = source.stride(index.axis)});
}

int NestMaker::step(const expr::Scatter& scatter, const expr::Step& step) {
  const ElementType element = storage(step.type);
  const ElementType counted = storage(lowering_.type_of(step.operands[1]));
  const int here =
      add({.kind = Kind::cast, .element = counted, .operands = {position(scatter.axis.axis)}});
  const int is_here = add({.kind = Kind::map,
                           .element = boolean,
                           .operands = {value(step.operands[1]), here},
                           .word = &word("equal")});
  const int nothing = add({.kind = Kind::literal, .element = element, .number = 0});
  return add({.kind = Kind::map,
              .element = element,
              .operands = {is_here, value(step.operands[0]), nothing},
              .word = &word("where")});
}

int NestMaker::step(const auto&, const expr::Step&) { bug("not a part of a loop"); }

void NestMaker::store(int step) {
  const expr::Step& node = lowering_.at(step);
  std::vector<SizedAxis> order;
  for (const SizedAxis& axis : memory_order_) {
    if (node.type.shape.contains(axis.axis)) order.push_back(axis);
  }
  const Place place =
      lowering_.new_place(storage(node.type), lowering_.order_for_users(step, std::move(order)));
  const std::int64_t value = static_cast<std::int64_t>(lowering_.program_.inputs.size()) + step;
  store(operations_.at(value), place, storage(node.type));
  lowering_.set_place(step, place);
}

void NestMaker::store(int operation, const Place& target, ElementType element) {
  const int stream = add_stream(target, element);
  // Beyond the size of the cache it would only push out what is still needed.
  constexpr std::int64_t large = std::int64_t{16} << 20;
  result_.nest.streams[static_cast<std::size_t>(stream)].bypasses =
      target.offset == 0 && target.volume() * facts(element).bytes >= large;
  add({.kind = Kind::store, .element = element, .operands = {operation}, .stream = stream});
}

}  // namespace axial::plan
