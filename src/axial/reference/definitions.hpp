// The meaning of each kind of node: its value from the values of its operands.
#pragma once

#include <span>

#include "axial/expr/node.hpp"

namespace axial::reference {

/// The value of a node of the given kind and type.
Array define(const expr::Kind& kind, std::span<const Array> operands, const expr::Type& type);

/// The value of a function on arguments that may have extra axes, slice by slice (Definition 6):
/// [f(X, Y)]_s' = f(X_{s'|S'}, Y_{s'|T'}) for every record s' of the extra axes.
Array apply_lifted(const expr::Lambda& function, std::span<const Array> arguments);

/// The value of a recurrence: s^t = step(s^{t-1}, x^t), all states along the axis.
Array define_scan(const expr::Scan& scan, std::span<const Array> operands, const expr::Type& type);

/// The position along an axis that an element of an index names. Fails with bad-value if it is not a
/// whole number, or with out-of-range.
std::int64_t require_position(double value, SizedAxis axis);

}  // namespace axial::reference
