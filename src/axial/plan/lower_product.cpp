// Contractions as matrix products: axes of both operands are the batch or the terms, axes of one
// are rows or columns.
#include <algorithm>
#include <ranges>

#include "axial/plan/lower.hpp"
#include "axial/plan/symmetry.hpp"

namespace axial::plan {
namespace {

/// A product and the order of its result's axes.
struct Arranged {
  kernels::Product product;
  std::vector<SizedAxis> order;
  /// How long the axis is along which the terms lie farthest apart.
  std::int64_t outermost_term;
};

Arranged arranged(const Place& a, const Shape& a_shape, const Place& b, const Shape& b_shape,
                  const Axes& over, ElementType element, const AxisPairs& symmetric = {}) {
  const Axes a_names = a_shape.names();
  const Axes b_names = b_shape.names();
  const auto batch = memory_order(a, restrict(a_shape, common(a_names, b_names) - over));
  const auto rows = memory_order(a, a_shape - b_names);
  const auto terms = memory_order(a, restrict(a_shape, over));
  const auto columns = memory_order(b, b_shape - a_names);
  Arranged result{{.element = element,
                   .a_batch = offsets(a, batch),
                   .a_rows = offsets(a, rows),
                   .a_terms = offsets(a, terms),
                   .b_batch = offsets(b, batch),
                   .b_terms = offsets(b, terms),
                   .b_columns = offsets(b, columns)},
                  batch,
                  terms.empty() ? 1 : terms.front().size};
  result.product.is_symmetric =
      !symmetric.empty() &&
      std::ranges::equal(rows, columns, [&](const SizedAxis& row, const SizedAxis& column) {
        return opposite(row.axis, symmetric) == column.axis;
      });
  kernels::choose_way(result.product);
  result.order.insert(result.order.end(), rows.begin(), rows.end());
  result.order.insert(result.order.end(), columns.begin(), columns.end());
  return result;
}

/// Into how many parts the terms of a product are cut, which are added up in the end: few rows and
/// columns of many terms could not be shared among threads otherwise. It must not depend on how many
/// threads there are, so that results do not.
std::int64_t parts_of_terms(const kernels::Product& product, std::int64_t outermost) {
  constexpr std::int64_t enough_matrices = 4, enough_terms = 256, many_terms = 2048;
  constexpr std::int64_t small_matrix = 128 * 128;
  const bool is_deep = product.batch() < enough_matrices && product.terms() >= many_terms &&
                       product.rows() * product.columns() <= small_matrix;
  if (!is_deep) return 1;
  // More of them would take more memory than they are worth.
  constexpr std::int64_t most_parts = 64;
  const std::int64_t most = std::min({outermost, product.terms() / enough_terms, most_parts});
  // An even number is shared by two threads without rest.
  for (const std::int64_t step : {2, 1}) {
    for (std::int64_t parts = enough_matrices; parts <= most; parts += step) {
      if (outermost % parts == 0) return parts;
    }
  }
  return 1;
}

/// The product whose matrices are the sums over some of the terms, those of each part.
kernels::Product cut(kernels::Product product, std::int64_t parts) {
  const auto cut_side = [&](std::vector<std::int64_t>& batch, std::vector<std::int64_t>& terms) {
    const std::size_t length = terms.size() / static_cast<std::size_t>(parts);
    std::vector<std::int64_t> matrices;
    for (const std::int64_t matrix : batch) {
      for (std::size_t term = 0; term < terms.size(); term += length) {
        matrices.push_back(matrix + terms[term]);
      }
    }
    batch = std::move(matrices);
    terms.resize(length);
  };
  cut_side(product.a_batch, product.a_terms);
  cut_side(product.b_batch, product.b_terms);
  kernels::choose_way(product);
  return product;
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
    // Totals of rows are small: who multiplies rows may as well find them in memory.
    const bool has_rows = common(at(member).type.shape.names(), group.row.names()).count() > 0;
    if (is_needed_outside(member) && has_rows) results.push_back(member);
  }
  if (!reads_product || results.size() != 1) return {};
  std::vector<int> users = users_[static_cast<std::size_t>(results[0])];
  std::erase_if(users, [&](int user) {
    return grouping_.group_of[static_cast<std::size_t>(user)] == number;
  });
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
    const int number = grouping_.group_of[static_cast<std::size_t>(user)];
    if (number < 0) continue;
    const Group& group = grouping_.groups[static_cast<std::size_t>(number)];
    const Axes row = common(group.row.names(), shape.names());
    if (row.count() > 0 && !row.contains(order.back().axis)) cost += operations_per_jump * volume;
    for (const int member : group.steps) {
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

double Lowering::reading_cost(int step, const std::vector<SizedAxis>& order) const {
  const std::int64_t value = std::ssize(program_.inputs) + step;
  const Place place = dense(-1, order);
  double total = 0;
  for (const int user : users_[static_cast<std::size_t>(step)]) {
    if (role_of(user) != Role::product) continue;
    const auto& operands = at(user).operands;
    const std::int64_t other = operands[0] == value ? operands[1] : operands[0];
    const auto& others_place = places_[static_cast<std::size_t>(other)];
    if (other == value || !others_place) continue;
    const Axes& over = std::get<expr::Contract>(at(user).kind).over;
    const Shape &own_shape = type_of(value).shape, &others_shape = type_of(other).shape;
    const ElementType element = storage(at(user).type);
    const double as_rows = kernels::cost(
        arranged(place, own_shape, *others_place, others_shape, over, element).product);
    const double as_columns = kernels::cost(
        arranged(*others_place, others_shape, place, own_shape, over, element).product);
    const auto swaps = swaps_for_rows(user);
    const bool gives_rows = swaps ? *swaps == (operands[1] == value) : as_rows < as_columns;
    total += gives_rows ? as_rows : as_columns;
  }
  return total;
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
  const std::optional<bool> swaps_for_chain = swaps_for_rows(step);
  if (!swaps_for_chain && emit_windows(step)) return;
  const expr::Step& node = at(step);
  const Axes& over = std::get<expr::Contract>(node.kind).over;
  const Shape& left_shape = type_of(node.operands[0]).shape;
  const Shape& right_shape = type_of(node.operands[1]).shape;
  const Axes batch = common(left_shape.names(), right_shape.names()) - over;
  const Place left = untangled(node.operands[0], batch);
  const Place right = untangled(node.operands[1], batch);
  const ElementType element = storage(node.type);
  // Either operand can give the rows; the order of the result follows.
  AxisPairs symmetric;
  if (!swaps_for_chain) symmetric = symmetric_axes(program_, node);
  Arranged chosen = arranged(left, left_shape, right, right_shape, over, element, symmetric);
  Arranged other = arranged(right, right_shape, left, left_shape, over, element, symmetric);
  const auto cost = [&](const Arranged& each) {
    return kernels::cost(each.product) + tangle(step, each.order) + reading_cost(step, each.order);
  };
  const bool swaps = swaps_for_chain.value_or(cost(other) < cost(chosen));
  if (swaps) std::swap(chosen, other);
  const Place& a = swaps ? right : left;
  const Place& b = swaps ? left : right;
  const Place result = new_place(element, chosen.order);
  set_place(step, result);
  RunProduct run{
      std::move(chosen.product), {a.buffer, a.offset}, {b.buffer, b.offset}, {result.buffer, 0}};
  const std::int64_t parts =
      swaps_for_chain ? 1 : parts_of_terms(run.product, chosen.outermost_term);
  const std::string purpose = run.product.is_symmetric ? "symmetric product" : "product";
  if (parts == 1) {
    plan_.steps.push_back({std::move(run), purpose});
    return;
  }
  const std::int64_t matrices = run.product.batch();
  const std::int64_t size = run.product.rows() * run.product.columns();
  run.product = cut(std::move(run.product), parts);
  run.c = {new_buffer(element, matrices * parts * size), 0};
  const Start partial = run.c;
  plan_.steps.push_back({std::move(run), purpose});
  add_totals(partial, parts, {result.buffer, 0}, matrices, size);
}

void Lowering::add_totals(Start partial, std::int64_t parts, Start total, std::int64_t matrices,
                          std::int64_t size) {
  using Kind = kernels::Operation::Kind;
  const ElementType element = plan_.buffers[static_cast<std::size_t>(partial.buffer)].element;
  kernels::Nest nest{
      .outer = {matrices, size},
      .row = {parts},
      .streams = {{element, {parts * size, 1, size}}, {element, {size, 1, 0}}},
      .operations = {{.kind = Kind::load, .element = element, .stream = 0},
                     {.kind = Kind::reduce,
                      .element = element,
                      .operands = {0},
                      .reduction = &reduction("sum")},
                     {.kind = Kind::store, .element = element, .operands = {1}, .stream = 1}}};
  plan_.steps.push_back({RunNest{std::move(nest), {partial, total}}, "sum"});
}

}  // namespace axial::plan
