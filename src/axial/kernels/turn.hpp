// Copying elements into another order of axes: what lay side by side along one axis will lie side by
// side along another.
#pragma once

#include <cstdint>
#include <vector>

#include "axial/kernels/team.hpp"

namespace axial::kernels {

/// Matrices whose rows are turned to columns: element j of row i lies at from + i · from_stride + j and
/// goes to to + j · to_stride + i, for each pair of places in `from` and `to`.
struct Turn {
  /// 4 or 8.
  std::int64_t element_bytes = 4;
  std::vector<std::int64_t> from, to;
  std::int64_t rows = 0, columns = 0;
  std::int64_t from_stride = 0, to_stride = 0;
};

void turn(const Turn& turn, const void* from, void* to, Team& team);

/// Some of the rows that one of the matrices has afterwards, side by side, on this thread.
void turn_rows(const Turn& turn, std::int64_t matrix, Part rows, const void* from, void* to);

}  // namespace axial::kernels
