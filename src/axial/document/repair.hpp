// Brackets that do not match, and what was most likely meant.
#pragma once

#include <string>
#include <vector>

#include "axial/document/check.hpp"

namespace axial::document {

/// A way to make brackets match.
struct Repair {
  /// The formula as it would then read, in plain text.
  std::string formula;
  /// The equation then holds in numbers, or at least its types fit.
  bool verified = false;
  bool typed = false;
};

/// The repairs of an item whose brackets do not match, each by adding or removing one bracket; the
/// best first: those that numbers support, then those whose types fit, then those that can be read.
std::vector<Repair> repairs(const Contents& contents, std::size_t item,
                            const CheckOptions& options);

}  // namespace axial::document
