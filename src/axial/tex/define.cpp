// The commands that define commands.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "axial/base/text.hpp"
#include "axial/tex/expand.hpp"
#include "axial/tex/words.hpp"

namespace axial::tex {
namespace {

Token command(std::string name, Span span) { return {TokenKind::command, std::move(name), span}; }

/// \name{body}, as a macro's body.
Tokens applied(std::string name, Tokens body, Span span) {
  Tokens tokens = {command(std::move(name), span), {TokenKind::open, "{", span}};
  std::ranges::move(body, std::back_inserter(tokens));
  tokens.push_back({TokenKind::close, "}", span});
  return tokens;
}

/// The number of parameters that [n] says.
std::size_t count_of(const std::optional<Tokens>& tokens, const Token& definition) {
  if (!tokens) return 0;
  const std::string text = spelled(*tokens);
  const std::size_t digit = std::min(text.find_first_not_of(' '), text.size());
  if (digit == text.size() || text[digit] < '0' || text[digit] > '9' ||
      text.find_first_not_of(' ', digit + 1) != std::string::npos) {
    throw Error(code("syntax"),
                fmt::format("the number of parameters is 0 to 9, not `{}`", shown(text)),
                "write \\newcommand{\\name}[2]{...}", definition.span);
  }
  return static_cast<std::size_t>(text[digit] - '0');
}

}  // namespace

void Expander::set(const std::string& name, Macro macro, bool is_global) {
  if (is_protected(name)) return;
  macros_.define(name, std::make_shared<const Macro>(std::move(macro)), is_global);
}

// Where nothing is expanded, prefixes like \global may stand before the definition; they are
// remembered until it comes.
bool Expander::define(const Token& token) {
  const std::string& name = token.text;
  if (token.kind != TokenKind::command || !is_definition(name)) return false;
  if (name == "long" || name == "protected") return true;
  if (name == "global") {
    next_is_global_ = true;
    return true;
  }
  const bool is_global = std::exchange(next_is_global_, false) || name == "gdef" || name == "xdef";
  if (name.ends_with("def") && name != "ndef") {
    define_plain(token, is_global);
  } else if (name == "let") {
    define_alias(token, is_global);
  } else if (name == "ndef") {
    define_axis(token);
  } else if (name == "DeclareMathOperator") {
    define_operator(token);
  } else if (name == "DeclarePairedDelimiter") {
    define_delimiters(token);
  } else if (name.ends_with("DocumentCommand")) {
    define_document_command(token);
  } else if (name.ends_with("environment")) {
    define_environment(token);
  } else if (name.ends_with("commandx")) {
    pass_definition(token);
  } else if (name == "iffalse") {
    pass_conditional();
  } else if (name == "input" || name == "include" || name == "subfile") {
    input(token);
  } else {
    define_command(token);
  }
  return true;
}

// The command that a definition is about, with or without braces.
std::string Expander::defined_name(const Token& token) {
  Tokens tokens = stream_.argument(token);
  std::erase_if(tokens, [](const Token& one) { return one.kind == TokenKind::space; });
  if (tokens.size() != 1 || tokens[0].kind != TokenKind::command) {
    throw Error(code("syntax"),
                fmt::format("`\\{}` defines a command, but `{}` is none", shown(token.text),
                            shown(spelled(tokens))),
                fmt::format("write \\{}{{\\name}}{{...}}", shown(token.text)), token.span);
  }
  return tokens[0].text;
}

// \newcommand{\name}[2][default]{body}
void Expander::define_command(const Token& token) {
  stream_.star();
  const std::string name = defined_name(token);
  Macro macro;
  macro.delimiters.resize(1 + count_of(stream_.optional_argument(token), token));
  if (macro.arity() > 0) macro.fallback = stream_.optional_argument(token);
  macro.body = stream_.argument(token);
  if (token.text == "providecommand" && macros_.find(name)) return;
  set(name, std::move(macro), false);
}

// \def\name#1 and #2.{body}: what stands between the parameters delimits them.
void Expander::define_plain(const Token& token, bool is_global) {
  std::optional<Token> name = stream_.next();
  while (name && name->kind == TokenKind::space) name = stream_.next();
  if (!name || name->kind != TokenKind::command) {
    throw Error(code("syntax"), fmt::format("`\\{}` is not followed by a command", token.text),
                "write \\def\\name{...}", token.span);
  }
  Macro macro;
  while (std::optional<Token> part = stream_.next()) {
    if (part->kind == TokenKind::open) {
      stream_.insert({std::move(*part)});
      macro.body = stream_.argument(token);
      return set(name->text, std::move(macro), is_global);
    }
    if (part->kind == TokenKind::command && part->text == "par") break;
    if (part->kind == TokenKind::parameter && macro.arity() < 9) {
      macro.delimiters.emplace_back();
    } else {
      macro.delimiters.back().push_back(std::move(*part));
    }
  }
  throw Error(code("syntax"),
              fmt::format("the definition of `\\{}` has no body", shown(name->text)),
              "write \\def\\name{...}", token.span);
}

// \let\a\b or \let\a=\b
void Expander::define_alias(const Token& token, bool is_global) {
  const std::string name = defined_name(token);
  stream_.pass_spaces();
  std::optional<Token> meaning = stream_.next();
  if (meaning && meaning->text == "=" && meaning->kind == TokenKind::character) {
    stream_.pass_spaces();
    meaning = stream_.next();
  }
  if (!meaning || is_protected(name)) return;
  if (meaning->kind != TokenKind::command) {
    set(name, {.delimiters = {{}}, .fallback = {}, .body = {*meaning}, .alias = {}}, is_global);
  } else if (meaning->text == "undefined") {
    macros_.define(name, nullptr, is_global);
  } else if (const MacroPointer macro = macros_.find(meaning->text)) {
    macros_.define(name, macro, is_global);
  } else if (meaning->text != name) {
    set(name, {.delimiters = {{}}, .fallback = {}, .body = {}, .alias = meaning->text}, is_global);
  }
}

// \ndef{\ax}{ax}: \ax is \name{ax}.
void Expander::define_axis(const Token& token) {
  const std::string name = defined_name(token);
  Macro macro;
  macro.body = applied("name", stream_.argument(token), token.span);
  set(name, std::move(macro), false);
}

// \DeclareMathOperator*{\argmax}{arg\,max}
void Expander::define_operator(const Token& token) {
  stream_.star();
  const std::string name = defined_name(token);
  Macro macro;
  macro.body = applied("operatorname", stream_.argument(token), token.span);
  set(name, std::move(macro), false);
}

// \DeclarePairedDelimiter{\abs}{\lvert}{\rvert}
void Expander::define_delimiters(const Token& token) {
  const std::string name = defined_name(token);
  Macro macro;
  macro.delimiters.resize(2);
  macro.has_sizes = true;
  macro.body = stream_.argument(token);
  macro.body.push_back({TokenKind::parameter, "1", token.span});
  std::ranges::move(stream_.argument(token), std::back_inserter(macro.body));
  set(name, std::move(macro), false);
}

// \NewDocumentCommand{\name}{O{default} m m}{body}, as far as \newcommand could do it.
void Expander::define_document_command(const Token& token) {
  const std::string name = defined_name(token);
  const Tokens signature = stream_.argument(token);
  Macro macro;
  for (std::size_t i = 0; i < signature.size(); ++i) {
    const std::string& kind = signature[i].text;
    if (signature[i].kind != TokenKind::character) continue;
    if (kind == "m" || kind == "O" || kind == "o") macro.delimiters.emplace_back();
    if (kind == "m" || macro.arity() != 1) continue;
    macro.fallback.emplace();
    for (i += 2; kind == "O" && i < signature.size(); ++i) {
      if (signature[i].kind == TokenKind::close) break;
      macro.fallback->push_back(signature[i]);
    }
  }
  macro.body = stream_.argument(token);
  set(name, std::move(macro), false);
}

// \newenvironment{name}[1][default]{begin}{end}
void Expander::define_environment(const Token& token) {
  stream_.star();
  const std::string name = spelled(stream_.argument(token));
  Macro begin;
  begin.delimiters.resize(1 + count_of(stream_.optional_argument(token), token));
  if (begin.arity() > 0) begin.fallback = stream_.optional_argument(token);
  begin.body = stream_.argument(token);
  Macro end;
  end.body = stream_.argument(token);
  set("begin " + name, std::move(begin), false);
  set("end " + name, std::move(end), false);
}

// \newcommandx has options that we do not know; its arguments must not be taken for text.
void Expander::pass_definition(const Token& token) {
  stream_.star();
  stream_.argument(token);
  while (stream_.optional_argument(token)) {
  }
  stream_.argument(token);
}

// \iffalse ... \fi is how people put text aside.
void Expander::pass_conditional() {
  std::size_t depth = 0;
  while (std::optional<Token> token = stream_.next()) {
    if (token->kind != TokenKind::command) continue;
    if ((token->text == "fi" || token->text == "else") && depth == 0) return;
    if (token->text == "fi") --depth;
    if (token->text.starts_with("if") && token->text != "iff" && token->text != "ifthenelse") {
      ++depth;
    }
  }
}

}  // namespace axial::tex
