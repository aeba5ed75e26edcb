// Derivations: how a derivative follows from the rules, step by step (sections 5.2 and 5.3 of the
// paper). Every step has the value of the one before it.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "axial/calculus/arithmetic.hpp"
#include "axial/calculus/rules.hpp"
#include "axial/notation/formula_of.hpp"

namespace axial::calculus {

/// One line of a derivation: an expression, and the rule that gives it from the line before, which
/// the first line has none of.
struct Step {
  Expr expression;
  const Rule* rule = nullptr;
  /// What the rule was applied to, where that says more: a function's name.
  std::string of = "";
};

/// A differential that is not worked out yet: a parameter that stands for ∂U, and U.
struct Unfinished {
  Expr differential;
  Expr subject;
};
using Pending = std::unordered_map<const expr::Node*, Unfinished>;

/// The differential of a phrase, derived once and cited by name.
struct Lemma {
  std::string title;
  std::vector<Step> steps;
  /// What it is about: the phrase with its axes, and the operands that vary.
  std::string subject;
};

/// How ∂Y follows, and from it ∂Y/∂X*.
struct Derivation {
  /// From ∂Y to an expression in ∂X alone, in its simplest form.
  std::vector<Step> differential;
  /// From there to D ⊙_{S*} ∂X*, the canonical form.
  std::vector<Step> canonical;
  /// D, the derivative.
  Expr derivative;
  std::vector<Lemma> lemmas;
  Pending pending;
};

/// The derivation of ∂Y/∂X*. Lemmas that are known already are not derived again. Fails with
/// not-differentiable unless both are real.
Derivation derive(const Expr& result, const Expr& variable, std::vector<Lemma> known = {});

/// The expression of a step as a formula: what is pending is written ∂U.
notation::Tree formula_of(const Step& step, const Pending& pending, const notation::Names& names);

/// The rule as a derivation cites it: `elementwise rule (exp)`.
std::string cited(const Step& step);

}  // namespace axial::calculus
