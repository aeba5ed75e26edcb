#include "axial/tex/tokenize.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "axial/base/text.hpp"
#include "axial/tex/words.hpp"

namespace axial::tex {
namespace {

constexpr auto verbatim_environments = std::to_array<std::string_view>(
    {"verbatim", "verbatim*", "Verbatim", "lstlisting", "minted", "comment", "alltt"});

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// The length of the UTF-8 character that opens `text`, or 0 if there is none.
std::size_t character_length(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  if (first < 0x80) return 1;
  const std::size_t length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  return text.size() >= length && is_utf8(text.substr(0, length)) ? length : 0;
}

TokenKind kind_of(char c) {
  switch (c) {
    case '{': return TokenKind::open;
    case '}': return TokenKind::close;
    case '&': return TokenKind::align;
    case '^': return TokenKind::super;
    case '_': return TokenKind::sub;
    case '~': return TokenKind::space;
    default: return TokenKind::character;
  }
}

}  // namespace

Tokenizer::Tokenizer(std::string_view text, std::size_t offset, Notes& notes, bool at_is_letter)
    : text_(text), offset_(offset), notes_(&notes), at_is_letter_(at_is_letter) {}

Token Tokenizer::made(TokenKind kind, std::string text, std::size_t begin) const {
  return {kind, std::move(text), {offset_ + begin, offset_ + position_}};
}

std::optional<Token> Tokenizer::next() {
  while (position_ < text_.size()) {
    const char c = text_[position_];
    std::optional<Token> token = is_space(c) || c == '%' ? space()
                                 : c == '\\'             ? command()
                                 : c == '#'              ? parameter()
                                                         : symbol();
    if (token) return token;
  }
  return {};
}

// A run of spaces, ends of lines and comments. A comment takes the end of its line with it, and
// spaces at the start of a line count for nothing.
std::optional<Token> Tokenizer::space() {
  const std::size_t begin = position_;
  bool at_line_start = false;
  bool is_visible = false;
  bool is_blank_line = false;
  while (position_ < text_.size() && (is_space(text_[position_]) || text_[position_] == '%')) {
    const char c = text_[position_];
    if (c == '%') {
      comment();
      at_line_start = true;
      continue;
    }
    ++position_;
    is_visible = is_visible || c == '\n' || !at_line_start;
    if (c != '\n') continue;
    is_blank_line = is_blank_line || at_line_start;
    at_line_start = true;
  }
  const bool after_word = std::exchange(after_word_, false);
  if (is_blank_line) return made(TokenKind::command, "par", begin);
  if (!is_visible || after_word) return {};
  return made(TokenKind::space, " ", begin);
}

void Tokenizer::comment() {
  const std::size_t begin = position_;
  const std::size_t end = std::min(text_.find('\n', begin), text_.size());
  position_ = std::min(end + 1, text_.size());
  std::string_view words = text_.substr(begin, end - begin);
  words.remove_prefix(std::min(words.find_first_not_of("% \t\r"), words.size()));
  constexpr std::string_view mark = "axial:";
  if (!words.starts_with(mark)) return;
  words.remove_prefix(mark.size());
  const std::size_t first = words.find_first_not_of(" \t\r");
  const std::size_t last = words.find_last_not_of(" \t\r");
  const std::string_view text =
      first == std::string_view::npos ? "" : words.substr(first, last - first + 1);
  notes_->directive({std::string(text), {offset_ + begin, offset_ + end}});
}

std::optional<Token> Tokenizer::command() {
  const std::size_t begin = position_++;
  const auto belongs = [&](char c) { return is_letter(c) || (c == '@' && at_is_letter_); };
  if (position_ == text_.size() || is_space(text_[position_])) {
    if (position_ < text_.size()) ++position_;
    return made(TokenKind::command, " ", begin);
  }
  if (!belongs(text_[position_])) {
    std::string name = character();
    return made(TokenKind::command, std::move(name), begin);
  }
  while (position_ < text_.size() && belongs(text_[position_])) ++position_;
  std::string name(text_.substr(begin + 1, position_ - begin - 1));
  Token token = made(TokenKind::command, name, begin);
  after_word_ = true;
  if (name == "makeatletter" || name == "makeatother") {
    at_is_letter_ = name == "makeatletter";
    return {};
  }
  if (name == "endinput") {
    position_ = text_.size();
    return {};
  }
  if (name == "verb" || name == "lstinline" || name == "mintinline") pass_verb();
  if (name == "begin") {
    pass_verbatim();
    if (token.span.end != offset_ + position_) return {};
  }
  return token;
}

// \verb|...|, on one line. What stands in braces is left to whoever reads arguments.
void Tokenizer::pass_verb() {
  std::size_t begin = position_;
  if (begin < text_.size() && text_[begin] == '*') ++begin;
  if (begin >= text_.size() || is_space(text_[begin])) return;
  const char mark = text_[begin];
  if (mark == '{' || mark == '[' || is_letter(mark)) return;
  const std::size_t line_end = std::min(text_.find('\n', begin), text_.size());
  const std::size_t end = text_.substr(0, line_end).find(mark, begin + 1);
  if (end == std::string_view::npos) return;
  position_ = end + 1;
  after_word_ = false;
}

void Tokenizer::pass_verbatim() {
  if (position_ >= text_.size() || text_[position_] != '{') return;
  const std::size_t close =
      text_.substr(0, std::min(text_.size(), position_ + 16)).find('}', position_);
  if (close == std::string_view::npos) return;
  const std::string_view name = text_.substr(position_ + 1, close - position_ - 1);
  if (!is_one_of(name, verbatim_environments) || endless_.contains(name)) return;
  const std::string end = "\\end{" + std::string(name) + "}";
  const std::size_t found = text_.find(end, close);
  if (found == std::string_view::npos) {
    endless_.emplace(name);
    return;
  }
  position_ = found + end.size();
  after_word_ = false;
}

// # and a digit is a parameter; in a definition within a definition there are more #.
Token Tokenizer::parameter() {
  const std::size_t begin = position_;
  after_word_ = false;
  // Nobody nests definitions deeper, and a long row of # must not be counted again and again.
  const std::size_t limit = std::min(text_.size(), begin + 16);
  while (position_ < limit && text_[position_] == '#') ++position_;
  if (position_ < text_.size() && text_[position_] >= '1' && text_[position_] <= '9') {
    ++position_;
    return made(TokenKind::parameter, std::string(text_.substr(begin + 1, position_ - begin - 1)),
                begin);
  }
  position_ = begin + 1;
  return made(TokenKind::character, "#", begin);
}

Token Tokenizer::symbol() {
  const std::size_t begin = position_;
  after_word_ = false;
  if (text_[begin] == '$') {
    position_ += text_.substr(begin).starts_with("$$") ? 2 : 1;
    return made(TokenKind::dollar, std::string(text_.substr(begin, position_ - begin)), begin);
  }
  const TokenKind kind = kind_of(text_[begin]);
  std::string text = character();
  return made(kind, kind == TokenKind::space ? " " : std::move(text), begin);
}

std::string Tokenizer::character() {
  const std::size_t length = character_length(text_.substr(position_));
  if (length == 0) {
    notes_->bad_byte({offset_ + position_, offset_ + position_ + 1});
    ++position_;
    return "\uFFFD";
  }
  position_ += length;
  return std::string(text_.substr(position_ - length, length));
}

std::string spelled(const Tokens& tokens) {
  std::string text;
  for (const Token& token : tokens) {
    if (token.kind == TokenKind::command) text += '\\';
    if (token.kind == TokenKind::parameter) text += '#';
    text += token.text;
  }
  return text;
}

Span hull(const Tokens& tokens) {
  if (tokens.empty()) return {};
  Span span = tokens.front().span;
  for (const Token& token : tokens) {
    span = {std::min(span.begin, token.span.begin), std::max(span.end, token.span.end)};
  }
  return span;
}

}  // namespace axial::tex
