// The reader behind latex.hpp: it walks over tokens of TeX and writes tokens of the notation.
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "axial/notation/latex.hpp"

namespace axial::notation::latex {

using Kind = tex::TokenKind;

/// Groups nested deeper than this are refused.
inline constexpr int max_depth = 200;
/// Names in math italics have fewer letters than this.
inline constexpr std::size_t longest_name = 12;

bool is_ascii_letter(std::string_view text);
bool is_digit(std::string_view text);
/// The characters of some tokens, without spaces at the ends.
std::string plain_text(const tex::Tokens& tokens);
/// From the first token to the last, or `otherwise` if there is none.
Span span_of(const tex::Tokens& tokens, Span otherwise);

class Reader {
 public:
  Reader(const tex::Tokens& source, const IsLongName& is_long_name)
      : source_(source), is_long_name_(is_long_name) {}

  Tokens read() {
    while (at_ < source_.size()) next();
    return std::move(out_);
  }

 private:
  // A piece of the source that is read by itself: an argument in braces or a single token.
  tex::Tokens argument();
  tex::Tokens optional_argument();
  void skip_spaces() {
    while (at_ < source_.size() && source_[at_].kind == Kind::space) ++at_;
  }

  void next();
  void command(const tex::Token& token);
  void symbol(std::string_view text, Span span, std::string_view note = {}) {
    out_.push_back({TokenKind::symbol, std::string(text), span, std::string(note)});
  }
  void name(std::string text, Span span, std::string_view note = "italic") {
    out_.push_back({TokenKind::name, std::move(text), span, std::string(note)});
  }
  void open(Span span) { symbol("(", span, "implied"); }
  void close(Span span) { symbol(")", span, "implied"); }
  /// Reads a piece and appends what it gives.
  void inner(const tex::Tokens& piece) {
    if (++depth_ > max_depth) {
      throw Error(code("syntax"), fmt::format("nested deeper than {}", max_depth), {},
                  piece.empty() ? std::optional<Span>{} : piece[0].span);
    }
    Reader reader(piece, is_long_name_);
    reader.depth_ = depth_;
    reader.in_script_ = in_script_;
    Tokens tokens = reader.read();
    --depth_;
    out_.insert(out_.end(), std::make_move_iterator(tokens.begin()),
                std::make_move_iterator(tokens.end()));
  }

  void letters_run();
  void digits_run();
  void primes();
  void script(std::string_view sign, Span span);
  bool mark_of_axis();
  void axis(const tex::Tokens& content, Span span);
  void axis_script();
  void axes_below(const tex::Tokens& axes, Span span, std::string_view opening);
  void word(const tex::Token& font);
  void prose(const tex::Tokens& content);
  void framed(std::string_view command, Span span);
  void fraction(Span span);
  void root(Span span);
  void under(Span span);
  void over(Span span);
  void function(const tex::Tokens& axes, const tex::Tokens& called, Span span);
  void operation(const tex::Tokens& axes, const tex::Tokens& op, Span span);
  void calligraphic(Span span);
  void accented(const tex::Token& token);
  void environment(const tex::Token& begin);
  void cases(const std::vector<std::vector<tex::Tokens>>& rows, Span span);
  void matrix(const std::vector<std::vector<tex::Tokens>>& rows, const std::string& row_axis,
              const std::string& column_axis, Span span);
  void framed_matrix(const std::vector<std::vector<tex::Tokens>>& rows, Span span);
  std::vector<std::vector<tex::Tokens>> environment_rows(const std::string& name);

  const tex::Tokens& source_;
  const IsLongName& is_long_name_;
  std::size_t at_ = 0;
  int depth_ = 0;
  // Words are labels there, never prose.
  bool in_script_ = false;
  Tokens out_;
};

}  // namespace axial::notation::latex
