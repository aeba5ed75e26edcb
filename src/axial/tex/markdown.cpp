#include "axial/tex/markdown.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <string>
#include <utility>

#include "axial/base/text.hpp"
#include "axial/tex/formula.hpp"
#include "axial/tex/words.hpp"

namespace axial::tex {
namespace {

constexpr std::size_t none = std::string_view::npos;

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

std::string_view trimmed(std::string_view text) {
  const std::size_t first = std::min(text.find_first_not_of(" \t\r\n"), text.size());
  text.remove_prefix(first);
  return text.substr(0, text.find_last_not_of(" \t\r\n") + 1);
}

class MarkdownReader {
 public:
  MarkdownReader(Expander& expander, Notes& notes, Segments& segments, std::string_view text,
                 std::size_t offset)
      : expander_(expander), notes_(notes), segments_(segments), text_(text), offset_(offset) {}

  void read();

 private:
  void line_start();
  bool fence();
  bool heading();
  void step();
  void dollar();
  void backslash();
  void code_span();
  void comment();
  void environment();
  void definition();
  void formula(std::string opening, std::size_t begin, std::size_t end, std::size_t past);
  void plain_character();
  bool inline_formula();
  void unclosed(std::string_view opening);
  std::size_t paragraph_end();
  std::size_t in_paragraph(const std::string& mark, std::size_t from);
  std::size_t line_end(std::size_t from) const {
    return std::min(text_.find('\n', from), text_.size());
  }
  std::string_view rest() const { return text_.substr(at_); }
  Span span(std::size_t begin, std::size_t end) const { return {offset_ + begin, offset_ + end}; }

