#include "axial/tex/latex.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "axial/base/text.hpp"
#include "axial/tex/formula.hpp"
#include "axial/tex/words.hpp"

namespace axial::tex {
namespace {

struct Level {
  std::string_view command;
  int level;
};
constexpr auto levels = std::to_array<Level>({{"part", -1},
                                              {"chapter", 0},
                                              {"section", 1},
                                              {"subsection", 2},
                                              {"subsubsection", 3},
                                              {"paragraph", 4},
                                              {"subparagraph", 5}});

/// Commands whose first arguments are no words of the text.
struct Passed {
  std::string_view command;
  int arguments;
};
constexpr auto passed = std::to_array<Passed>({
    {"footnote", 1},
    {"footnotetext", 1},
    {"footnotemark", 0},
    {"thanks", 1},
    {"ref", 1},
    {"cref", 1},
    {"Cref", 1},
    {"eqref", 1},
    {"autoref", 1},
    {"pageref", 1},
    {"nameref", 1},
    {"vref", 1},
    {"crefrange", 2},
    {"Crefrange", 2},
    {"label", 1},
    {"url", 1},
    {"href", 1},
    {"hyperref", 0},
    {"includegraphics", 1},
    {"bibliography", 1},
    {"documentclass", 1},
    {"title", 1},
    {"author", 1},
    {"date", 1},
    {"hspace", 1},
    {"vspace", 1},
    {"setlength", 2},
    {"addtolength", 2},
    {"setcounter", 2},
    {"addtocounter", 2},
    {"newcounter", 1},
    {"newlength", 1},
    {"theoremstyle", 1},
    {"thispagestyle", 1},
    {"pagestyle", 1},
    {"hypersetup", 1},
    {"graphicspath", 1},
    {"color", 1},
    {"textcolor", 1},
    {"colorbox", 1},
    {"definecolor", 3},
    {"crefname", 3},
    {"Crefname", 3},
    {"numberwithin", 2},
    {"index", 1},
    {"todo", 1},
    {"marginpar", 1},
    {"addcontentsline", 3},
    {"markboth", 2},
    {"geometry", 1},
    {"bibliographystyle", 1},
    {"affil", 1},
    {"email", 1},
    {"address", 1},
    {"institute", 1},
    {"raisebox", 1},
    {"scalebox", 1},
    {"resizebox", 2},
    {"rule", 2},
    {"fontsize", 2},
    {"lstset", 1},
    {"lstinline", 1},
    {"mintinline", 2},
    {"tikz", 1},
    {"usetikzlibrary", 1},
    {"allowdisplaybreaks", 0},
    {"phantom", 1},
    {"input", 1},
    {"newtheorem", 2},
    {"nocite", 1},
    {"phantomsection", 0},
    {"selectlanguage", 1},
    {"foreignlanguage", 1},
    {"hyphenation", 1},
    {"captionsetup", 1},
    {"renewbibmacro", 2},
    {"parbox", 1},
    {"linespread", 1},
    {"enlargethispage", 1},
    {"addbibresource", 1},
});

/// Environments of text with arguments in braces.
constexpr auto environments_with_argument = std::to_array<std::string_view>(
    {"minipage", "multicols", "adjustbox", "algorithmic", "list", "tcolorbox"});

class LatexReader {
 public:
  LatexReader(Expander& expander, Notes& notes, Segments& segments)
      : expander_(expander), notes_(notes), segments_(segments) {}

  void preamble();
  void body();

 private:
  void define_in_preamble(Token token);
  void packages(const Token& token);
  void take(const Token& token);
  void command(const Token& token);
  void begin(const Token& token);
  void end(const Token& token);
  void formula(Opening opening);
  void heading(const Token& token, int level);
  void theorem(const Token& token);
  void pass_arguments(const Token& token, int count);
  void pass_environment(const Token& token);
  void unclosed();
  std::optional<Tokens> expanded_group();

