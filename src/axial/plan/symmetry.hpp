// Which contractions stay the same if axes change places: X'X, X'DX, and so most Hessians.
#pragma once

#include <utility>
#include <vector>

#include "axial/expr/program.hpp"

namespace axial::plan {

/// Axes, each with another.
using AxisPairs = std::vector<std::pair<Axis, Axis>>;

/// The axes of the left operand alone, each with one of the right operand's, if the contraction of the
/// two is the same tensor after these have changed places; else nothing.
AxisPairs symmetric_axes(const expr::Program& program, const expr::Step& contraction);

/// The axis that changes places with this one, or the same one.
Axis opposite(Axis axis, const AxisPairs& pairs);

}  // namespace axial::plan