  Expander& expander_;
  Notes& notes_;
  Segments& segments_;
  std::string_view text_;
  std::size_t offset_;
  std::size_t at_ = 0;
  std::size_t paragraph_end_ = 0;
  /// Marks that do not occur in the rest of the text, or of the paragraph that ends at the value:
  /// so that each is searched for once only.
  std::set<std::string, std::less<>> missing_;
};

void MarkdownReader::read() {
  while (at_ < text_.size()) {
    if (at_ == 0 || text_[at_ - 1] == '\n') {
      const std::size_t before = at_;
      line_start();
      if (at_ != before) continue;
    }
    step();
    segments_.settle();
  }
}

// The end of the paragraph that at_ is in: a blank line, or the end.
std::size_t MarkdownReader::paragraph_end() {
  if (at_ < paragraph_end_) return paragraph_end_;
  std::size_t line = at_;
  while (line < text_.size()) {
    const std::size_t end = line_end(line);
    const std::size_t next = std::min(end + 1, text_.size());
    if (end == text_.size() || trimmed(text_.substr(next, line_end(next) - next)).empty()) {
      paragraph_end_ = end;
      return end;
    }
    line = next;
  }
  paragraph_end_ = text_.size();
  return paragraph_end_;
}

// Where `mark` comes next in this paragraph.
std::size_t MarkdownReader::in_paragraph(const std::string& mark, std::size_t from) {
  const std::size_t limit = paragraph_end();
  const std::string key = mark + std::to_string(limit);
  const std::size_t found = missing_.contains(key) ? none : text_.substr(0, limit).find(mark, from);
  if (found == none) missing_.insert(key);
  return found;
}

void MarkdownReader::line_start() {
  const std::size_t end = line_end(at_);
  const std::string_view line = text_.substr(at_, end - at_);
  if (trimmed(line).empty()) {
    segments_.words().paragraph();
    at_ = std::min(end + 1, text_.size());
    return;
  }
  if (fence()) return;
  heading();
}

// ``` or ~~~ up to the same again. A block of the language `math` is a display.
bool MarkdownReader::fence() {
  const std::size_t end = line_end(at_);
  std::string_view line = text_.substr(at_, end - at_);
  const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
  line.remove_prefix(indent);
  if (indent > 3 || !(line.starts_with("```") || line.starts_with("~~~"))) return false;
  const char mark = line[0];
  const std::size_t length = std::min(line.find_first_not_of(mark), line.size());
  const std::string_view language = trimmed(line.substr(length));
  // `code` with more backquotes, within a line.
  if (mark == '`' && language.find('`') != none) return false;
  const std::size_t begin = std::min(end + 1, text_.size());
  std::size_t next = begin;
  while (next < text_.size()) {
    const std::size_t next_end = line_end(next);
    const std::string_view candidate = trimmed(text_.substr(next, next_end - next));
    if (candidate.size() >= length && candidate.find_first_not_of(mark) == none) break;
    next = std::min(next_end + 1, text_.size());
  }
  const std::size_t past = std::min(line_end(next) + 1, text_.size());
  segments_.words().paragraph();
  if (language == "math") {
    formula("$$", begin, next, past);
  } else {
    at_ = past;
  }
  return true;
}

bool MarkdownReader::heading() {
  const std::size_t end = line_end(at_);
  const std::string_view line = text_.substr(at_, end - at_);
  const std::size_t level = std::min(line.find_first_not_of('#'), line.size());
  if (level == 0 || level > 6 || (level < line.size() && !is_space(line[level]))) return false;
  std::string_view title = trimmed(line.substr(level));
  title = trimmed(title.substr(0, title.find_last_not_of('#') + 1));
  segments_.add(Heading{static_cast<int>(level), std::string(title), span(at_, end)});
  at_ = std::min(end + 1, text_.size());
  return true;
}

void MarkdownReader::step() {
  const char c = text_[at_];
  if (c == '$') return dollar();
  if (c == '\\') return backslash();
  if (c == '`') return code_span();
  if (rest().starts_with("<!--")) return comment();
  if (is_space(c)) {
    segments_.words().space();
    ++at_;
    return;
  }
  plain_character();
}

void MarkdownReader::plain_character() {
  std::size_t length = 1;
  while (at_ + length < text_.size() && (text_[at_ + length] & 0xC0) == 0x80) ++length;
  const std::string_view character = text_.substr(at_, length);
  if (is_utf8(character)) {
    segments_.words().add(character, span(at_, at_ + length));
  } else {
    notes_.bad_byte(span(at_, at_ + 1));
    segments_.words().add("\uFFFD", span(at_, at_ + length));
  }
  at_ += length;
}

void MarkdownReader::formula(std::string opening, std::size_t begin, std::size_t end,
                             std::size_t past) {
  const bool display = opening == "$$" || opening == "\\[";
  expander_.open(text_.substr(begin, end - begin), offset_ + begin);
  std::optional<Formula> formula = read_math(expander_, notes_, {"", span(at_, begin), display});
  expander_.stream().close();
  if (formula) {
    formula->span = span(at_, past);
    segments_.add(segments_of(*formula));
  }
  at_ = past;
}

void MarkdownReader::unclosed(std::string_view opening) {
  notes_.problem(
      Error(code("syntax"), fmt::format("the formula that `{}` opens is not closed", opening),
            fmt::format("close it before the paragraph ends, or write \\{} for the sign", opening),
            span(at_, at_ + opening.size())));
}

void MarkdownReader::dollar() {
  const std::size_t limit = paragraph_end();
  if (rest().starts_with("$`")) {
    const std::size_t end = in_paragraph("`$", at_ + 2);
    if (end != none) return formula("$", at_ + 2, end, end + 2);
  }
  if (rest().starts_with("$$")) {
    const std::size_t end = in_paragraph("$$", at_ + 2);
    if (end != none) return formula("$$", at_ + 2, end, end + 2);
    unclosed("$$");
    at_ = limit;
    return;
  }
  if (inline_formula()) return;
  plain_character();
}

// An opening $ has no space behind it, a closing one none before it and no digit behind it; all
// others are dollars.
bool MarkdownReader::inline_formula() {
  const std::size_t limit = paragraph_end();
  const std::string key = "$" + std::to_string(limit);
  if (at_ + 1 >= limit || is_space(text_[at_ + 1]) || missing_.contains(key)) return false;
  std::size_t end = at_ + 1;
  std::size_t depth = 0;
  for (; end < limit; ++end) {
    if (text_[end] == '\\') {
      ++end;
      continue;
    }
    // In \text{ } a formula may hold others.
    if (text_[end] == '{') ++depth;
    if (text_[end] == '}' && depth > 0) --depth;
    if (text_[end] == '$' && depth == 0) break;
  }
  if (end >= limit) {
    missing_.insert(key);
    return false;
  }
  const bool before_digit = end + 1 < text_.size() && is_digit(text_[end + 1]);
  if (is_space(text_[end - 1]) || before_digit) return false;
  formula("$", at_ + 1, end, end + 1);
  return true;
}

void MarkdownReader::backslash() {
  // Markdown itself takes one backslash away, so that many write two.
  for (const std::string_view opening : {"\\\\(", "\\\\[", "\\(", "\\["}) {
    if (!rest().starts_with(opening)) continue;
    std::string closing(opening);
    closing.back() = opening.back() == '(' ? ')' : ']';
    const std::size_t begin = at_ + opening.size();
    const std::size_t end = in_paragraph(closing, begin);
    if (end != none) {
      return formula("\\" + std::string(1, opening.back()), begin, end, end + closing.size());
    }
    // \[ is also how Markdown writes a bracket.
    segments_.words().add(opening.substr(opening.size() - 1), span(at_, begin));
    at_ = begin;
    return;
  }
  if (rest().starts_with("\\begin{")) return environment();
  std::size_t end = at_ + 1;
  while (end < text_.size() && is_letter(text_[end])) ++end;
  const std::string_view name = text_.substr(at_ + 1, end - at_ - 1);
  if (is_definition(name) && name != "input" && name != "include") return definition();
  ++at_;
  if (at_ < text_.size() && std::ispunct(static_cast<unsigned char>(text_[at_]))) plain_character();
}

void MarkdownReader::environment() {
  const std::size_t begin = at_ + 7;
  const std::size_t close = text_.substr(0, std::min(text_.size(), begin + 32)).find('}', begin);
  const std::string name(close == none ? "" : text_.substr(begin, close - begin));
  if (!is_math_environment(name)) {
    at_ += 6;
    return;
  }
  const std::string closing = "\\end{" + name + "}";
  const std::size_t end = missing_.contains(closing) ? none : text_.find(closing, close);
  if (end == none) {
    missing_.insert(closing);
    unclosed("\\begin{" + name + "}");
    at_ = paragraph_end();
    return;
  }
  const std::size_t past = end + closing.size();
  expander_.open(text_.substr(at_, past - at_), offset_ + at_);
  at_ = past;
  try {
    const std::optional<Token> token = expander_.next();
    if (token && token->kind == TokenKind::begin) {
      if (unstarred(name).ends_with("alignat")) expander_.stream().argument(*token);
      if (const auto formula = read_math(expander_, notes_, {name, token->span, name != "math"})) {
        segments_.add(segments_of(*formula));
      }
    }
  } catch (const Error& error) {
    notes_.problem(error);
  } catch (const Overflow& overflow) {
    notes_.problem(overflow.error);
  }
  expander_.stream().close();
  expander_.unwind(0);
}

// \newcommand and the like between the words.
void MarkdownReader::definition() {
  const std::size_t begin = at_;
  const std::size_t limit = paragraph_end();
  expander_.open(text_.substr(begin, limit - begin), offset_ + begin);
  at_ = limit;
  try {
    const std::optional<Token> token = expander_.stream().next();
    if (token) expander_.define(*token);
    if (expander_.stream().open_files() > 0) at_ = begin + expander_.stream().position();
  } catch (const Error& error) {
    notes_.problem(error);
  }
  expander_.stream().close();
}

void MarkdownReader::code_span() {
  const std::size_t length = std::min(rest().find_first_not_of('`'), rest().size());
  const std::string mark(length, '`');
  const std::size_t limit = paragraph_end();
  const std::string key = mark.substr(0, 20) + std::to_string(limit);
  std::size_t end = missing_.contains(key) ? none : at_ + length;
  while (end != none) {
    end = text_.substr(0, limit).find(mark, end);
    if (end == none) break;
    const std::size_t past = std::min(text_.find_first_not_of('`', end), text_.size());
    if (past - end == length) break;
    end = past;
  }
  if (end == none) {
    missing_.insert(key);
    at_ += length;
    return;
  }
  at_ = end + length;
}

void MarkdownReader::comment() {
  const std::size_t end = missing_.contains("-->") ? none : text_.find("-->", at_ + 4);
  if (end == none) {
    missing_.insert("-->");
    ++at_;
    return;
  }
  std::string_view words = trimmed(text_.substr(at_ + 4, end - at_ - 4));
  constexpr std::string_view mark = "axial:";
  if (words.starts_with(mark)) {
    notes_.directive({std::string(trimmed(words.substr(mark.size()))), span(at_, end + 3)});
  }
  at_ = end + 3;
}

}  // namespace

void read_markdown(Expander& expander, Notes& notes, Segments& segments, std::string_view text,
                   std::size_t offset) {
  MarkdownReader(expander, notes, segments, text, offset).read();
}

}  // namespace axial::tex
