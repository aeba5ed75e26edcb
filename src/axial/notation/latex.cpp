#include "axial/notation/latex.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "axial/notation/elaborate.hpp"
#include "axial/notation/letters.hpp"

namespace axial::notation {
namespace {

using Kind = tex::TokenKind;

struct Sign {
  std::string_view command;
  std::string_view symbol;
};

/// Commands that stand for one symbol of the notation.
constexpr auto signs = std::to_array<Sign>({
    {"odot", "⊙"}, {"cdot", "⊙"}, {"circ", "⊙"}, {"ast", "⊙"}, {"times", "×"}, {"rightarrow", "→"},
    {"to", "→"}, {"longrightarrow", "→"}, {"mapsto", "→"}, {"in", "∈"}, {"colon", ":"},
    {"leq", "≤"}, {"le", "≤"}, {"geq", "≥"}, {"ge", "≥"}, {"neq", "≠"}, {"ne", "≠"}, {"lt", "<"},
    {"gt", ">"}, {"land", "∧"}, {"wedge", "∧"}, {"lor", "∨"}, {"lnot", "¬"}, {"neg", "¬"},
    {"infty", "∞"}, {"partial", "∂"}, {"ldots", "…"}, {"cdots", "…"}, {"dots", "…"},
    {"vdots", "…"}, {"dotsc", "…"}, {"dotsb", "…"}, {"mid", "|"}, {"vert", "|"}, {"lvert", "|"},
    {"rvert", "|"}, {"Vert", "‖"}, {"lVert", "‖"}, {"rVert", "‖"}, {"|", "‖"}, {"{", "{"},
    {"}", "}"}, {"lbrace", "{"}, {"rbrace", "}"}, {"lbrack", "["}, {"rbrack", "]"},
    {"dagger", "†"}, {"top", "⊤"}, {"intercal", "⊤"}, {"star", "⊙"}, {"cup", "∪"}, {"cap", "∩"},
    {"setminus", "∖"}, {"subseteq", "⊆"}, {"subset", "⊆"}, {"supseteq", "⊇"}, {"emptyset", "∅"},
    {"varnothing", "∅"}, {"approx", "≈"}, {"equiv", "≡"}, {"propto", "∝"}, {"sim", "~"},
    {"iff", "⇔"}, {"Leftrightarrow", "⇔"}, {"implies", "⇒"}, {"Rightarrow", "⇒"}, {"triangleq", "="},
    {"coloneqq", ":="}, {"coloneq", ":="}, {"defeq", ":="}, {"doteq", "="}, {"oplus", "⊕"},
    {"div", "/"}, {"lbrack", "["}, {"langle", "\\langle"}, {"rangle", "\\rangle"},
});

/// Commands that print the word that they are called and are no functions of the vocabulary.
constexpr auto word_commands = std::to_array<std::string_view>({"lim", "arg", "sup", "inf"});

/// Functions whose usual spelling differs from ours.
constexpr auto other_spellings = std::to_array<Sign>({
    {"ln", "log"}, {"arcsin", "asin"}, {"arccos", "acos"}, {"arctan", "atan"}, {"ReLU", "relu"},
    {"logit", "logit"}, {"sgn", "sign"}, {"inv", "inverse"}, {"stdize", "standardize"},
    {"concat", "concat"}, {"arg\u2009max", "argmax"}, {"arg\u2009min", "argmin"},
});

/// Fonts, by what they say about a name.
constexpr auto axis_fonts =
    std::to_array<std::string_view>({"name", "mathsf", "textsf", "mathtt", "texttt", "textsc"});
constexpr auto word_fonts = std::to_array<std::string_view>(
    {"text", "mathrm", "operatorname", "operatorname*", "textrm", "mbox", "textnormal", "textup",
     "mathop", "hbox", "textit", "textbf", "emph"});
constexpr auto letter_fonts = std::to_array<std::string_view>(
    {"mathit", "mathbf", "boldsymbol", "bm", "mathfrak", "mathbfit", "symbf", "pmb", "mathnormal",
     "hat", "tilde", "bar", "vec", "widehat", "widetilde", "overline", "underline", "dot", "ddot",
     "check", "breve"});
constexpr auto accents = std::to_array<Sign>({{"hat", "\u0302"}, {"tilde", "\u0303"},
    {"bar", "\u0304"}, {"vec", "\u20D7"}, {"widehat", "\u0302"}, {"widetilde", "\u0303"},
    {"overline", "\u0304"}, {"underline", "\u0332"}, {"dot", "\u0307"}, {"ddot", "\u0308"},
    {"check", "\u030C"}, {"breve", "\u0306"}});
constexpr auto matrices = std::to_array<std::string_view>(
    {"bmatrix", "pmatrix", "matrix", "vmatrix", "Bmatrix", "smallmatrix", "bmatrix*", "pmatrix*"});

constexpr int max_depth = 200;

template <class List>
bool contains(const List& list, std::string_view wanted) {
  return std::ranges::find(list, wanted) != std::end(list);
}

template <class List>
std::optional<std::string_view> symbol_of(const List& list, std::string_view command) {
  const auto found = std::ranges::find(list, command, &Sign::command);
  if (found == std::end(list)) return std::nullopt;
  return found->symbol;
}

std::optional<std::string_view> greek(std::string_view command) {
  const auto found = std::ranges::find(letters, command, &Letter::command);
  if (found == std::end(letters)) return std::nullopt;
  return found->letter;
}

/// A letter in bold script: the notation's spelling of variables for shapes.
std::string script_letter(char letter) {
  const bool upper = letter >= 'A' && letter <= 'Z';
  if (!upper) return std::string(1, letter);
  const int point = 0x1D4D0 + (letter - 'A');
  return {'\xF0', static_cast<char>(0x80 | ((point >> 12) & 0x3F)),
          static_cast<char>(0x80 | ((point >> 6) & 0x3F)), static_cast<char>(0x80 | (point & 0x3F))};
}

bool is_ascii_letter(std::string_view text) {
  return text.size() == 1 &&
         ((text[0] >= 'a' && text[0] <= 'z') || (text[0] >= 'A' && text[0] <= 'Z'));
}
bool is_digit(std::string_view text) { return text.size() == 1 && text[0] >= '0' && text[0] <= '9'; }

/// Prose in \text: everything but a single word, and words that connect formulas.
bool is_prose(std::string_view text) {
  constexpr auto connecting = std::to_array<std::string_view>(
      {"where", "otherwise", "if", "iff", "for", "and", "or", "with", "such", "that", "when", "odd",
       "even", "else", "const", "const.", "st", "s.t.", "let", "is", "then", "so", "as", "all",
       "else.", "otherwise.", "otherwise,", "odd.", "even.", "where,", "in", "if,", "given", "by"});
  return contains(connecting, text);
}

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
  Tokens out_;
};

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
         contains(letter_fonts, one[0].text) || one[0].text == "mathcal" || one[0].text == "mathbb");
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
  for (++at_; at_ < source_.size() && source_[at_].text != "]"; ++at_) content.push_back(source_[at_]);
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
         is_ascii_letter(source_[end].text)) {
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
  inner(content);
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
        if (is_star) decoration += "*";
        else if (mark.text == "dagger") decoration += "†";
        else if (mark.text == "prime" || mark.text == "'") decoration += "'";
        else if (is_plain) decoration += (decoration.empty() ? "_" : "") + mark.text;
        else if (mark.kind != Kind::space) { decoration.clear(); break; }
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
  if (text == "frac" || text == "dfrac" || text == "tfrac" || text == "cfrac") return fraction(span);
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
  if (const auto other = symbol_of(other_spellings, text)) return name(std::string(*other), span, "word");
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
  if (text == "dagger") return symbol("†", span);
  if (text == "ref" || text == "eqref" || text == "cref") {
    argument();
    return;
  }
  if (is_function(text)) return name(text, span, "word");
  symbol("\\" + text, span);
}

