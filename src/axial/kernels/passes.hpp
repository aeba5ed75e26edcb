// When each operation of a nest can run: before, between or during the passes through the row.
#pragma once

#include <vector>

#include "axial/kernels/nest.hpp"

namespace axial::kernels {

/// The order of work of one outer iteration.
struct Passes {
  /// How often the row is passed.
  int count = 0;
  /// For each operation: true if its value changes along the row.
  std::vector<bool> varies;
  /// For each operation: the pass in which a varying one can first run; for all others, how many
  /// passes must be over.
  std::vector<int> ready;
  /// Varying operations that later passes need and that are dearer to compute again than to keep.
  std::vector<int> kept;

  /// True if the operation runs in pass `pass`: a store of what varies, or a reduction.
  bool runs_in(const Nest& nest, int operation, int pass) const;
  /// True if a pass computes nothing dear.
  bool is_light(const Nest& nest, int pass) const;
};

Passes passes(const Nest& nest);

}  // namespace axial::kernels
