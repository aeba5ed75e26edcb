// Pieces of the notation, the same for LaTeX and plain text.
#pragma once

#include <string>
#include <vector>

#include "axial/base/error.hpp"

namespace axial::notation {

enum class TokenKind {
  name,    // X, seq', softmax
  axis,    // a name in the font of axes, or a variable for shapes: LaTeX only
  number,  // 0.5
  symbol,  // an operator or bracket in its canonical spelling: `*` and `⊙` are both `⊙`
  word,    // prose inside a formula: where, otherwise, for all
  gap,     // a wide space between formulas
  newline,
  indent,
  end,
};

/// A piece of the source. A relation that cites a rule carries it as `note`.
struct Token {
  TokenKind kind;
  std::string text;
  Span span;
  std::string note = {};
};

using Tokens = std::vector<Token>;

}  // namespace axial::notation
