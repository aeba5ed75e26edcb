// Primitives: functions between vectors and matrices that no formula of ours composes, one record
// each. They are defined on their own axes; lifting does the rest.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "axial/vocabulary/word.hpp"

namespace axial {

/// What a primitive computes: dense operands and result in the order of the signature, and the
/// sizes of its axes.
template <class T>
using PrimitiveMeaning = void (*)(std::span<const std::int64_t> sizes,
                                  std::span<const std::span<const T>> operands,
                                  std::span<T> result);

/// A function on its own axes, which are called a and b in the signature.
struct Primitive {
  std::string_view name;
  /// Its LaTeX, with {0} for the axes and {1}, {2} for the operands.
  std::string_view latex;
  /// The axes of operands and result: `ab,a->b` takes a matrix and a vector to a vector.
  std::string_view signature;
  Takes takes = Takes::reals;
  Gives gives = Gives::same;
  /// False if an empty axis has no meaning.
  bool allows_empty = true;
  PrimitiveMeaning<double> real = nullptr;
  PrimitiveMeaning<std::int64_t> whole = nullptr;
  /// What the differential d of each operand adds to that of the result, in the plain-text notation:
  /// a, b: the axes, a', b': others of the same sizes, x, z: the operands, y: the result. Empty for
  /// piecewise constant functions.
  std::array<std::string_view, 2> differentials = {};
  /// For operands in which the function is linear: the operand w' with ⟨w, f(d)⟩ = ⟨w', d⟩, from w.
  std::array<std::string_view, 2> transposes = {};

  /// How many axes it works on.
  int axes() const { return signature.find('b') == std::string_view::npos ? 1 : 2; }
  /// How many operands it takes.
  int arity() const { return signature.find(',') == std::string_view::npos ? 1 : 2; }
  /// The axes of operand k (from 0), or of the result for k = arity(), as letters of the signature.
  std::string_view letters(int k) const;
};

/// All primitives.
std::span<const Primitive> primitives();

/// The primitive called `name`, or null.
const Primitive* find_primitive(std::string_view name);

}  // namespace axial
