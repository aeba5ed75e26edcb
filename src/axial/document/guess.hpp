// What a document leaves unsaid: shapes of parameters and symbols, positions that stand for all.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "axial/document/examination.hpp"
#include "axial/document/world.hpp"

namespace axial::document {

/// Enters the function that an item belongs to, if its parameters have declared shapes.
void enter_function(Frame& frame, const Symbols& symbols, std::size_t item);

/// A frame inside a function whose parameters may have to be guessed; nothing fits: the last error.
Frame entered(World& world, const Symbols& symbols, const Function& function, std::size_t item);

/// The frame with positions that are named and not declared standing for all positions at once.
notation::Bound with_free_indices(const std::vector<const notation::Tree*>& sides,
                                  const Frame& frame);

/// Names in a formula that nothing declares.
std::vector<std::string> undeclared_in(const std::vector<const notation::Tree*>& sides,
                                       const Frame& frame);

/// The formulas, with the definitions of all that they mention.
std::vector<const notation::Tree*> with_definitions(std::vector<const notation::Tree*> trees,
                                                    const Frame& frame);

/// Tries shapes for the symbols that nothing declares in scopes around an item, also for those that
/// its definitions lead to; true if neighbouring sides are equal for one choice.
bool holds_for_guesses(Examination& examination, const Draw& draw, const Symbols& symbols,
                       std::size_t item, const std::vector<const notation::Tree*>& sides);

/// Shapes to try for things that have none declared, the likeliest first.
std::vector<std::vector<std::string>> shape_guesses(const std::vector<std::string>& axes);

/// A shape with these axes, with sizes that they have beside it or else usually.
Shape guessed_shape(const std::vector<std::string>& names, const Frame& frame,
                    const std::map<std::string, std::int64_t>& beside);

}  // namespace axial::document
