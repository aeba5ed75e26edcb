// Simplification of expressions. Every rule keeps the value; together they lead to a form that no
// rule changes, whatever the order of factors and terms was.
#pragma once

#include <span>
#include <vector>

#include "axial/calculus/arithmetic.hpp"

namespace axial::calculus {

/// Which rules are used.
struct SimplifyOptions {
  /// Like terms and factors are united, numbers computed, factors drawn out of contractions. What
  /// cancels is taken to be neither 0 nor infinite.
  bool algebra = true;
  /// where(c, X, 0) becomes [c] ⊙ X, which differs from it where X is infinite.
  bool brackets = true;
  /// Common factors of all terms are collected: A ⊙ B - A ⊙ C = A ⊙ (B - C).
  bool collect = true;
  /// Identities are eliminated where they are contracted: A ⊙_ax I_{ax,ax'} = A_{ax→ax'}, also in
  /// the terms of a sum.
  bool identities = true;
  /// The logistic function is recognised: exp U / (1 + exp U) = sigmoid U.
  bool logistic = true;
  /// Calls of phrases whose definitions are recognised: exp X / Σ_ax exp X = softmax_ax X.
  std::vector<Expr> calls = {};
  /// The same calls are recognised under these names of axes, too: (softmax_ax X)_{ax→ax*}.
  Renames renamed = {};
};

/// The expression in its simplest form by the rules chosen; a fixed point of them.
Expr simplified(const Expr& expression, const SimplifyOptions& options = {});

/// The same values, with identities eliminated where they are contracted. Nothing is cancelled, so
/// that values are kept where they are not finite, too; nodes whose value is known stay as they are,
/// and what the expressions share stays shared.
std::vector<Expr> without_deltas(std::span<const Expr> expressions);
Expr without_deltas(const Expr& expression);

/// What a call of a phrase stands for by its definition, or nothing if it is not a phrase.
Tangent definition_of(const Expr& call);

}  // namespace axial::calculus