/// \text{Attention} is a name; \text{for all $X$} is prose with formulas in it.
void Reader::word(const tex::Token& font) {
  if (font.text == "operatorname" && at_ < source_.size() && source_[at_].text == "*") ++at_;
  const tex::Tokens content = argument();
  const Span span = span_of(content, font.span);
  std::string text = plain_text(content);
  const bool has_math = std::ranges::any_of(content, [](const tex::Token& token) {
    const bool is_command = token.kind == Kind::command && token.text != "_";
    return token.kind == Kind::dollar || is_command || token.kind == Kind::sub ||
           token.kind == Kind::super;
  });
  if (font.text == "mathop" && has_math) return inner(content);
  if (text == "argmax" || text == "arg max") text = "argmax";
  if (text == "argmin" || text == "arg min") text = "argmin";
  const bool is_word = !text.empty() && !has_math && text.find(' ') == std::string::npos &&
                       !is_prose(text) && is_ascii_letter(text.substr(0, 1));
  if (!is_word) {
    if (text == "d" || (font.text == "mathrm" && !has_math && text.size() == 1)) return name(text, span);
    return prose(content);
  }
  if (text == "d" && (font.text == "mathrm")) return symbol("∂", span);
  name(std::string(symbol_of(other_spellings, text).value_or(text)), span,
       text.size() == 1 ? "italic" : "word");
}

