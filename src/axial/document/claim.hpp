// Equations between formulas: neighbouring sides are compared in trials.
#pragma once

#include <vector>

#include "axial/document/compare.hpp"
#include "axial/document/examination.hpp"

namespace axial::document {

/// Compares two sides by numbers. Fails with not-equal if they differ; false if they have no values.
bool verify(const Symbols& symbols, Draw draw, const Sides& sides, Span place);

/// Verifies that neighbouring sides from `first` on are equal, or only that they have the same axes.
void verify_chain(Examination& examination, const Draw& draw, const Symbols& symbols,
                  std::size_t item, const std::vector<const notation::Tree*>& sides,
                  const std::vector<const notation::Relation*>& relations, std::size_t first,
                  bool numbers);

/// An equation that defines nothing. Symbols that nothing declares have the shapes that fit.
void examine_claim(Examination& examination, World& world, const Draw& draw, const Symbols& symbols,
                   std::size_t item, const notation::Equation& equation, bool numbers);

}  // namespace axial::document
