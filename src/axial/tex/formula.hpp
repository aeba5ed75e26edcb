// A formula as it stands in a document: from what opens it to what closes it, then its rows.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "axial/tex/document.hpp"
#include "axial/tex/expand.hpp"
#include "axial/tex/notes.hpp"

namespace axial::tex {

/// What opened a formula: `$`, `$$`, `\(`, `\[`, the name of an environment, or nothing for a text
/// that is a formula as a whole.
struct Opening {
  std::string name;
  Span span;
  bool display = false;
};

/// The tokens between what opens a formula and what closes it.
struct Formula {
  Opening opening;
  Tokens tokens;
  Span span;
};

/// Reads the formula that `opening` opened; nothing if it is broken, which is noted then. Of an
/// environment, \begin has been read.
std::optional<Formula> read_math(Expander& expander, Notes& notes, Opening opening);

/// The formula as a segment; several if \intertext divides it, none if it is empty.
std::vector<Segment> segments_of(const Formula& formula);

}  // namespace axial::tex
