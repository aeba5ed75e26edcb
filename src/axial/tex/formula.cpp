#include "axial/tex/formula.hpp"

#include <fmt/format.h>

#include <utility>

#include "axial/base/text.hpp"
#include "axial/tex/words.hpp"

namespace axial::tex {
namespace {

std::string closing_of(const Opening& opening) {
  if (opening.name == "\\(") return "\\)";
  if (opening.name == "\\[") return "\\]";
  if (opening.name.starts_with('$')) return opening.name;
  return "\\end{" + shown(opening.name) + "}";
}

std::string written(const Opening& opening) {
  const bool is_environment = is_math_environment(opening.name);
  return is_environment ? "\\begin{" + shown(opening.name) + "}" : opening.name;
}

/// One formula being read.
class FormulaReader {
 public:
  FormulaReader(Expander& expander, Notes& notes, Opening opening)
      : expander_(expander), notes_(notes), opening_(std::move(opening)) {}

  std::optional<Formula> read();

 private:
  enum class Step { more, closed, broken };
  Step take(Token token);
  Step take_dollar(Token token);
  Step take_command(Token token);
  Step take_begin(Token token);
  Step closed(const Token& token);
  Step ends_early(Token token, std::string_view where);
  void pass_the_rest();
  bool is_end(const Token& token);
  void problem(std::string message, std::string hint, Span span) {
    notes_.problem(Error(code("syntax"), std::move(message), std::move(hint), span));
  }
  bool in_text() const { return expander_.groups().back().text_depth > 0; }
  bool is_environment() const { return is_math_environment(opening_.name); }

