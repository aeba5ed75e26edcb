// The order in which values are written, so that those who read them find together what they need
// together.
#include <algorithm>

#include "axial/plan/lower.hpp"

namespace axial::plan {
namespace {

/// An axis this long fills whole panels of a product, and whole vectors of a loop.
constexpr std::int64_t panel = 16;

/// Those of `axes`, in their order, behind the others.
std::vector<SizedAxis> with_last(std::vector<SizedAxis> order, const Axes& axes) {
  std::ranges::stable_partition(order,
                                [&](const SizedAxis& axis) { return !axes.contains(axis.axis); });
  return order;
}

}  // namespace

std::vector<SizedAxis> with_together(const std::vector<SizedAxis>& order, const Axes& axes) {
  std::vector<SizedAxis> result, together;
  for (const Axis axis : axes) {
    together.push_back(*std::ranges::find(order, axis, &SizedAxis::axis));
  }
  std::ranges::copy_if(order, std::back_inserter(result),
                       [&](const SizedAxis& axis) { return !axes.contains(axis.axis); });
  const bool stays_innermost =
      !result.empty() && result.back() == order.back() && result.back().size >= panel;
  result.insert(stays_innermost ? result.end() - 1 : result.end(), together.begin(),
                together.end());
  return result;
}

void Lowering::find_window_products(int step, const Shape& kept,
                                    std::vector<std::pair<int, Shape>>& found) const {
  for (const int user : users_[static_cast<std::size_t>(step)]) {
    if (const auto* window = std::get_if<expr::Window>(&at(user).kind)) {
      find_window_products(user, kept - window->axis, found);
    } else if (std::holds_alternative<expr::Pad>(at(user).kind)) {
      find_window_products(user, kept, found);
    } else if (role_of(user) == Role::product) {
      found.emplace_back(user, kept);
    }
  }
}

std::vector<SizedAxis> Lowering::order_for_users(int step, std::vector<SizedAxis> natural) const {
  const Shape& shape = at(step).type.shape;
  for (const int user : users_[static_cast<std::size_t>(step)]) {
    const auto* reshape = std::get_if<expr::Reshape>(&at(user).kind);
    if (reshape != nullptr) return with_together(natural, reshape->from);
  }
  // What loops over rows read again and again is best passed along the row.
  for (const int user : users_[static_cast<std::size_t>(step)]) {
    const int number = grouping_.group_of[static_cast<std::size_t>(user)];
    if (number < 0) continue;
    const Group& group = grouping_.groups[static_cast<std::size_t>(number)];
    const Axes row = common(shape.names(), group.row.names());
    if (row.count() > 0 && shape.volume() < (group.outer | group.row).volume()) {
      return with_last(std::move(natural), row);
    }
  }
  std::vector<std::pair<int, Shape>> products;
  find_window_products(step, shape, products);
  std::erase_if(products, [&](const auto& each) { return each.second == shape; });
  // Neighbours along an axis that is neither walked nor summed over fill the panels of a product as
  // they lie; what is summed over makes rows. The longer is better.
  for (const auto& [product, unwalked] : products) {
    const Axes& over = std::get<expr::Contract>(at(product).kind).over;
    const Shape kept = unwalked - over;
    const Shape summed = restrict(unwalked, common(unwalked.names(), over));
    const auto longest = std::ranges::max_element(kept.written(), {}, &SizedAxis::size);
    if (longest != kept.written().end() && longest->size >= std::max(panel, summed.volume())) {
      return with_last(std::move(natural), longest->axis);
    }
    if (summed.volume() > 1) return with_last(std::move(natural), summed.names());
  }
  return natural;
}

}  // namespace axial::plan
