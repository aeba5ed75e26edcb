// How examples print: a formula, and the tensor that it denotes below it.
#pragma once

#include <axial/axial.hpp>
#include <ostream>
#include <string_view>

namespace examples {

/// Prints a formula and its value.
inline void show(std::ostream& out, std::string_view formula, const axial::Tensor& value) {
  out << formula << "\n\n" << value << "\n\n";
}

}  // namespace examples
