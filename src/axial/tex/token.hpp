// Pieces of TeX.
#pragma once

#include <string>
#include <vector>

#include "axial/base/error.hpp"

namespace axial::tex {

enum class TokenKind {
  command,    // \frac: text is `frac`; \, has the text `,`
  character,  // one UTF-8 character that is nothing else
  open,       // {
  close,      // }
  align,      // &
  super,      // ^
  sub,        // _
  space,      // any run of spaces, ends of lines and comments
  dollar,     // $ or $$; text says which
  begin,      // \begin{cases}: text is `cases`; its arguments are gone
  end,        // \end{cases}
  parameter,  // #1 in the body of a macro: text is `1`
};

/// A piece of TeX. What a macro's body gives carries the place of the macro's name where it was
/// called; what its arguments give keeps its own place.
struct Token {
  TokenKind kind;
  std::string text;
  Span span;
};

using Tokens = std::vector<Token>;

}  // namespace axial::tex