void Reader::prose(const tex::Tokens& content) {
  std::string text;
  Span span{};
  const auto flush = [&] {
    std::size_t begin = 0;
    while (begin < text.size()) {
      const std::size_t end = std::min(text.find(' ', begin), text.size());
      std::string one = text.substr(begin, end - begin);
      while (!one.empty() && (one.back() == '.' || one.back() == ',')) one.pop_back();
      if (!one.empty()) out_.push_back({TokenKind::word, one, span});
      begin = end + 1;
    }
    text.clear();
  };
  for (std::size_t k = 0; k < content.size(); ++k) {
    if (content[k].kind != Kind::dollar) {
      if (text.empty()) span = content[k].span;
      span.end = content[k].span.end;
      text += content[k].kind == Kind::character ? content[k].text : " ";
      continue;
    }
    flush();
    tex::Tokens formula;
    for (++k; k < content.size() && content[k].kind != Kind::dollar; ++k) formula.push_back(content[k]);
    inner(formula);
  }
  flush();
}

/// A formula in a box or over a brace; what is written at the brace is a remark.
void Reader::framed(std::string_view command, Span span) {
  const tex::Tokens content = argument();
  open(span);
  inner(content);
  close(span);
  skip_spaces();
  const bool is_labelled = command != "boxed" && at_ < source_.size() &&
                           (source_[at_].kind == Kind::sub || source_[at_].kind == Kind::super);
  if (!is_labelled) return;
  ++at_;
  argument();
}

void Reader::fraction(Span span) {
  const tex::Tokens above = argument();
  const tex::Tokens below = argument();
  const auto is_partial = [](const tex::Token& token) {
    return token.kind == Kind::command && token.text == "partial";
  };
  const bool is_operator = above.size() == 1 && is_partial(above[0]) && !below.empty() &&
                           is_partial(below[0]);
  if (is_operator) {
    symbol("∂/∂", span);
    open(span);
    inner({below.begin() + 1, below.end()});
    return close(span);
  }
  const Span top = span_of(above, span);
  const Span bottom = span_of(below, span);
  open({top.begin, top.begin});
  open({top.begin, top.begin});
  inner(above);
  close({top.end, top.end});
  symbol("/", span);
  open({bottom.begin, bottom.begin});
  inner(below);
  close({bottom.end, bottom.end});
  close({bottom.end, bottom.end});
}