  Expander& expander_;
  Notes& notes_;
  Segments& segments_;
  bool is_over_ = false;
};

// Nothing is expanded here but what defines something: a preamble is full of code that only TeX
// itself can follow.
void LatexReader::preamble() {
  TokenStream& stream = expander_.stream();
  while (std::optional<Token> token = stream.next()) {
    segments_.settle();
    if (token->kind != TokenKind::command) continue;
    const Span span = token->span;
    try {
      if (token->text == "begin" && spelled(stream.argument(*token)) == "document") {
        expander_.open_group({Group::Kind::environment, "document", span});
        return;
      }
      define_in_preamble(std::move(*token));
    } catch (const Error& error) {
      notes_.problem(error.at(span));
    } catch (const Overflow& overflow) {
      notes_.problem(overflow.error);
      stream.drop_inserted();
      if (expander_.is_exhausted()) return stream.close();
    }
  }
}

void LatexReader::define_in_preamble(Token token) {
  if (const MacroPointer macro = expander_.macro(token.text)) {
    const auto defines = [](const Token& one) {
      return one.kind == TokenKind::command && is_definition(one.text);
    };
    if (macro->alias.empty()) {
      if (std::ranges::any_of(macro->body, defines)) expander_.expand(*macro, token);
      return;
    }
    token.text = macro->alias;
  }
  if (token.text == "usepackage" || token.text == "RequirePackage") return packages(token);
  expander_.define(token);
}

void LatexReader::packages(const Token& token) {
  expander_.stream().optional_argument(token);
  std::string names = spelled(expander_.stream().argument(token));
  std::erase(names, ' ');
  // The last package is opened first, so that the first is read first.
  while (!names.empty()) {
    const std::size_t comma = names.rfind(',');
    expander_.use_package(names.substr(comma == std::string::npos ? 0 : comma + 1));
    names.resize(comma == std::string::npos ? 0 : comma);
  }
}

void LatexReader::body() {
  while (!is_over_) {
    try {
      std::optional<Token> token = expander_.next();
      segments_.settle();
      if (!token) break;
      take(*token);
    } catch (const Error& error) {
      notes_.problem(error);
    } catch (const Overflow& overflow) {
      notes_.problem(overflow.error);
      expander_.stream().drop_inserted();
      // So that what follows is read as if the nest had ended.
      const bool has_document =
          !expander_.groups().empty() && expander_.groups()[0].name == "document";
      if (overflow.error.code().name == "syntax") expander_.unwind(has_document ? 1 : 0);
    }
  }
  unclosed();
  expander_.unwind(0);
  segments_.settle();
}

void LatexReader::unclosed() {
  if (is_over_ || expander_.is_exhausted() || expander_.groups().empty()) return;
  const Group& group = expander_.groups().back();
  const bool is_brace = group.kind == Group::Kind::brace;
  if (group.name == "document") {
    notes_.problem(Error(code("syntax"), "the document has no \\end{document}", "add it at the end",
                         group.span));
    return;
  }
  notes_.problem(Error(
      code("syntax"),
      fmt::format("this `{}` is not closed", is_brace ? "{" : "\\begin{" + shown(group.name) + "}"),
      "close it, or remove it", group.span));
}

void LatexReader::take(const Token& token) {
  switch (token.kind) {
    case TokenKind::dollar: return formula({token.text, token.span, token.text == "$$"});
    case TokenKind::begin: return begin(token);
    case TokenKind::end: return end(token);
    case TokenKind::command: return command(token);
    default: add_word(segments_.words(), token);
  }
}

void LatexReader::formula(Opening opening) {
  if (const std::optional<Formula> formula = read_math(expander_, notes_, std::move(opening))) {
    segments_.add(segments_of(*formula));
  }
}

void LatexReader::begin(const Token& token) {
  const std::string& name = token.text;
  if (is_math_environment(name)) {
    if (unstarred(name).ends_with("alignat") || name == "IEEEeqnarray") {
      expander_.stream().argument(token);
    }
    return formula({name, token.span, name != "math"});
  }
  if (is_passed_over(name)) return pass_environment(token);
  if (name == "document" || name == "subequations") return;
  expander_.stream().optional_argument(token);
  if (is_one_of(name, environments_with_argument)) expander_.stream().argument(token);
  segments_.add(Environment{name, true, token.span});
}

void LatexReader::end(const Token& token) {
  if (token.text == "document") {
    is_over_ = true;
    expander_.stream().close();
  } else if (token.text != "subequations") {
    segments_.add(Environment{token.text, false, token.span});
  }
}

void LatexReader::pass_environment(const Token& token) {
  TokenStream& stream = expander_.stream();
  std::size_t depth = 0;
  while (std::optional<Token> next = stream.next()) {
    if (next->kind != TokenKind::command) continue;
    const auto level = std::ranges::find(levels, next->text, &Level::command);
    if (level != levels.end()) {
      stream.insert({std::move(*next)});
      break;
    }
    if (next->text != "begin" && next->text != "end") continue;
    const std::string name = spelled(stream.argument(*next));
    if (name != token.text) continue;
    if (next->text == "begin") ++depth;
    if (next->text == "end" && depth-- == 0) return expander_.unwind(expander_.groups().size() - 1);
  }
  expander_.unwind(expander_.groups().size() - 1);
  throw Error(code("syntax"), fmt::format("`\\begin{{{}}}` is not closed", shown(token.text)),
              fmt::format("add \\end{{{}}}", shown(token.text)), token.span);
}

void LatexReader::pass_arguments(const Token& token, int count) {
  TokenStream& stream = expander_.stream();
  stream.star();
  while (stream.optional_argument(token)) {
  }
  for (int i = 0; i < count; ++i) stream.argument(token);
}

/// A group with its macros expanded, without its braces; nothing if no group follows.
std::optional<Tokens> LatexReader::expanded_group() {
  const std::size_t level = expander_.groups().size();
  expander_.stream().pass_spaces();
  std::optional<Token> token = expander_.next();
  if (!token) return {};
  if (token->kind != TokenKind::open) {
    expander_.unread(std::move(*token));
    return {};
  }
  Tokens tokens;
  while ((token = expander_.next())) {
    if (expander_.groups().size() <= level) {
      if (token->kind != TokenKind::close) expander_.unread(std::move(*token));
      return tokens;
    }
    if (token->kind == TokenKind::command && token->text == "par") {
      // A title is a line; if it goes on, its brace is missing.
      notes_.problem(Error(code("syntax"), "this title is not closed before the paragraph ends",
                           "close its brace", expander_.groups()[level].span));
      expander_.unwind(level);
      return tokens;
    }
    tokens.push_back(std::move(*token));
  }
  return tokens;
}

void LatexReader::heading(const Token& token, int level) {
  expander_.stream().star();
  expander_.stream().optional_argument(token);
  const std::optional<Tokens> title = expanded_group();
  if (!title) return;
  segments_.add(Heading{level, plain(*title), token.span});
}

// \newtheorem*{name}[counter]{Title}[within]
void LatexReader::theorem(const Token& token) {
  TokenStream& stream = expander_.stream();
  stream.star();
  stream.argument(token);
  stream.optional_argument(token);
  stream.argument(token);
  stream.optional_argument(token);
}

void LatexReader::command(const Token& token) {
  const std::string& name = token.text;
  TokenStream& stream = expander_.stream();
  if (name == "(" || name == "[") return formula({"\\" + name, token.span, name == "["});
  if (name == ")" || name == "]") {
    throw Error(
        code("syntax"), fmt::format("this `\\{}` closes nothing", name),
        fmt::format("remove it, or add the `\\{}` that it belongs to", name == ")" ? "(" : "["),
        token.span);
  }
  const auto* const level = std::ranges::find(levels, name, &Level::command);
  if (level != levels.end()) return heading(token, level->level);
  if (name == "ensuremath") {
    Tokens tokens = {{TokenKind::dollar, "$", token.span}};
    std::ranges::move(stream.argument(token), std::back_inserter(tokens));
    tokens.push_back({TokenKind::dollar, "$", token.span});
    return stream.insert(std::move(tokens));
  }
  if (name == "texttt") {
    for (const Token& one : stream.argument(token)) add_word(segments_.words(), one);
    return;
  }
  if (name == "item") {
    stream.optional_argument(token);
    return segments_.words().paragraph();
  }
  if (name == "newtheorem") return theorem(token);
  if (name == "usepackage") return packages(token);
  if (name.starts_with("cite") || name.starts_with("Cite")) return pass_arguments(token, 1);
  const auto* const rule = std::ranges::find(passed, name, &Passed::command);
  if (rule != passed.end()) return pass_arguments(token, rule->arguments);
  add_word(segments_.words(), token);
}

}  // namespace

void read_latex(Expander& expander, Notes& notes, Segments& segments, bool has_preamble) {
  LatexReader reader(expander, notes, segments);
  if (has_preamble) reader.preamble();
  reader.body();
}

}  // namespace axial::tex
