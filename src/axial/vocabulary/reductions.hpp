// Reductions: functions from a vector to a scalar, one record each (section 3.3 of the paper).
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstdint>
#include <limits>
#include <string_view>

#include "axial/tensor/axis.hpp"
#include "axial/vocabulary/elementwise.hpp"

namespace axial {

/// A function R^ax → R: the fold of an associative and commutative word. Several axes are reduced
/// jointly, as one.
struct Reduction {
  std::string_view name;
  /// Its LaTeX, with {0} for the axes and {1} for the operand.
  std::string_view latex;
  /// What is folded; it also says which elements are taken.
  const Word* combine;
  /// The value for an empty axis; where `allows_empty` is false, one that every element replaces.
  double real_start;
  std::int64_t whole_start;
  bool allows_empty = true;
  /// The tensor w with ∂y = w ⊙_ax ∂x, in the plain-text notation over x, y and ax; `others` is x
  /// along other axes, `other`, and `same` says where positions agree. Empty for piecewise constant
  /// functions.
  std::string_view weight = "";
  /// A shorter weight for formulas that people read, where it holds for almost all x only.
  std::string_view short_weight = "";
  /// The rule that derivations cite for its differential: a row of calculus/rules.hpp.
  std::string_view rule = "reduction rule";
};

inline constexpr double infinity = std::numeric_limits<double>::infinity();

// clang-format off
inline constexpr auto reductions = std::to_array<Reduction>({
    {.name = "sum", .latex = "\\nsum{{0}} {1}", .combine = &word("add"),
     .real_start = 0, .whole_start = 0, .weight = "1", .rule = "summation rule"},
    {.name = "prod", .latex = "\\nfun{{0}}{prod} {1}", .combine = &word("mul"),
     .real_start = 1, .whole_start = 1, .weight = "prod_other where(same, 1, others)",
     .short_weight = "y / x"},
    {.name = "max", .latex = "\\nfun{{0}}{max} {1}", .combine = &word("max"),
     .real_start = -infinity, .whole_start = INT64_MIN, .allows_empty = false,
     .weight = "argmax_ax x"},
    {.name = "min", .latex = "\\nfun{{0}}{min} {1}", .combine = &word("min"),
     .real_start = infinity, .whole_start = INT64_MAX, .allows_empty = false,
     .weight = "argmin_ax x"},
    {.name = "logsumexp", .latex = "\\nfun{{0}}{logsumexp} {1}", .combine = &word("logaddexp"),
     .real_start = -infinity, .whole_start = 0, .weight = "softmax_ax x"},
    {.name = "any", .latex = "\\nfun{{0}}{any} {1}", .combine = &word("or"),
     .real_start = 0, .whole_start = 0},
    {.name = "all", .latex = "\\nfun{{0}}{all} {1}", .combine = &word("and"),
     .real_start = 1, .whole_start = 1},
});
// clang-format on

/// The reduction called `name`, or null.
constexpr const Reduction* find_reduction(std::string_view name) {
  const auto found = std::ranges::find(reductions, name, &Reduction::name);
  return found == reductions.end() ? nullptr : &*found;
}

/// The reduction called `name`; a misspelt name does not compile.
consteval const Reduction& reduction(std::string_view name) {
  const auto found = std::ranges::find(reductions, name, &Reduction::name);
  if (found != reductions.end()) return *found;
  throw "no reduction has this name";
}

/// Anything that names a set of axes: an Axis, Axes, or their compile-time forms.
template <class T>
concept AxesLike = std::convertible_to<T, Axes>;

// The C++ spellings. `reduce` is found where the tensor type is defined.
template <AxesLike S, TensorLike X>
auto sum(const S& over, const X& x) {
  return reduce(reduction("sum"), over, x);
}
template <AxesLike S, TensorLike X>
auto prod(const S& over, const X& x) {
  return reduce(reduction("prod"), over, x);
}
template <AxesLike S, TensorLike X>
auto max(const S& over, const X& x) {
  return reduce(reduction("max"), over, x);
}
template <AxesLike S, TensorLike X>
auto min(const S& over, const X& x) {
  return reduce(reduction("min"), over, x);
}
template <AxesLike S, TensorLike X>
auto logsumexp(const S& over, const X& x) {
  return reduce(reduction("logsumexp"), over, x);
}
template <AxesLike S, TensorLike X>
auto any(const S& over, const X& x) {
  return reduce(reduction("any"), over, x);
}
template <AxesLike S, TensorLike X>
auto all(const S& over, const X& x) {
  return reduce(reduction("all"), over, x);
}

}  // namespace axial
