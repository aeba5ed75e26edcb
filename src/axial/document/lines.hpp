// Displays into lines of tokens, one for each statement or continued statement.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "axial/notation/latex.hpp"
#include "axial/tex/document.hpp"

namespace axial::document {

/// A part of a display that can be read by itself.
struct Line {
  notation::Tokens tokens;
  Span span;
  /// The line whose statement it goes on from, where it starts with a relation.
  std::optional<std::size_t> continues = {};
  std::optional<Error> problem = {};
  /// The argument of \label in its row.
  std::string label = {};
};

/// The lines of a display: columns are read side by side, rows that start or end with an operator
/// are joined with their neighbours.
std::vector<Line> lines_of(const tex::Math& math, const notation::IsLongName& is_long_name);

/// Fails with unbalanced, at the bracket that has no partner, unless brackets match.
void require_balance(const notation::Tokens& tokens);

}  // namespace axial::document
