// Derivatives of formulas in the scope of a document, as formulas.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "axial/document/evaluate.hpp"
#include "axial/notation/tree.hpp"

namespace axial::document {

/// Names, and what they stand for.
using Abbreviations = std::vector<std::pair<notation::Tree, notation::Tree>>;

/// One line of a derivation and the rule that gives it, empty for the first. Or names that are used
/// from here on instead of a rule.
struct DerivedStep {
  notation::Tree expression;
  std::string rule;
  Abbreviations where = {};
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
  Abbreviations where;
  std::vector<DerivedSteps> derivations;
  /// The axes of the derivative with their sizes as text; none where the document says nothing.
  std::vector<std::pair<std::string, std::optional<std::string>>> shape;
};

/// The derivative of `formula` by the tensor called `variable`, of the order given. Fails as
/// evaluate does, and with not-differentiable.
Derived derive(const Contents& contents, const std::string& formula, const std::string& variable,
               int order, const EvaluateOptions& options);

}  // namespace axial::document
