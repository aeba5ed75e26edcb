// Where the elements of a value lie. Renaming, slicing, windows and repetition change the place and
// touch no element.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "axial/expr/node.hpp"

namespace axial::plan {

/// One axis of a place: neighbours along it are `stride` elements apart.
struct Extent {
  Axis axis;
  std::int64_t size;
  std::int64_t stride;
  friend bool operator==(const Extent&, const Extent&) = default;
};

/// Elements of a buffer under names.
struct Place {
  int buffer = -1;
  std::int64_t offset = 0;
  std::vector<Extent> axes;

  bool has(Axis axis) const;
  /// The stride of `axis`, or 0 if the place does not have it: it is the same everywhere along it.
  std::int64_t stride(Axis axis) const;
  std::int64_t volume() const;
  friend bool operator==(const Place&, const Place&) = default;
};

/// The whole of a buffer, dense, the last axis varying fastest.
Place dense(int buffer, std::span<const SizedAxis> order);

/// The axes from the farthest stride to the nearest.
std::vector<SizedAxis> memory_order(const Place& place);

/// Those of `shape`.
std::vector<SizedAxis> memory_order(const Place& place, const Shape& shape);

/// The axis along which neighbours lie nearest; nothing if all elements are one.
std::optional<Axis> nearest_axis(const Place& place);

/// The offset of every record of `axes`, the last varying fastest; along axes that the place lacks it
/// stays.
std::vector<std::int64_t> offsets(const Place& place, std::span<const SizedAxis> axes);

/// True if the elements fill a block without gaps or repetition, in some order of the axes.
bool is_dense(const Place& place);

/// The place of a node of this kind whose operand lies at `place`; nothing if elements would have to
/// be moved, or if the kind does more than look.
std::optional<Place> viewed(const expr::Kind& kind, const Place& place, const Shape& shape);

}  // namespace axial::plan
