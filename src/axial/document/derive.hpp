// Derivatives of formulas in the scope of a document, as formulas.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "axial/document/evaluate.hpp"
#include "axial/notation/tree.hpp"

namespace axial::document {

/// One line of a derivation and the rule that gives it, empty for the first.
struct DerivedStep {
  notation::Tree expression;
  std::string rule;
};

/// A row of steps: the differential of a function that is cited, or the derivation itself.
struct DerivedSteps {
  std::string title;
  std::vector<DerivedStep> steps;
};

/// The derivative of a formula, and how it follows.
struct Derived {
  /// ∂Y/∂X*, or ∂²Y/∂X*∂X†.
  notation::Tree subject;
  notation::Tree derivative;
  /// The derivative with long parts that occur several times under names of their own, and what
  /// those names stand for.
  notation::Tree abbreviated;
  std::vector<std::pair<notation::Tree, notation::Tree>> where;
  std::vector<DerivedSteps> derivations;
  Shape shape;
};

/// The derivative of `formula` by the tensor called `variable`, of the order given. Fails as
/// evaluate does, and with not-differentiable.
Derived derive(const Contents& contents, const std::string& formula, const std::string& variable,
               int order, const EvaluateOptions& options);

}  // namespace axial::document
