// The inverse of elaboration: expressions as formulas that can be shown and read again.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "axial/expr/node.hpp"
#include "axial/notation/tree.hpp"

namespace axial::notation {

/// How nodes are called in formulas: tensors that have a name. The trees are of Form::name.
using Names = std::unordered_map<const expr::Node*, Tree>;

/// How many nodes of expressions a formula may write, shared ones as often as they are written.
inline constexpr std::int64_t max_formula_nodes = 20'000;
/// How deep a formula may nest, rows of + and ⊙ not counted, so that it can be read again.
inline constexpr std::int64_t max_formula_depth = 100;

/// The formula that denotes `expression`. Nodes in `names` are written by their names, whatever they
/// are computed from. Positions count from `first_position`. Axes that nobody may write are given
/// primes instead. Fails with needs-value for leaves and parameters without a name, and with
/// too-large beyond the limits above.
///
/// Elaborating the formula where the names stand for those nodes and every axis has the size that
/// it has here gives the same value, but for what the notation cannot say:
/// - Repetition is left out, since lifting repeats. An axis that only repetition gives is missing
///   in the result; sums over it are written as products with its size.
/// - Conversions between kinds of numbers are left out. Truth values as numbers are [X = Y], or
///   cases {1 if P; 0 otherwise}, which have the environment's type of reals; so have identities.
/// - Positions, padding, scans, strided windows and slices, and the transposes of windows and
///   indices are applications that only explain: positions_ax, pad_ax(X, 1, 1), scan_ax(S, X),
///   window_{ax, kernel}(X, stride, dilation), slice_ax(X, first, last, step),
///   fold_{ax, kernel} X, scatter_ax(X, I).
/// - Functions are called by their names, which only those of the prelude have everywhere.
Tree formula_of(const expr::Expr& expression, const Names& names, std::int64_t first_position = 1);

}  // namespace axial::notation
