// Tensors as people read them: rows and columns in brackets, with the names of the axes on the
// sides as the paper typesets them. The layout in memory never shows.
#pragma once

#include <string>

#include "axial/tensor/array.hpp"

namespace axial {

/// How tensors are shown.
struct PrintOptions {
  /// Lines are kept this wide by leaving out columns.
  int width = 100;
  /// An axis longer than this shows only its ends.
  int threshold = 12;
  /// How many positions are shown at each end, of axes and of the list of slices.
  int edge = 3;
  /// At least so many significant digits of the largest real number shown; zeros that no number
  /// needs are dropped.
  int digits = 4;
  /// Brackets and dots in Unicode, or else in ASCII.
  bool unicode = true;
};

/// The tensor as text without a final newline. Of the names in alphabetical order, the last runs
/// along the columns and the one before along the rows; the others label slices. A gap is marked,
/// and the axis then carries its size. Only the elements that are shown are read.
std::string to_text(const Array& array, const PrintOptions& options = {});

}  // namespace axial