void Reader::root(Span span) {
  const tex::Tokens degree = optional_argument();
  const tex::Tokens content = argument();
  if (degree.empty()) name("sqrt", span, "word");
  open(span);
  inner(content);
  close(span);
  if (degree.empty()) return;
  symbol("^", span);
  symbol("{", span, "implied");
  out_.push_back({TokenKind::number, "1", span});
  symbol("/", span);
  open(span);
  inner(degree);
  close(span);
  symbol("}", span, "implied");
}

/// \underset{axes}{f}, which is what \nfun and \nbin print.
void Reader::under(Span span) {
  const tex::Tokens axes = argument();
  tex::Tokens what = argument();
  while (what.size() > 1 && what[0].kind == Kind::command &&
         (what[0].text == "mathop" || what[0].text == "mathbin")) {
    Reader inside(what, is_long_name_);
    inside.at_ = 1;
    what = inside.argument();
  }
  const bool is_operation = what.size() == 1 && what[0].kind == Kind::command &&
                            symbol_of(signs, what[0].text).has_value();
  if (is_operation) return operation(axes, what, span);
  if (what.size() == 1 && what[0].text == "sum") {
    name("sum", span, "function");
    return axes_below(axes, span, "_");
  }
  function(axes, what, span);
}

/// \stackrel{(rule)}{=}
void Reader::over(Span span) {
  const tex::Tokens above = argument();
  const tex::Tokens below = argument();
  const std::size_t first = out_.size();
  inner(below);
  if (out_.size() == first + 1) {
    std::string rule;
    for (const tex::Token& token : above) {
      if (token.kind == Kind::character || token.kind == Kind::space) rule += token.text;
    }
    out_[first].note = rule.empty() ? "?" : rule;
    out_[first].span = span;
    if (rule.contains("def")) out_[first].note.clear();
  }
}

void Reader::function(const tex::Tokens& axes, const tex::Tokens& called, Span span) {
  const std::size_t first = out_.size();
  std::string text;
  tex::Tokens below;
  for (std::size_t k = 0; k < called.size(); ++k) {
    if (called[k].kind == Kind::sub) {
      below.assign(called.begin() + static_cast<std::ptrdiff_t>(k), called.end());
      break;
    }
    const bool is_underscore = called[k].kind == Kind::command && called[k].text == "_";
    if (called[k].kind == Kind::character || is_underscore) text += called[k].text;
  }
  if (text.empty()) inner(called);
  if (!text.empty()) {
    name(std::string(symbol_of(other_spellings, text).value_or(text)), span, "function");
  }
  if (out_.size() > first) out_[first].note = "function";
  axes_below(axes, span, "_");
  inner(below);
}

void Reader::operation(const tex::Tokens& axes, const tex::Tokens& op, Span span) {
  const std::string_view command = op.size() == 1 ? std::string_view(op[0].text) : "";
  if (command == "odot" || command == "cdot") return axes_below(axes, span, ".");
  if (command == "oplus") {
    symbol("⊕", span);
    return axes_below(axes, span, "_");
  }
  symbol(fmt::format("\\nbin{{}}{{{}}}", command), span);
}

void Reader::calligraphic(Span span) {
  for (const tex::Tokens content = argument(); const tex::Token& token : content) {
    if (token.kind == Kind::character && is_ascii_letter(token.text)) {
      name(script_letter(token.text[0]), span, "script");
    } else if (token.text == "'") {
      out_.back().text += "'";
    } else if (token.kind == Kind::super) {
      symbol("^", span);
    } else if (token.text == "*") {
      symbol("⊙", span);
    }
  }
}

/// A letter in another font or with an accent is a name of its own.
void Reader::accented(const tex::Token& token) {
  const std::size_t first = out_.size();
  const tex::Tokens content = argument();
  const std::string text = plain_text(content);
  if (text.size() > 1 && std::ranges::all_of(text, [](char c) {
        return is_ascii_letter(std::string_view(&c, 1)) || is_digit(std::string_view(&c, 1));
      })) {
    name(text, span_of(content, token.span));
  } else {
    inner(content);
  }
  if (out_.size() == first + 1 && out_[first].kind == TokenKind::name) {
    if (const auto accent = symbol_of(accents, token.text)) out_[first].text += *accent;
  }
}

