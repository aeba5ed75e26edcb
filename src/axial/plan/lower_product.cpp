// Contractions as matrix products: axes of both operands are the batch or the terms, axes of one
// are rows or columns.
#include <algorithm>
#include <ranges>

#include "axial/plan/lower.hpp"

namespace axial::plan {
namespace {

/// The axes of `shape` in the order in which they lie at `place`.
std::vector<SizedAxis> in_order(const Place& place, const Shape& shape) {
  std::vector<SizedAxis> axes;
  for (const SizedAxis& axis : memory_order(place)) {
    if (shape.contains(axis.axis)) axes.push_back(axis);
  }
  return axes;
}

/// A product and the order of its result's axes.
struct Arranged {
  kernels::Product product;
  std::vector<SizedAxis> order;
};

Arranged arranged(const Place& a, const Shape& a_shape, const Place& b, const Shape& b_shape,
                  const Axes& over, ElementType element) {
  const Axes a_names = a_shape.names();
  const Axes b_names = b_shape.names();
  const auto batch = in_order(a, restrict(a_shape, common(a_names, b_names) - over));
  const auto rows = in_order(a, a_shape - b_names);
  const auto terms = in_order(a, restrict(a_shape, over));
  const auto columns = in_order(b, b_shape - a_names);
  Arranged result{{.element = element,
                   .a_batch = offsets(a, batch),
                   .a_rows = offsets(a, rows),
                   .a_terms = offsets(a, terms),
                   .b_batch = offsets(b, batch),
                   .b_terms = offsets(b, terms),
                   .b_columns = offsets(b, columns)},
                  batch};
  kernels::choose_packing(result.product);
  result.order.insert(result.order.end(), rows.begin(), rows.end());
  result.order.insert(result.order.end(), columns.begin(), columns.end());
  return result;
}

/// True if neighbours in memory belong to different matrices of the batch, so that every matrix is
/// scattered over all of it.
bool is_interleaved(const Place& place, const Axes& batch) {
  const auto nearest = nearest_axis(place);
  return nearest && batch.contains(*nearest) && is_dense(place);
}

}  // namespace

Axes Lowering::row_between_products(int step) const {
  const int number = grouping_.group_of[static_cast<std::size_t>(step)];
  if (number < 0) return {};
  const Group& group = grouping_.groups[static_cast<std::size_t>(number)];
  const auto is_product = [&](int other) { return other >= 0 && role_of(other) == Role::product; };
  bool reads_product = false;
  std::vector<int> results;
  for (const int member : group.steps) {
    for (const std::int64_t operand : at(member).operands) {
      reads_product |= is_product(step_of(operand));
    }
    if (is_needed_outside(member)) results.push_back(member);
  }
  if (!reads_product || results.size() != 1) return {};
  const auto& users = users_[static_cast<std::size_t>(results[0])];
  const bool is_summed_over = users.size() == 1 && is_product(users[0]) &&
                              std::get<expr::Contract>(at(users[0]).kind).over == group.row.names();
  return is_summed_over ? group.row.names() : Axes();
}

std::optional<bool> Lowering::swaps_for_rows(int step) const {
  const expr::Step& node = at(step);
  const Axes& over = std::get<expr::Contract>(node.kind).over;
  for (const bool is_right : {false, true}) {
    const int source = step_of(node.operands[is_right]);
    if (source >= 0 && over.count() > 0 && row_between_products(source) == over) return is_right;
  }
  for (const int user : users_[static_cast<std::size_t>(step)]) {
    const Axes row = row_between_products(user);
    if (row.count() == 0) continue;
    for (const bool is_right : {false, true}) {
      if (common(type_of(node.operands[is_right]).shape.names(), row) == row) return !is_right;
    }
  }
  return std::nullopt;
}

double Lowering::tangle(int step, const std::vector<SizedAxis>& order) const {
  // An element that is not beside the one before takes about as long as these.
  constexpr double operations_per_jump = 150;
  const Shape& shape = at(step).type.shape;
  const auto volume = static_cast<double>(shape.volume());
  double cost = 0;
  for (const int user : users_[static_cast<std::size_t>(step)]) {
    const int group = grouping_.group_of[static_cast<std::size_t>(user)];
    if (group < 0) continue;
    for (const int member : grouping_.groups[static_cast<std::size_t>(group)].steps) {
      for (const std::int64_t operand : at(member).operands) {
        const auto& place = places_[static_cast<std::size_t>(operand)];
        if (!place || type_of(operand).shape != shape) continue;
        const auto nearest = nearest_axis(*place);
        if (nearest && *nearest != order.back().axis) cost += operations_per_jump * volume;
      }
    }
  }
  return cost;
}

Place Lowering::untangled(std::int64_t value, const Axes& batch) {
  const Place place = place_of(value);
  if (!is_interleaved(place, batch)) return place;
  // Matrices begin a line of the cache further apart than they need, so that those which are written
  // side by side do not compete for the same lines.
  const ElementType element = plan_.buffers[static_cast<std::size_t>(place.buffer)].element;
  Place target;
  std::int64_t stride = 1;
  for (const bool is_batch : {false, true}) {
    if (is_batch) stride += 64 / facts(element).bytes;
    for (const SizedAxis& axis : memory_order(place) | std::views::reverse) {
      if (batch.contains(axis.axis) != is_batch) continue;
      target.axes.push_back({axis.axis, axis.size, axis.size > 1 ? stride : 0});
      stride *= axis.size;
    }
  }
  target.buffer = new_buffer(element, stride);
  add_copy(place, 0, target, false, "untangle");
  return target;
}

void Lowering::emit_product(int step) {
  const expr::Step& node = at(step);
  const Axes& over = std::get<expr::Contract>(node.kind).over;
  const Shape& left_shape = type_of(node.operands[0]).shape;
  const Shape& right_shape = type_of(node.operands[1]).shape;
  const Axes batch = common(left_shape.names(), right_shape.names()) - over;
  const Place left = untangled(node.operands[0], batch);
  const Place right = untangled(node.operands[1], batch);
  const ElementType element = storage(node.type);
  // Either operand can give the rows; the order of the result follows.
  Arranged chosen = arranged(left, left_shape, right, right_shape, over, element);
  Arranged other = arranged(right, right_shape, left, left_shape, over, element);
  const auto cost = [&](const Arranged& each) {
    return kernels::cost(each.product) + tangle(step, each.order);
  };
  const bool swaps = swaps_for_rows(step).value_or(cost(other) < cost(chosen));
  if (swaps) std::swap(chosen, other);
  const Place& a = swaps ? right : left;
  const Place& b = swaps ? left : right;
  const Place result = new_place(element, chosen.order);
  set_place(step, result);
  plan_.steps.push_back({RunProduct{std::move(chosen.product),
                                    {a.buffer, a.offset},
                                    {b.buffer, b.offset},
                                    {result.buffer, 0}},
                         "product"});
}

}  // namespace axial::plan
