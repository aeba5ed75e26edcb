// Where rows, columns or terms lie that are equally far apart, and numbers to compute with.
#pragma once

#include <cstdint>
#include <vector>

#include "support/generator.hpp"

namespace axial::kernels {

using Table = std::vector<std::int64_t>;

inline Table offsets(std::int64_t count, std::int64_t stride) {
  Table table;
  for (std::int64_t k = 0; k < count; ++k) table.push_back(k * stride);
  return table;
}

/// Numbers between -1 and 1.
template <class T>
std::vector<T> numbers(std::int64_t count, support::Generator& generator) {
  std::vector<T> values;
  for (std::int64_t k = 0; k < count; ++k) values.push_back(T(generator.real(-1, 1)));
  return values;
}

}  // namespace axial::kernels