/// The cells of an environment that begins here, by rows.
std::vector<std::vector<tex::Tokens>> Reader::environment_rows(const std::string& name) {
  std::vector<std::vector<tex::Tokens>> rows{{{}}};
  int depth = 0, braces = 0;
  for (++at_; at_ < source_.size(); ++at_) {
    const tex::Token& token = source_[at_];
    if (token.kind == Kind::end && depth == 0) {
      ++at_;
      break;
    }
    depth += token.kind == Kind::begin ? 1 : token.kind == Kind::end ? -1 : 0;
    braces += token.kind == Kind::open ? 1 : token.kind == Kind::close ? -1 : 0;
    const bool outer = depth == 0 && braces == 0;
    if (outer && token.kind == Kind::align) {
      rows.back().emplace_back();
    } else if (outer && token.kind == Kind::command && (token.text == "\\" || token.text == "cr")) {
      rows.push_back({{}});
      if (at_ + 1 < source_.size() && source_[at_ + 1].text == "[") {
        while (at_ < source_.size() && source_[at_].text != "]") ++at_;
      }
    } else {
      rows.back().back().push_back(token);
    }
  }
  const auto is_blank = [](const std::vector<tex::Tokens>& row) {
    return std::ranges::all_of(row, [](const tex::Tokens& cell) {
      return std::ranges::all_of(cell, [](const tex::Token& token) { return token.kind == Kind::space; });
    });
  };
  while (!rows.empty() && is_blank(rows.back()) && (rows.size() > 1 || name == "cases")) rows.pop_back();
  return rows;
}

void Reader::environment(const tex::Token& begin) {
  const std::string what = begin.text;
  const Span span = begin.span;
  const auto rows = environment_rows(what);
  if (what == "cases" || what == "dcases" || what == "cases*" || what == "rcases") {
    return cases(rows, span);
  }
  if (contains(matrices, what)) return matrix(rows, {}, {}, span);
  if (what == "array") return framed_matrix(rows, span);
  if (what == "split" || what == "aligned" || what == "gathered" || what == "alignedat") {
    for (const auto& row : rows) {
      for (const tex::Tokens& cell : row) inner(cell);
    }
    return;
  }
  symbol("\\begin{" + what + "}", span);
}

void Reader::cases(const std::vector<std::vector<tex::Tokens>>& rows, Span span) {
  name("cases", span, "word");
  symbol("{", span, "implied");
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (k > 0) symbol(";", span, "implied");
    for (std::size_t cell = 0; cell < rows[k].size(); ++cell) {
      const std::size_t first = out_.size();
      if (cell == 1) out_.push_back({TokenKind::word, "if", span});
      inner(rows[k][cell]);
      // "if", "for" and "when" say the same, and "otherwise" needs none of them. Those in braces
      // belong to cases inside of this one.
      int open = 0;
      for (std::size_t t = first + 1; cell == 1 && t < out_.size(); ++t) {
        open += out_[t].text == "{" ? 1 : out_[t].text == "}" ? -1 : 0;
        if (open > 0) continue;
        const bool repeats = out_[t].text == "if" || out_[t].text == "for" || out_[t].text == "when";
        if (out_[t].kind == TokenKind::word && repeats) out_.erase(out_.begin() + static_cast<std::ptrdiff_t>(t--));
        else if (out_[t].text == "otherwise" || out_[t].text == "else") {
          out_[t].text = "otherwise";
          out_.erase(out_.begin() + static_cast<std::ptrdiff_t>(first));
          --t;
        }
      }
    }
  }
  symbol("}", span, "implied");
}

