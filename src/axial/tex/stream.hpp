// Tokens from the texts being read and from the macros being expanded, unexpanded.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "axial/tex/notes.hpp"
#include "axial/tex/tokenize.hpp"

namespace axial::tex {

/// A stack of texts, and on it a stack of tokens that come before the rest of the texts.
class TokenStream {
 public:
  explicit TokenStream(Notes& notes) : notes_(&notes) {}

  /// Reads `text` before anything else; what it comes from is `file`. Problems of a `foreign` one
  /// are nobody's concern.
  void open(Tokenizer text, std::filesystem::path file = {}, bool foreign = false);
  bool is_open(const std::filesystem::path& file) const;
  std::size_t open_files() const { return texts_.size(); }
  /// How many bytes of the last text have been read.
  std::size_t position() const { return texts_.back().tokens.position(); }

  std::optional<Token> next();
  /// True if the last token stood in a text, not in a macro.
  bool was_typed() const { return was_typed_; }
  /// Reads `tokens` next.
  void insert(Tokens tokens);
  /// How many macros are being expanded within each other, those at their end not counted.
  std::size_t depth();
  /// Forgets all tokens but those of the texts.
  void drop_inserted() { inserted_.clear(); }
  /// Forgets everything.
  void close();

  /// The argument of `command`: a group without its braces, or one token. Fails with syntax.
  Tokens argument(const Token& command);
  /// What stands in [ ], if that is what comes next. Fails with syntax.
  std::optional<Tokens> optional_argument(const Token& command);
  /// Tokens up to `delimiter`, which is read as well. Fails with syntax.
  Tokens delimited_argument(const Token& command, const Tokens& delimiter);
  /// Reads a star if it comes next.
  bool star();
  /// Reads spaces; what comes next is no space.
  void pass_spaces();

 private:
  struct Text {
    Tokenizer tokens;
    std::filesystem::path file;
    bool foreign;
  };
  struct Inserted {
    Tokens tokens;
    std::size_t next;
  };
  Tokens group(const Token& command, const Token& open);
  bool character(std::string_view wanted);

  Notes* notes_;
  std::vector<Text> texts_;
  std::vector<Inserted> inserted_;
  bool was_typed_ = true;
};

}  // namespace axial::tex