  Expander& expander_;
  Notes& notes_;
  Opening opening_;
  /// How many groups are open just inside of the formula.
  std::size_t level_ = 0;
  Tokens tokens_;
  Span end_;
};

std::optional<Formula> FormulaReader::read() {
  const std::size_t problems = notes_.problems();
  end_ = opening_.span;
  Step step = Step::more;
  try {
    if (!is_environment()) {
      level_ = expander_.groups().size() + 1;
      expander_.open_group({Group::Kind::math, opening_.name, opening_.span});
    }
    level_ = expander_.groups().size();
    expander_.start_formula();
    while (step == Step::more) {
      std::optional<Token> token = expander_.next();
      if (!token && opening_.name.empty()) {
        step = closed({TokenKind::space, "", opening_.span});
      } else if (!token) {
        step = ends_early({TokenKind::space, "", opening_.span}, "the text ends");
      } else {
        step = take(std::move(*token));
      }
    }
  } catch (const Overflow& overflow) {
    notes_.problem(overflow.error);
    pass_the_rest();
    expander_.unwind(level_ - 1);
  }
  expander_.end_formula();
  if (step != Step::closed || notes_.problems() != problems) return {};
  return Formula{opening_, std::move(tokens_), {opening_.span.begin, end_.end}};
}

FormulaReader::Step FormulaReader::take(Token token) {
  if (expander_.groups().size() < level_) {
    // Some \end closed us: our own, or that of an environment around us, which is a problem that
    // has been noted.
    end_ = token.span;
    if (token.text == opening_.name) return Step::closed;
    expander_.unread(std::move(token));
    return Step::broken;
  }
  switch (token.kind) {
    case TokenKind::dollar: return take_dollar(std::move(token));
    case TokenKind::command: return take_command(std::move(token));
    case TokenKind::begin: return take_begin(std::move(token));
    default: tokens_.push_back(std::move(token)); return Step::more;
  }
}

FormulaReader::Step FormulaReader::take_dollar(Token token) {
  if (in_text()) {
    tokens_.push_back(std::move(token));
    return Step::more;
  }
  if (opening_.name == token.text) return closed(token);
  if (opening_.name == "$") {
    // $a$$b$ are two formulas.
    const std::size_t middle = token.span.end - 1;
    const Step step = closed({TokenKind::dollar, "$", {token.span.begin, middle}});
    expander_.unread({TokenKind::dollar, "$", {middle, token.span.end}});
    return step;
  }
  problem(
      fmt::format("there is a `{}` in a formula that `{}` opened", token.text, written(opening_)),
      opening_.name == "$$" ? "close it with $$" : "remove it, or use \\text{}", token.span);
  return opening_.name == "$$" ? closed(token) : Step::more;
}

FormulaReader::Step FormulaReader::take_command(Token token) {
  const std::string& name = token.text;
  if (name == "(" || name == ")" || name == "[" || name == "]") {
    if (in_text()) {
      tokens_.push_back({TokenKind::dollar, "$", token.span});
      return Step::more;
    }
    if (closing_of(opening_) == "\\" + name) return closed(token);
    problem(fmt::format("there is a `\\{}` in a formula that `{}` opened", name, written(opening_)),
            "remove it, or close the formula before it", token.span);
    return Step::more;
  }
  if (name == "par") {
    if (!is_environment() && !opening_.name.empty()) {
      return ends_early(std::move(token), "the paragraph ends");
    }
    token.kind = TokenKind::space;
  } else if (is_structural(name) && !in_text()) {
    const std::string where = "`\\" + name + "`";
    return ends_early(std::move(token), where);
  }
  tokens_.push_back(std::move(token));
  return Step::more;
}

FormulaReader::Step FormulaReader::take_begin(Token token) {
  const bool is_display = is_math_environment(token.text);
  if ((is_display && is_environment() && !in_text()) || is_textual_environment(token.text)) {
    const std::string where = "`\\begin{" + shown(token.text) + "}`";
    return ends_early(std::move(token), where);
  }
  tokens_.push_back(std::move(token));
  return Step::more;
}

FormulaReader::Step FormulaReader::closed(const Token& token) {
  end_ = token.span;
  if (expander_.groups().size() > level_) {
    const Group& open = expander_.groups()[level_];
    problem(fmt::format("this `{}` is not closed before the formula ends",
                        open.kind == Group::Kind::environment ? "\\begin{" + shown(open.name) + "}"
                                                              : open.name),
            "close it, or remove it", open.span);
  }
  expander_.unwind(level_ - 1);
  return Step::closed;
}

// The formula is given up before `token`, which is read again as part of the text.
FormulaReader::Step FormulaReader::ends_early(Token token, std::string_view where) {
  if (!expander_.is_exhausted()) {
    problem(fmt::format("the formula that `{}` opens is not closed before {}", written(opening_),
                        where),
            fmt::format("close it with {}", closing_of(opening_)), opening_.span);
  }
  expander_.unwind(level_ - 1);
  if (token.kind == TokenKind::begin) {
    expander_.open_group({Group::Kind::environment, token.text, token.span});
  }
  if (token.kind != TokenKind::space) expander_.unread(std::move(token));
  return Step::broken;
}

bool FormulaReader::is_end(const Token& token) {
  if (token.kind == TokenKind::dollar) return opening_.name == token.text;
  if (token.kind != TokenKind::command) return false;
  if (token.text != "end") return "\\" + token.text == closing_of(opening_);
  try {
    return spelled(expander_.stream().argument(token)) == opening_.name;
  } catch (const Error&) {
    return false;
  }
}

// After an overflow nothing is expanded up to the end of the formula or what looks like it.
void FormulaReader::pass_the_rest() {
  TokenStream& stream = expander_.stream();
  stream.drop_inserted();
  while (std::optional<Token> token = stream.next()) {
    if (is_end(*token)) return;
    if (token->kind != TokenKind::command) continue;
    if (token->text == "par" || is_structural(token->text)) {
      stream.insert({std::move(*token)});
      return;
    }
  }
}

}  // namespace

std::optional<Formula> read_math(Expander& expander, Notes& notes, Opening opening) {
  return FormulaReader(expander, notes, std::move(opening)).read();
}

}  // namespace axial::tex
