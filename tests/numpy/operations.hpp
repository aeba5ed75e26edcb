// How C++ spells the structural operations that record.py has cases of, one function each.
#pragma once

#include <span>

#include "numpy/replay.hpp"

namespace axial::recorded {

/// An operation under the name that it has in the records.
struct NamedOperation {
  std::string_view name;
  /// The element types that it accepts; each needs a recorded case.
  Takes takes;
  Operation run;
};

/// Contractions, in contractions.json.
std::span<const NamedOperation> contractions();
/// Operations that create, move and convert elements, in structure.json.
std::span<const NamedOperation> structural_operations();
/// Recurrences and calls of functions with signatures, in functions.json.
std::span<const NamedOperation> function_operations();

}  // namespace axial::recorded
