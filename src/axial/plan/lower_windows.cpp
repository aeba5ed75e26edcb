// Contractions of windows along two axes with kernels, as in a convolution of images.
#include <algorithm>

#include "axial/plan/lower.hpp"

namespace axial::plan {
namespace {

/// An axis, and that of the windows along it.
struct Walk {
  Extent along, window;
};

/// The windows of three neighbours that are summed over, those whose steps are longest first.
std::vector<Walk> walks(const Place& x, const Axes& over) {
  std::vector<Walk> found;
  for (const Extent& window : x.axes) {
    if (!over.contains(window.axis) || window.size != kernels::window_side) continue;
    for (const Extent& along : x.axes) {
      const bool is_walked = !over.contains(along.axis) && along.stride == window.stride;
      if (is_walked && along.size > 1) found.push_back({along, window});
    }
  }
  std::ranges::sort(found, std::greater<>{}, [](const Walk& walk) { return walk.along.stride; });
  return found;
}

/// What the windows are taken from.
Place without_windows(Place place, const std::vector<Walk>& walks) {
  for (const auto& [along, window] : walks) {
    std::erase(place.axes, window);
    std::ranges::find(place.axes, along)->size += window.size - 1;
  }
  return place;
}

bool follow_one_another(const std::vector<std::int64_t>& table) {
  const auto is_gap = [](std::int64_t one, std::int64_t next) { return next != one + 1; };
  return std::ranges::adjacent_find(table, is_gap) == table.end();
}

}  // namespace

bool Lowering::emit_windows(int step) {
  const auto& operands = at(step).operands;
  return emit_windows(step, operands[0], operands[1]) ||
         emit_windows(step, operands[1], operands[0]);
}

bool Lowering::emit_windows(int step, std::int64_t windows, std::int64_t kernels) {
  const Axes& over = std::get<expr::Contract>(at(step).kind).over;
  const Shape &x_shape = type_of(windows).shape, &w_shape = type_of(kernels).shape;
  if (common(x_shape.names(), w_shape.names()) != over) return false;
  const Place& x = place_of(windows);
  const std::vector<Walk> found = walks(x, over);
  if (found.size() != 2 || found[0].along.stride == found[1].along.stride) return false;
  const auto& [down, window_down] = found[0];
  const auto& [right, window_right] = found[1];
  const Place w = place_of(kernels);
  Place source = without_windows(x, found);
  const auto images = memory_order(source, x_shape - over - down.axis - right.axis);
  const auto channels =
      memory_order(source, restrict(x_shape, over - window_down.axis - window_right.axis));
  const auto outputs = memory_order(w, w_shape - over);
  kernels::WindowProduct product{.element = storage(at(step).type),
                                 .x_images = offsets(source, images),
                                 .w_channels = offsets(w, channels),
                                 .w_outputs = offsets(w, outputs),
                                 .w_down = w.stride(window_down.axis),
                                 .w_right = w.stride(window_right.axis),
                                 .down = down.size,
                                 .right = right.size};
  if (!is_worthwhile(product)) return false;
  if (!follow_one_another(offsets(source, channels))) {
    const std::int64_t more = kernels::window_side - 1;
    const Shape channels_last = Shape(images) * down.axis[down.size + more] *
                                right.axis[right.size + more] * Shape(channels);
    source = copied(source, channels_last.written(), "channels last");
    product.x_images = offsets(source, images);
  }
  product.x_down = source.stride(down.axis);
  product.x_right = source.stride(right.axis);
  const Shape result =
      Shape(images) * down.axis[down.size] * right.axis[right.size] * Shape(outputs);
  const Place y = new_place(product.element, result.written());
  const int points = new_buffer(product.element, volume_at_points(product));
  plan_.steps.push_back({RunWindows{std::move(product),
                                    {source.buffer, source.offset},
                                    {w.buffer, w.offset},
                                    {points, 0},
                                    {y.buffer, 0}},
                         "product of windows"});
  set_place(step, y);
  return true;
}

}  // namespace axial::plan
