// What this machine can do at best, measured: the yardstick for kernels.
#pragma once

#include "axial/kernels/team.hpp"

namespace axial::kernels {

/// Per second, with all threads of a team.
struct Limits {
  /// Additions and multiplications of float32 numbers in the tiles of products, the quickest that there
  /// are; the machine may do less of any other kind.
  double operations;
  /// Bytes moved from and to main memory by a copy.
  double bytes;
};

/// Measures for some hundredths of a second.
Limits measured_limits(Team& team);

}  // namespace axial::kernels
