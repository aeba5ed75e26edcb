// Visits every record of a shape while keeping one memory offset per operand.
#pragma once

#include <cstdint>
#include <vector>

#include "axial/tensor/shape.hpp"

namespace axial {

/// How one operand's memory is passed through: where it starts, and how far apart neighbours along
/// each axis of the walked shape are.
struct Track {
  std::vector<std::int64_t> strides;
  std::int64_t start = 0;
};

/// Calls `visit(offsets)` for every record of `shape`, the last written axis fastest; offsets[k] is
/// where the record lies on tracks[k]. A scalar shape is visited once.
template <class Visit>
void walk(const Shape& shape, const std::vector<Track>& tracks, Visit&& visit) {
  if (shape.volume() == 0) return;
  const auto axes = shape.written();
  std::vector<std::int64_t> offsets, positions(axes.size(), 0);
  for (const Track& track : tracks) offsets.push_back(track.start);
  while (true) {
    visit(static_cast<const std::int64_t*>(offsets.data()));
    std::size_t axis = axes.size();
    while (axis > 0 && ++positions[axis - 1] == axes[axis - 1].size) {
      --axis;
      positions[axis] = 0;
      for (std::size_t k = 0; k < tracks.size(); ++k) {
        offsets[k] -= tracks[k].strides[axis] * (axes[axis].size - 1);
      }
    }
    if (axis == 0) return;
    for (std::size_t k = 0; k < tracks.size(); ++k) offsets[k] += tracks[k].strides[axis - 1];
  }
}

}  // namespace axial
