// Plain text into tokens.
#pragma once

#include <string_view>
#include <vector>

#include "axial/base/error.hpp"

namespace axial::notation {

enum class TokenKind { name, number, symbol, newline, indent, end };

/// A piece of the source. `text` is its canonical spelling: `*` and `⊙` are both `⊙`.
struct Token {
  TokenKind kind;
  std::string_view text;
  Span span;
};

/// The tokens of `source`, ending with an end token. Comments run from # to the end of the line; a
/// line that starts with spaces begins with an indent token. Fails with syntax at stray characters.
std::vector<Token> tokenize(std::string_view source);

}  // namespace axial::notation
