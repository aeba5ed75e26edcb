// Names, numbers, scripts and commands.
#include <algorithm>
#include <utility>

#include "axial/notation/elaborate.hpp"
#include "axial/notation/latex_reader.hpp"
#include "axial/notation/latex_tables.hpp"

namespace axial::notation::latex {

bool is_ascii_letter(std::string_view text) {
  return text.size() == 1 &&
         ((text[0] >= 'a' && text[0] <= 'z') || (text[0] >= 'A' && text[0] <= 'Z'));
}
bool is_digit(std::string_view text) {
  return text.size() == 1 && text[0] >= '0' && text[0] <= '9';
}

std::string plain_text(const tex::Tokens& tokens) {
  std::string text;
  for (const tex::Token& token : tokens) {
    if (token.kind == Kind::character) text += token.text;
    if (token.kind == Kind::space) text += ' ';
    if (token.kind == Kind::command && token.text == "_") text += '_';
    if (token.kind == Kind::command && token.text == "ref") text += ' ';
  }
  const auto first = text.find_first_not_of(' ');
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

Span span_of(const tex::Tokens& tokens, Span otherwise) {
  return tokens.empty() ? otherwise : Span{tokens.front().span.begin, tokens.back().span.end};
}

/// What stands in braces, without them, or the next token.
tex::Tokens Reader::argument() {
  skip_spaces();
  if (at_ >= source_.size()) return {};
  if (source_[at_].kind != Kind::open) {
    // A macro that stood here without braces may have become a command with its own argument.
    tex::Tokens one{source_[at_++]};
    const bool takes_argument =
        one[0].kind == Kind::command &&
        (contains(axis_fonts, one[0].text) || contains(word_fonts, one[0].text) ||
         contains(letter_fonts, one[0].text) || one[0].text == "mathcal" ||
         one[0].text == "mathbb");
    if (!takes_argument || at_ >= source_.size() || source_[at_].kind != Kind::open) return one;
    const std::size_t begin = at_;
    argument();
    one.insert(one.end(), source_.begin() + static_cast<std::ptrdiff_t>(begin),
               source_.begin() + static_cast<std::ptrdiff_t>(at_));
    return one;
  }
  int depth = 0;
  const std::size_t begin = at_ + 1;
  for (; at_ < source_.size(); ++at_) {
    if (source_[at_].kind == Kind::open) ++depth;
    if (source_[at_].kind == Kind::close && --depth == 0) break;
  }
  const std::size_t end = at_;
  if (at_ < source_.size()) ++at_;
  return {source_.begin() + static_cast<std::ptrdiff_t>(begin),
          source_.begin() + static_cast<std::ptrdiff_t>(end)};
}

tex::Tokens Reader::optional_argument() {
  if (at_ >= source_.size() || source_[at_].text != "[" || source_[at_].kind != Kind::character) {
    return {};
  }
  tex::Tokens content;
  for (++at_; at_ < source_.size() && source_[at_].text != "]"; ++at_)
    content.push_back(source_[at_]);
  if (at_ < source_.size()) ++at_;
  return content;
}

void Reader::next() {
  const tex::Token& token = source_[at_];
  switch (token.kind) {
    case Kind::space: ++at_; return;
    case Kind::command: ++at_; return command(token);
    case Kind::super: ++at_; return script("^", token.span);
    case Kind::sub: ++at_; return script("_", token.span);
    case Kind::begin: return environment(token);
    case Kind::open: {
      const tex::Tokens content = argument();
      if (content.empty()) return;
      const Span span = span_of(content, token.span);
      open({span.begin, span.begin});
      inner(content);
      return close({span.end, span.end});
    }
    case Kind::character: break;
    default: ++at_; return symbol("\\" + token.text, token.span);
  }
  if (is_ascii_letter(token.text)) return letters_run();
  if (is_digit(token.text)) return digits_run();
  ++at_;
  if (token.text == "'" || token.text == "\u2019") return primes();
  if (token.text == "*") return symbol("⊙", token.span);
  if (token.text == ".") {
    // A full stop; the dot of a contraction comes from \\ndot.
    out_.push_back({TokenKind::gap, ".", token.span});
    return;
  }
  if (token.text == ":" && at_ < source_.size() && source_[at_].text == "=") {
    ++at_;
    return symbol(":=", token.span);
  }
  if (static_cast<unsigned char>(token.text[0]) >= 0x80) {
    const auto known = std::ranges::find(signs, token.text, &Sign::symbol);
    return known != signs.end() ? symbol(token.text, token.span) : name(token.text, token.span);
  }
  symbol(token.text, token.span);
}

/// Letters in math italics: one name if they are known as one, else names of their own.
void Reader::letters_run() {
  std::size_t end = at_;
  std::string run;
  while (end < source_.size() && source_[end].kind == Kind::character &&
         is_ascii_letter(source_[end].text) && run.size() < longest_name) {
    run += source_[end++].text;
  }
  for (std::size_t length = run.size(); length > 1; --length) {
    if (!is_long_name_(run.substr(0, length))) continue;
    const Span span{source_[at_].span.begin, source_[at_ + length - 1].span.end};
    at_ += length;
    return name(run.substr(0, length), span);
  }
  name(run.substr(0, 1), source_[at_].span);
  ++at_;
}

void Reader::digits_run() {
  std::string text;
  Span span = source_[at_].span;
  const auto is_next_digit = [&](std::size_t at) {
    return at < source_.size() && source_[at].kind == Kind::character && is_digit(source_[at].text);
  };
  while (is_next_digit(at_) ||
         (at_ < source_.size() && source_[at_].text == "." && is_next_digit(at_ + 1))) {
    text += source_[at_].text;
    span.end = source_[at_++].span.end;
  }
  out_.push_back({TokenKind::number, std::move(text), span});
}

/// A prime belongs to the name or number before it.
void Reader::primes() {
  std::string marks = "'";
  while (at_ < source_.size() && (source_[at_].text == "'" || source_[at_].text == "\u2019")) {
    marks += "'";
    ++at_;
  }
  if (out_.empty() || (out_.back().kind != TokenKind::name && out_.back().kind != TokenKind::axis &&
                       out_.back().kind != TokenKind::number)) {
    return symbol("\\prime", source_[at_ - 1].span);
  }
  if (out_.back().kind == TokenKind::number) out_.back().kind = TokenKind::name;
  out_.back().text += marks;
  out_.back().span.end = source_[at_ - 1].span.end;
  if (out_.back().kind == TokenKind::axis) axis_script();
}

void Reader::script(std::string_view sign, Span span) {
  skip_spaces();
  // \mathop{..}\limits has lost its \limits; a prime may also be written as a superscript.
  const std::size_t before = at_;
  const tex::Tokens content = argument();
  const auto is_prime = [](const tex::Token& token) {
    return (token.kind == Kind::command && token.text == "prime") || token.text == "'";
  };
  if (sign == "^" && !content.empty() && std::ranges::all_of(content, is_prime) && !out_.empty()) {
    out_.back().text += std::string(content.size(), '\'');
    return;
  }
  symbol(sign, span);
  const Span inside = span_of(content, before < source_.size() ? source_[before].span : span);
  symbol("{", {inside.begin, inside.begin}, "implied");
  const bool outer = std::exchange(in_script_, true);
  inner(content);
  in_script_ = outer;
  symbol("}", {inside.end, inside.end}, "implied");
}

/// A star, dagger or number that decorates the axis just read.
void Reader::axis_script() {
  while (at_ < source_.size()) {
    const std::size_t start = at_;
    skip_spaces();
    if (at_ >= source_.size()) return;
    const tex::Token& token = source_[at_];
    std::string decoration;
    if (token.kind == Kind::character && token.text == "'") {
      decoration = "'";
      ++at_;
    } else if (token.kind == Kind::command && token.text == "dagger") {
      decoration = "†";
      ++at_;
    } else if (token.kind == Kind::super || token.kind == Kind::sub) {
      ++at_;
      for (const tex::Token& mark : argument()) {
        const bool is_star = mark.text == "*" || mark.text == "star" || mark.text == "ast";
        const bool is_plain = token.kind == Kind::sub && mark.kind == Kind::character &&
                              (is_digit(mark.text) || is_ascii_letter(mark.text));
        if (is_star)
          decoration += "*";
        else if (mark.text == "dagger")
          decoration += "†";
        else if (mark.text == "prime" || mark.text == "'")
          decoration += "'";
        else if (is_plain)
          decoration += (decoration.empty() ? "_" : "") + mark.text;
        else if (mark.kind != Kind::space) {
          decoration.clear();
          break;
        }
      }
    }
    if (decoration.empty()) {
      at_ = start;
      return;
    }
    out_.back().text += decoration;
    out_.back().span.end = std::max(out_.back().span.end, source_[at_ - 1].span.end);
  }
}

void Reader::axis(const tex::Tokens& content, Span span) {
  std::string text;
  for (const tex::Token& token : content) {
    if (token.kind == Kind::character && (is_ascii_letter(token.text) || is_digit(token.text) ||
                                          token.text == "'" || token.text == "_")) {
      text += token.text;
    } else if (token.kind == Kind::sub) {
      text += "_";
    } else if (const auto letter = greek(token.text); token.kind == Kind::command && letter) {
      text += *letter;
    }
  }
  if (text.empty()) return symbol("\\name", span);
  out_.push_back({TokenKind::axis, std::move(text), span});
  axis_script();
}

/// Names under an operator or function, one under the other or with commas, as {a, b}.
void Reader::axes_below(const tex::Tokens& axes, Span span, std::string_view opening) {
  symbol(opening, span);
  symbol("{", span, "implied");
  tex::Tokens listed;
  for (const tex::Token& token : axes) {
    if (token.kind == Kind::command && token.text == "\\") {
      listed.push_back({Kind::character, ",", token.span});
    } else {
      listed.push_back(token);
    }
  }
  const std::size_t first = out_.size();
  inner(listed);
  // Names side by side are a list as well, and a group around one name means nothing.
  std::erase_if(out_, [&, k = std::size_t{0}](const Token& token) mutable {
    return k++ >= first && token.note == "implied" && (token.text == "(" || token.text == ")") &&
           !std::any_of(out_.begin() + static_cast<std::ptrdiff_t>(first), out_.end(),
                        [](const Token& other) { return other.text == "^"; });
  });
  for (std::size_t k = first; k + 1 < out_.size(); ++k) {
    const bool both = out_[k].kind == TokenKind::axis && out_[k + 1].kind == TokenKind::axis;
    if (both) {
      out_.insert(out_.begin() + static_cast<std::ptrdiff_t>(k) + 1,
                  {TokenKind::symbol, ",", out_[k].span});
    }
  }
  while (out_.size() > first && out_.back().text == ",") out_.pop_back();
  symbol("}", span, "implied");
}

void Reader::command(const tex::Token& token) {
  const std::string& text = token.text;
  const Span span = token.span;
  if (contains(axis_fonts, text)) return axis(argument(), span);
  if (text == "ndot") return axes_below(argument(), span, ".");
  if (text == "ncat") {
    symbol("⊕", span);
    return axes_below(argument(), span, "_");
  }
  if (text == "nsum") {
    name("sum", span, "function");
    return axes_below(argument(), span, "_");
  }
  if (text == "nfun") {
    const tex::Tokens axes = argument();
    return function(axes, argument(), span);
  }
  if (text == "nbin") {
    const tex::Tokens axes = argument();
    return operation(axes, argument(), span);
  }
  if (text == "frac" || text == "dfrac" || text == "tfrac" || text == "cfrac")
    return fraction(span);
  if (text == "sqrt") return root(span);
  if (text == "underset" || text == "underaccent") return under(span);
  if (text == "overset" || text == "stackrel") return over(span);
  if (text == "mathcal" || text == "mathscr") return calligraphic(span);
  if (text == "mathbb" || text == "reals" || text == "R" || text == "Reals" || text == "RR") {
    const std::string set = text == "mathbb" ? plain_text(argument()) : "R";
    return name(set.empty() ? "\\mathbb" : set, span, "set");
  }
  if (contains(word_fonts, text)) return word(token);
  if (contains(letter_fonts, text)) return accented(token);
  if (text == "sum" || text == "prod") return name(text, span, "function");
  if (const auto other = symbol_of(other_spellings, text))
    return name(std::string(*other), span, "word");
  if (contains(word_commands, text)) return name(text, span, "word");
  if (text == "mathord") {
    const tex::Tokens content = argument();
    const std::string shown = plain_text(content);
    if (shown == "-" || shown == "\u00b7" || shown == "+") return symbol("□", span);
    return inner(content);
  }
  if (text == "vdotswithin") {
    argument();
    return symbol("…", span);
  }
  if (text == "quad" || text == "qquad") {
    out_.push_back({TokenKind::gap, "", span});
    return;
  }
  if (text == "null_delimiter" || text == "\\" || text == "displaystyle" || text == "qedhere" ||
      text == "MoveEqLeft" || text == "mathstrut") {
    return;
  }
  if (text == "boxed" || text == "underbrace" || text == "overbrace") return framed(text, span);
  if (const auto letter = greek(text)) return name(std::string(*letter), span);
  if (const auto sign = symbol_of(signs, text)) return symbol(*sign, span);
  if (text == "ref" || text == "eqref" || text == "cref") {
    argument();
    return;
  }
  if (is_function(text)) return name(text, span, "word");
  symbol("\\" + text, span);
}

}  // namespace axial::notation::latex

namespace axial::notation {

Tokens from_latex(const tex::Tokens& source, const IsLongName& is_long_name) {
  return latex::Reader(source, is_long_name).read();
}

std::vector<std::string> long_names(const tex::Tokens& source) {
  std::vector<std::string> found;
  const auto ends_item = [](const tex::Token& token) {
    return token.kind == tex::TokenKind::open || token.kind == tex::TokenKind::close ||
           token.kind == tex::TokenKind::sub || token.kind == tex::TokenKind::super ||
           token.text == "," || token.text == "[" || token.text == "]" || token.text == "|";
  };
  int brackets = 0, scripts = 0;
  for (std::size_t k = 0; k < source.size(); ++k) {
    const tex::Token& token = source[k];
    if (token.text == "[" && token.kind == tex::TokenKind::character) ++brackets;
    if (token.text == "]" && token.kind == tex::TokenKind::character) --brackets;
    if (token.kind == tex::TokenKind::open) {
      // Below a function, whose name ends with a brace; K_{ij} has two indices.
      scripts += k > 1 && source[k - 1].kind == tex::TokenKind::sub &&
                 source[k - 2].kind == tex::TokenKind::close;
    }
    if (token.kind == tex::TokenKind::close && scripts > 0) --scripts;
    if (token.kind != tex::TokenKind::character || !latex::is_ascii_letter(token.text)) continue;
    std::string run;
    std::size_t end = k;
    while (end < source.size() && source[end].kind == tex::TokenKind::character &&
           latex::is_ascii_letter(source[end].text)) {
      run += source[end++].text;
    }
    const bool starts = k > 0 && ends_item(source[k - 1]);
    const bool stops = end < source.size() && ends_item(source[end]);
    if (run.size() > 1 && run.size() < 12 && starts && stops && (brackets > 0 || scripts > 0)) {
      found.push_back(run);
    }
    k = end - 1;
  }
  return found;
}

}  // namespace axial::notation
