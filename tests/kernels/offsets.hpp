// Where rows, columns or terms lie that are equally far apart.
#pragma once

#include <cstdint>
#include <vector>

namespace axial::kernels {

using Table = std::vector<std::int64_t>;

inline Table offsets(std::int64_t count, std::int64_t stride) {
  Table table;
  for (std::int64_t k = 0; k < count; ++k) table.push_back(k * stride);
  return table;
}

}  // namespace axial::kernels
