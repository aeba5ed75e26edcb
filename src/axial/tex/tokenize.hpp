// Text into tokens, one at a time, since what TeX has read may change how it reads on.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "axial/tex/notes.hpp"
#include "axial/tex/token.hpp"

namespace axial::tex {

/// Reads tokens from a text that outlives it. A blank line is the command `par`; \verb and the
/// environments like verbatim are passed over; comments and spaces follow the rules of TeX.
class Tokenizer {
 public:
  /// `offset` is where `text` stands in the Source. In a style file, @ is a letter.
  Tokenizer(std::string_view text, std::size_t offset, Notes& notes, bool at_is_letter = false);

  /// The next token, or nothing at the end.
  std::optional<Token> next();
  /// How many bytes have been read.
  std::size_t position() const { return position_; }

 private:
  std::optional<Token> space();
  void comment();
  std::optional<Token> command();
  Token symbol();
  Token parameter();
  void pass_verb();
  void pass_verbatim();
  std::string character();
  Token made(TokenKind kind, std::string text, std::size_t begin) const;

  std::string_view text_;
  std::size_t offset_;
  std::size_t position_ = 0;
  Notes* notes_;
  bool at_is_letter_;
  bool after_word_ = false;
  /// Environments that have no end in the rest of the text, so as to search for it only once.
  std::set<std::string, std::less<>> endless_;
};

/// The text that the tokens would be typed as, for labels and names.
std::string spelled(const Tokens& tokens);

/// The least span around all tokens.
Span hull(const Tokens& tokens);

}  // namespace axial::tex