/// [[..], [..]]_{rows, columns}; without the name of one of them, a single row or column.
void Reader::matrix(const std::vector<std::vector<tex::Tokens>>& rows, const std::string& row_axis,
                    const std::string& column_axis, Span span) {
  const bool flat = row_axis.empty() != column_axis.empty();
  symbol("[", span, "implied");
  bool first = true;
  for (const auto& row : rows) {
    if (!flat && !first) symbol(",", span);
    if (!flat) symbol("[", span, "implied");
    for (std::size_t cell = 0; cell < row.size(); ++cell) {
      if (cell > 0 || (flat && !first)) symbol(",", span);
      first = false;
      inner(row[cell]);
    }
    first = false;
    if (!flat) symbol("]", span, "implied");
  }
  symbol("]", span, "implied");
  if (row_axis.empty() && column_axis.empty()) return;
  symbol("_", span);
  symbol("{", span, "implied");
  if (!row_axis.empty()) out_.push_back({TokenKind::axis, row_axis, span});
  if (!row_axis.empty() && !column_axis.empty()) symbol(",", span);
  if (!column_axis.empty()) out_.push_back({TokenKind::axis, column_axis, span});
  symbol("}", span, "implied");
}

/// An array whose second row is a matrix: the name of the columns above it, that of the rows before.
void Reader::framed_matrix(const std::vector<std::vector<tex::Tokens>>& rows, Span span) {
  const auto holds_matrix = [](const tex::Tokens& cell) {
    return std::ranges::any_of(cell, [](const tex::Token& token) {
      return token.kind == Kind::begin && contains(matrices, token.text);
    });
  };
  const bool is_frame = rows.size() == 2 && rows[0].size() == 1 && rows[1].size() == 1 &&
                        holds_matrix(rows[1][0]);
  if (!is_frame) return matrix(rows, {}, {}, span);
  std::string row_axis, column_axis;
  if (!out_.empty() && out_.back().kind == TokenKind::axis) {
    row_axis = out_.back().text;
    span.begin = std::min(span.begin, out_.back().span.begin);
    out_.pop_back();
  }
  const Tokens columns = Reader(rows[0][0], is_long_name_).read();
  for (const Token& token : columns) {
    if (token.kind == TokenKind::axis) column_axis = token.text;
  }
  Reader inside(rows[1][0], is_long_name_);
  while (inside.at_ < rows[1][0].size() && rows[1][0][inside.at_].kind != Kind::begin) ++inside.at_;
  const std::string what = rows[1][0][inside.at_].text;
  matrix(inside.environment_rows(what), row_axis, column_axis, span);
}

}  // namespace

Tokens from_latex(const tex::Tokens& source, const IsLongName& is_long_name) {
  return Reader(source, is_long_name).read();
}

std::vector<std::string> long_names(const tex::Tokens& source) {
  std::vector<std::string> found;
  const auto ends_item = [](const tex::Token& token) {
    return token.kind == Kind::open || token.kind == Kind::close || token.kind == Kind::sub ||
           token.kind == Kind::super || token.text == "," || token.text == "[" ||
           token.text == "]" || token.text == "|";
  };
  int brackets = 0, scripts = 0;
  for (std::size_t k = 0; k < source.size(); ++k) {
    const tex::Token& token = source[k];
    if (token.text == "[" && token.kind == Kind::character) ++brackets;
    if (token.text == "]" && token.kind == Kind::character) --brackets;
    if (token.kind == Kind::open) {
      // Below a function, whose name ends with a brace; K_{ij} has two indices.
      scripts += k > 1 && source[k - 1].kind == Kind::sub && source[k - 2].kind == Kind::close;
    }
    if (token.kind == Kind::close && scripts > 0) --scripts;
    if (token.kind != Kind::character || !is_ascii_letter(token.text)) continue;
    std::string run;
    std::size_t end = k;
    while (end < source.size() && source[end].kind == Kind::character &&
           is_ascii_letter(source[end].text)) {
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
