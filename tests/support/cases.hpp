// Every function of the library with random arguments, so that a law can be tried on all of them.
// The vocabulary and the phrases are read from their tables; a new one is covered without a line.
#pragma once

#include <string>
#include <vector>

#include "axial/api/function.hpp"
#include "support/generator.hpp"

namespace axial::support {

/// A function, arguments for it that may have extra axes, and the axes that it asks of each itself.
struct Case {
  std::string name;
  TensorFunction apply;
  std::vector<Tensor> arguments;
  std::vector<Axes> own;
  /// How many terms it adds or multiplies at most, for the tolerance.
  std::int64_t terms = 1;
};

/// The elementwise words on every element type that they take.
std::vector<Case> word_cases(Generator& generator);
/// The reductions over one or two axes, on every element type that they take.
std::vector<Case> reduction_cases(Generator& generator);
/// The primitives along their axes, on every element type that they take.
std::vector<Case> primitive_cases(Generator& generator);
/// The phrases of the prelude along one axis, on real numbers.
std::vector<Case> phrase_cases(Generator& generator);
/// Operations that move elements: renaming, reshaping, indexing, windows, slices, concatenation,
/// contraction and recurrences.
std::vector<Case> structure_cases(Generator& generator);

/// All of these.
std::vector<Case> all_cases(Generator& generator);

}  // namespace axial::support
