// Macros are replaced by what they mean, and groups are kept account of.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "axial/tex/macros.hpp"
#include "axial/tex/notes.hpp"
#include "axial/tex/source.hpp"
#include "axial/tex/stream.hpp"

namespace axial::tex {

/// A limit was reached; what is being read cannot be finished.
struct Overflow {
  Error error;
};

/// Something that is open: { } or an environment or a formula.
struct Group {
  enum class Kind { brace, environment, math };
  Kind kind;
  /// The environment's name, or what opens the formula.
  std::string name;
  Span span;
  /// How many \text{ } are open within the innermost formula.
  std::size_t text_depth = 0;
  /// Its definitions stay in force behind it.
  bool keeps = false;
};

/// The tokens of a document without macros: definitions take effect, calls are expanded, files are
/// read, \begin{x} and \end{x} are single tokens. What is not defined passes as it is.
class Expander {
 public:
  /// `formulas_are_groups`: what a formula defines is forgotten behind it, as TeX has it.
  Expander(Source& source, Notes& notes, std::filesystem::path folder, bool formulas_are_groups);

  TokenStream& stream() { return stream_; }
  /// Reads a text of the source that starts at `offset`.
  void open(std::string_view text, std::size_t offset, const std::filesystem::path& file = {});

  /// The next token. Brackets that close nothing are problems and do not pass. Throws Overflow.
  std::optional<Token> next();
  /// Makes next() return `token` once more, as it is.
  void unread(Token token) { ahead_ = std::move(token); }
  /// Carries out what `token` defines, if it is a definition; for where nothing is expanded.
  /// Fails with syntax.
  bool define(const Token& token);
  /// The definitions in a style file of the document's folder, if there is one called `name`.
  void use_package(const std::string& name);

  const std::vector<Group>& groups() const { return groups_; }
  /// Opens a group; more than 500 within each other throw Overflow.
  void open_group(Group group);
  /// Closes groups until there are `count`.
  void unwind(std::size_t count);

  /// From here to end_formula() the limit of a formula counts.
  void start_formula();
  void end_formula() { in_formula_ = false; }
  /// True after the limit of a document was reached: there are no more tokens.
  bool is_exhausted() const { return exhausted_; }

  const MacroPointer& macro(const std::string& name) const { return macros_.find(name); }
  /// Replaces a call of `macro` by its meaning. Fails with syntax and throws Overflow.
  void expand(const Macro& macro, const Token& call);

 private:
  std::optional<Token> pass(Token token);
  std::optional<Token> begin_environment(const Token& token);
  std::optional<Token> end_environment(const Token& token);
  std::optional<Token> close_brace(Token token);
  std::vector<Tokens> arguments(const Macro& macro, const Token& call);
  void spend(std::size_t tokens, const Token& call);
  std::string name_of_environment(const Token& token, Span& span);

  void define_command(const Token& token);
  void define_plain(const Token& token, bool is_global);
  void define_alias(const Token& token, bool is_global);
  void define_axis(const Token& token);
  void define_operator(const Token& token);
  void define_delimiters(const Token& token);
  void define_document_command(const Token& token);
  void define_environment(const Token& token);
  void pass_definition(const Token& token);
  void pass_conditional();
  void input(const Token& token);
  void set(const std::string& name, Macro macro, bool is_global);
  std::string defined_name(const Token& token);

  Source* source_;
  Notes* notes_;
  std::filesystem::path folder_;
  bool formulas_are_groups_;
  TokenStream stream_;
  MacroTable macros_;
  std::vector<Group> groups_;
  std::optional<Token> ahead_;
  bool after_text_command_ = false;
  bool next_is_global_ = false;
  bool in_formula_ = false;
  bool exhausted_ = false;
  std::size_t spent_ = 0;
  std::size_t spent_on_formula_ = 0;
};

}  // namespace axial::tex
