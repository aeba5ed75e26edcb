#include "axial/plan/place.hpp"

#include <algorithm>
#include <cstdlib>

#include "axial/base/error.hpp"

namespace axial::plan {
namespace {

Extent& extent(Place& place, Axis axis) {
  const auto found = std::ranges::find(place.axes, axis, &Extent::axis);
  if (found == place.axes.end()) bug("a place lacks an axis of its value");
  return *found;
}

std::optional<Place> view(const expr::Rename& rename, Place place, const Shape&) {
  for (Extent& each : place.axes) {
    const auto pair = std::ranges::find(rename.pairs, each.axis, &std::pair<Axis, Axis>::first);
    if (pair != rename.pairs.end()) each.axis = pair->second;
  }
  return place;
}

std::optional<Place> view(const expr::Slice& slice, Place place, const Shape&) {
  Extent& along = extent(place, slice.axis);
  place.offset += slice.begin * along.stride;
  along.size = slice.count;
  along.stride = slice.count > 1 ? along.stride * slice.step : 0;
  return place;
}

std::optional<Place> view(const expr::Window& window, Place place, const Shape& shape) {
  Extent& along = extent(place, window.axis);
  const std::int64_t stride = along.stride;
  const std::int64_t kernel = window.kernel.size;
  along.size = shape.size(window.axis);
  along.stride = along.size > 1 ? stride * window.stride : 0;
  place.axes.push_back({window.kernel.axis, kernel, kernel > 1 ? stride * window.dilation : 0});
  return place;
}

std::optional<Place> view(const expr::Broadcast& broadcast, Place place, const Shape&) {
  for (const SizedAxis& axis : broadcast.along.written()) {
    if (!place.has(axis.axis)) place.axes.push_back({axis.axis, axis.size, 0});
  }
  return place;
}

std::optional<Place> view(const expr::Reshape& reshape, Place place, const Shape&) {
  // The axes must follow one another in memory, so that together they are one.
  std::int64_t stride = 0;
  std::int64_t volume = 1;
  for (auto axis = reshape.from.end(); axis != reshape.from.begin();) {
    const Extent& each = extent(place, *--axis);
    if (each.size == 1) continue;
    if (volume == 1) {
      stride = each.stride;
    } else if (each.stride != stride * volume) {
      return std::nullopt;
    }
    volume *= each.size;
  }
  for (const Axis axis : reshape.from) {
    std::erase_if(place.axes, [&](const Extent& each) { return each.axis == axis; });
  }
  const auto to = reshape.to.written();
  std::int64_t step = stride;
  std::vector<Extent> parts;
  for (std::size_t k = to.size(); k-- > 0;) {
    parts.push_back({to[k].axis, to[k].size, to[k].size > 1 ? step : 0});
    step *= to[k].size;
  }
  place.axes.insert(place.axes.end(), parts.rbegin(), parts.rend());
  return place;
}

std::optional<Place> view(const auto&, const Place&, const Shape&) { return std::nullopt; }

}  // namespace

bool Place::has(Axis axis) const {
  return std::ranges::find(axes, axis, &Extent::axis) != axes.end();
}

std::int64_t Place::stride(Axis axis) const {
  const auto found = std::ranges::find(axes, axis, &Extent::axis);
  return found == axes.end() || found->size == 1 ? 0 : found->stride;
}

std::int64_t Place::volume() const {
  std::int64_t volume = 1;
  for (const Extent& each : axes) volume *= each.size;
  return volume;
}

Place dense(int buffer, std::span<const SizedAxis> order) {
  Place place{buffer, 0, {}};
  std::int64_t stride = 1;
  for (std::size_t k = order.size(); k-- > 0;) {
    place.axes.push_back({order[k].axis, order[k].size, order[k].size > 1 ? stride : 0});
    stride *= order[k].size;
  }
  std::ranges::reverse(place.axes);
  return place;
}

std::vector<SizedAxis> memory_order(const Place& place) {
  std::vector<Extent> axes = place.axes;
  std::ranges::stable_sort(axes, std::greater<>{},
                           [](const Extent& each) { return std::abs(each.stride); });
  std::vector<SizedAxis> order;
  for (const Extent& each : axes) order.push_back(each.axis[each.size]);
  return order;
}

std::vector<SizedAxis> memory_order(const Place& place, const Shape& shape) {
  std::vector<SizedAxis> order = memory_order(place);
  std::erase_if(order, [&](const SizedAxis& axis) { return !shape.contains(axis.axis); });
  return order;
}

std::optional<Axis> nearest_axis(const Place& place) {
  const Extent* nearest = nullptr;
  for (const Extent& each : place.axes) {
    if (each.stride == 0) continue;
    if (nearest == nullptr || std::abs(each.stride) < std::abs(nearest->stride)) nearest = &each;
  }
  return nearest == nullptr ? std::nullopt : std::optional(nearest->axis);
}

std::vector<std::int64_t> offsets(const Place& place, std::span<const SizedAxis> axes) {
  std::vector<std::int64_t> table = {0};
  for (const SizedAxis& axis : axes) {
    std::vector<std::int64_t> longer;
    longer.reserve(table.size() * static_cast<std::size_t>(axis.size));
    const std::int64_t stride = place.stride(axis.axis);
    for (const std::int64_t offset : table) {
      for (std::int64_t k = 0; k < axis.size; ++k) longer.push_back(offset + k * stride);
    }
    table = std::move(longer);
  }
  return table;
}

bool is_dense(const Place& place) {
  Place packed = dense(place.buffer, memory_order(place));
  for (const Extent& each : packed.axes) {
    if (each.stride != place.stride(each.axis)) return false;
  }
  return true;
}

std::optional<Place> viewed(const expr::Kind& kind, const Place& place, const Shape& shape) {
  return std::visit([&](const auto& node) { return view(node, place, shape); }, kind);
}

}  // namespace axial::plan
