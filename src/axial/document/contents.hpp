// What a document says, statement by statement, before any of it is understood.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "axial/notation/parse.hpp"
#include "axial/tex/document.hpp"

namespace axial::document {

/// One equation, declaration, signature or range as the author wrote it.
struct Item {
  Span span;
  /// False for formulas inside a sentence.
  bool display = true;
  /// Displays that belong together, linked by "where" or "and", share a block.
  int block = 0;
  /// The headings that it stands under, outermost first, by their order in the document.
  std::vector<int> section = {};
  std::optional<notation::Statement> statement = {};
  /// Why there is no statement.
  std::optional<Error> problem = {};
  /// What was written, where brackets do not match.
  notation::Tokens tokens = {};
  /// Prose in the formula behind the statement, and prose before the display.
  std::string remark = {};
  std::string lead = {};
  /// The item whose last side a continued equation goes on from.
  std::optional<std::size_t> continues = {};
  /// What \label calls it.
  std::string label = {};
  /// What `% axial:` says about it.
  bool ignored = false;
  bool error_expected = false;
  /// Stated by `% axial: assume`, not by the document.
  bool assumed = false;
};

/// A document that was read.
struct Contents {
  tex::Source source;
  std::vector<Item> items;
  /// What could not be read at all: unclosed groups, macros without end.
  std::vector<Error> problems;
  /// Names that are functions somewhere in the document.
  std::vector<std::string> functions;
  /// Plain text is wholly in the notation, so that what cannot be parsed is a mistake.
  bool is_plain_text = false;
};

/// The contents of a document given as text; the name of the file tells its format (.nt is plain
/// text). Mistakes in it are part of the contents. Fails with bad-file if it is too large.
Contents read(const std::string& file, std::string text, const std::filesystem::path& folder);

/// The contents of a file. Fails with file-access if it cannot be read.
Contents read_file(const std::filesystem::path& path);

/// True if `name` is a function of the document, the vocabulary or the prelude.
bool is_function(const Contents& contents, std::string_view name);

}  // namespace axial::document
