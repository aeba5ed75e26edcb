// Statements: declarations, signatures, equations and ranges.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "axial/notation/lexer.hpp"
#include "axial/notation/parser.hpp"

namespace axial::notation {
namespace {

// How far ahead a statement is looked through, so that long lines take linear time.
constexpr std::size_t longest_statement = 2000;

constexpr auto relations = std::to_array<std::string_view>(
    {"=", ":=", "≈", "≡", "∝", "~", "<", ">", "≤", "≥", "≠", "⊆", "⊇", "⇔", "⇒"});

}  // namespace

bool is_relation(const Token& token) {
  return token.kind == TokenKind::symbol &&
         std::ranges::find(relations, token.text) != relations.end();
}

bool Parser::at_relation() const { return is_relation(peek()); }

/// True if `wanted` comes in this statement outside of brackets, and `before` does not come first.
bool Parser::statement_has(std::string_view wanted, std::string_view before) const {
  int open = 0;
  for (std::size_t ahead = 0; ahead < longest_statement; ++ahead) {
    const Token& token = peek(ahead);
    const bool ends = token.kind == TokenKind::end || token.kind == TokenKind::newline ||
                      token.kind == TokenKind::word || token.kind == TokenKind::gap;
    if (ends) return false;
    if (token.kind != TokenKind::symbol) continue;
    if (open <= 0 && token.text == wanted) return true;
    if (open <= 0 && !before.empty() && token.text == before) return false;
    const bool opens = token.text == "(" || token.text == "[" || token.text == "{";
    const bool closes = token.text == ")" || token.text == "]" || token.text == "}";
    open += opens ? 1 : closes ? -1 : 0;
  }
  return false;
}

std::string Parser::separators() {
  std::string prose;
  for (;; take()) {
    if (peek().kind == TokenKind::word) {
      prose += (prose.empty() ? "" : " ") + peek().text;
    } else if (peek().kind != TokenKind::gap && !at_symbol(",") && !at_symbol(";") &&
               !at_symbol(".")) {
      return prose;
    }
  }
}

Statement Parser::statement() {
  // A declaration in parentheses, beside an equation.
  if (at_symbol("(") && !statement_has("∈") && !statement_has("=")) {
    const std::size_t start = next_;
    take();
    if (statement_has("∈") && !statement_has("=", "∈")) {
      Declaration inner = declaration();
      expect(")");
      return inner;
    }
    next_ = start;
  }
  const bool has_colon = statement_has(":", "=");
  if (has_colon && statement_has("→")) return signature();
  if (has_colon || (statement_has("∈") && !statement_has("=", "∈"))) return declaration();
  if (statement_has("…") && statement_has("=", "…") && !at_relation() && peek(1).text == "=") {
    return range();
  }
  return equation();
}

/// f_{ax} : R[ax] × R → R
Signature Parser::signature() {
  const std::size_t begin = peek().span.begin;
  const Span head_span = peek().span;
  Tree head = heading();
  expect(":");
  Signature result{head.text, head.axes, {}, {}, head_span, std::move(head)};
  if (!at_symbol("→")) {
    result.parameters.push_back(domain());
    while (at_times()) {
      take();
      result.parameters.push_back(domain());
    }
  }
  expect("→");
  result.result = domain();
  result.span = since(begin);
  return result;
}

/// The left side of a signature: a function with what stands below and above, or an operator on
/// holes. In plain text an axis under a name that is not known yet is part of its spelling.
Tree Parser::heading() {
  const bool is_name = peek().kind == TokenKind::name &&
                       (at_symbol(":", 1) || at_symbol("_", 1) || at_symbol("^", 1));
  if (!is_name) return product();
  Tree head{Form::apply, peek().span, peek().text, {}, {}};
  const std::size_t split = has_axis_font_ ? std::string::npos : head.text.rfind('_');
  if (split != std::string::npos && split > 0) head.text.resize(split);
  const std::size_t start = next_;
  read_scripts(head);
  if (!at_symbol(":")) {
    next_ = start;
    return product();
  }
  head.span = since(head.span.begin);
  return head;
}

/// × between sets, which plain text may write as x.
bool Parser::at_times() const {
  return at_symbol("×") || (peek().kind == TokenKind::name && peek().text == "x");
}

Declaration Parser::declaration() {
  const std::size_t begin = peek().span.begin;
  Declaration result;
  do result.names.push_back(product());
  while (symbol(","));
  if (!symbol(":")) expect("∈");
  do result.domains.push_back(domain());
  while (symbol("="));
  result.span = since(begin);
  return result;
}

/// t = 1, …, n
Range Parser::range() {
  const std::size_t begin = peek().span.begin;
  Range result{postfixed(primary()), {}, {}};
  expect("=");
  do {
    if (at_end() || peek().kind == TokenKind::word) break;
    result.values.push_back(sum());
  } while (symbol(","));
  result.span = since(begin);
  return result;
}

Equation Parser::equation() {
  const std::size_t begin = peek().span.begin;
  Equation result;
  result.continued = at_relation();
  if (!result.continued) result.sides.push_back(sum());
  while (at_relation()) {
    const Token& token = take();
    result.relations.push_back({token.text, token.note, token.span});
    result.sides.push_back(sum());
  }
  if (symbol("∈")) result.domain = domain();
  result.span = since(begin);
  return result;
}

/// R[seq, key], ℝ^{seq × key}, [n]^{seq}, {0, 1}
Domain Parser::domain() {
  const std::size_t begin = peek().span.begin;
  Domain result;
  if (symbol("[")) {
    result.elements = Domain::Elements::indices;
    result.values.push_back(sum());
    expect("]");
  } else if (symbol("{")) {
    result.elements = Domain::Elements::listed;
    do result.values.push_back(sum());
    while (symbol(","));
    expect("}");
  } else {
    const Token set = peek();
    const std::string text = name();
    const bool is_reals = set.note == "set" || (!has_axis_font_ && set.note != "italic");
    if (text != "R" || !is_reals) {
      if (!at_symbol("^")) {
        throw Error(code("syntax"), "a set of tensors such as R[ax] is expected here", {},
                    set.span);
      }
      result.elements = Domain::Elements::unknown;
    }
  }
  domain_shape(result);
  result.span = since(begin);
  return result;
}

void Parser::domain_shape(Domain& domain) {
  if (symbol("∅")) return;
  std::string_view close;
  if (symbol("^")) {
    close = symbol("{") ? "}" : "";
  } else if (at_symbol("[") && !has_axis_font_) {
    take();
    close = "]";
  } else {
    return;
  }
  int groups = 0;
  while (symbol("(")) ++groups;
  const auto read_term = [&] {
    if (symbol("∅")) return;
    const Token token = peek();
    // LaTeX sets names of axes in their own font; plain letters are sizes of ordered axes.
    if (token.kind == TokenKind::number || token.note == "italic") {
      throw Error(code("syntax"), "the axes of this set have sizes but no names",
                  "name each axis: R^{height[3] × width[3]}", token.span);
    }
    domain.axes.push_back(axis_term());
  };
  read_term();
  if (close.empty()) return;
  while (symbol(",") || symbol("×") || symbol("∪")) read_term();
  while (groups-- > 0) expect(")");
  expect(close);
}

std::vector<Remarked> parse_line(Tokens tokens, const IsFunction& is_function) {
  Parser parser(std::move(tokens), is_function);
  std::vector<Remarked> all;
  std::string before = parser.separators();
  while (!parser.at_end()) {
    // Prose behind a statement may go on with formulas that only explain it.
    const bool explains = !all.empty() && !all.back().remark.empty();
    try {
      all.push_back({parser.statement(), {}});
    } catch (const Error&) {
      if (!explains) throw;
      break;
    }
    const std::size_t at = parser.peek().span.begin;
    const bool separated = parser.peek().kind == TokenKind::word ||
                           parser.peek().kind == TokenKind::gap || parser.at_symbol(",") ||
                           parser.at_symbol(".") || parser.at_symbol(";") || parser.at_end();
    if (!separated) parser.fail("the formula should end here");
    all.back().remark = parser.separators();
    if (parser.peek().span.begin < at) break;
  }
  return all;
}

std::optional<Definition> as_definition(const Equation& equation) {
  if (equation.sides.size() < 2 || equation.continued) return std::nullopt;
  const std::string& relation = equation.relations[0].text;
  if (relation != "=" && relation != ":=") return std::nullopt;
  const Tree& head = equation.sides[0];
  if (head.form != Form::name && head.form != Form::apply) return std::nullopt;
  Definition result{head.text, head.axes, {}, equation.sides[1], {}, relation == ":=", head.span};
  for (const Tree& child : head.children) {
    const bool is_name = child.form == Form::name && child.sub.empty() && child.super.empty();
    if (!is_name || std::ranges::find(result.parameters, child.text) != result.parameters.end())
      return std::nullopt;
    result.parameters.push_back(child.text);
  }
  return result;
}

Statements parse_statements(std::string_view source, const IsFunction& is_function) {
  Parser parser(tokenize(source), is_function);
  Statements result;
  for (parser.skip_lines(); !parser.at_end(); parser.skip_lines()) {
    const bool local = parser.peek().kind == TokenKind::indent;
    if (local) parser.take();
    const Span start = parser.peek().span;
    Statement statement = parser.statement();
    if (parser.peek().kind != TokenKind::newline && !parser.at_end()) {
      parser.fail("the definition should end here");
    }
    if (auto* signature = std::get_if<Signature>(&statement)) {
      parser.declare_function(signature->name);
      result.signatures.push_back(std::move(*signature));
      continue;
    }
    const auto* equation = std::get_if<Equation>(&statement);
    auto definition = equation == nullptr ? std::nullopt : as_definition(*equation);
    if (!definition) throw Error(code("syntax"), "a definition is expected here", {}, start);
    if (!local) {
      result.definitions.push_back(std::move(*definition));
    } else if (result.definitions.empty()) {
      throw Error(code("syntax"), "a local definition needs a definition above it", {}, start);
    } else {
      result.definitions.back().locals.push_back(std::move(*definition));
    }
  }
  return result;
}

}  // namespace axial::notation
