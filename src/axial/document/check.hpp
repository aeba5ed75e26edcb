// A document checked: every statement typed, every equality that can be verified by numbers.
#pragma once

#include <cstdint>

#include "axial/document/contents.hpp"
#include "axial/document/report.hpp"
#include "axial/document/symbols.hpp"

namespace axial::document {

struct CheckOptions {
  /// False: types only.
  bool verify = true;
  /// How many times values and sizes are drawn for each equation.
  int trials = 3;
  std::uint64_t seed = 1;
};

/// The report on a document. Mistakes in it are diagnostics; nothing in a document makes this fail.
Report check(const Contents& contents, const CheckOptions& options = {});

/// Finds the functions of a document that are those of the vocabulary, defined with the same meaning.
/// They are then computed as the vocabulary does, which avoids overflow.
void recognise_vocabulary(Symbols& symbols, std::uint64_t seed);

}  // namespace axial::document
