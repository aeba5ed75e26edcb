// Which contractions stay the same if axes change places: X'X, X'DX, and so most Hessians.
#pragma once

#include <utility>
#include <vector>

#include "axial/expr/program.hpp"

namespace axial::plan {

/// The axes of the left operand alone, each with one of the right operand's, if the contraction of the two
/// is the same tensor after these have changed places; else nothing.
std::vector<std::pair<Axis, Axis>> symmetric_axes(const expr::Program& program,
                                                  const expr::Step& contraction);

}  // namespace axial::plan
