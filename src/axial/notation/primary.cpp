// Functions and what they are applied to: names, numbers, brackets.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "axial/notation/parser.hpp"
#include "axial/vocabulary/elementwise.hpp"

namespace axial::notation {

/// The function that opens `text`, as the longest part before an underscore that is one.
std::string_view Parser::function_part(std::string_view text) const {
  for (std::size_t end = text.size(); end != std::string_view::npos && end > 0;
       end = text.rfind('_', end - 1)) {
    if (is_function(text.substr(0, end))) return text.substr(0, end);
  }
  return {};
}

/// The function that the token names; an upright word before a parenthesis is one as well.
std::string_view Parser::function_at(std::size_t ahead) const {
  const Token& token = peek(ahead);
  if (token.kind != TokenKind::name) return {};
  const std::string_view known = function_part(token.text);
  if (token.note == "function") return token.text;
  // A letter is a function only where it is applied to something in parentheses.
  const bool is_letter = token.note == "italic";
  if (!is_letter && (!known.empty() || token.note != "word")) return known;
  if (is_letter && known.empty()) return {};
  std::size_t after = ahead + 1;
  while (at_symbol("^", after) || at_symbol("_", after)) {
    int open = 0;
    for (++after; peek(after).kind != TokenKind::end; ++after) {
      open += at_symbol("{", after) ? 1 : at_symbol("}", after) ? -1 : 0;
      if (open == 0) break;
    }
    ++after;
  }
  return at_symbol("(", after) ? std::string_view(token.text) : std::string_view{};
}

bool Parser::starts_operand() const {
  const Token& token = peek();
  const bool names_axis = is_axis(1) || (!has_axis_font_ && peek(1).kind == TokenKind::name);
  const bool is_size = at_symbol("|") && names_axis && at_symbol("|", 2) && !in_bars_;
  const bool is_bracket = at_symbol("(") || at_symbol("∞") || at_symbol("[") || is_size ||
                          (at_symbol("∂") && !in_differential_);
  return token.kind == TokenKind::name || token.kind == TokenKind::number || is_bracket;
}

/// f X, f_ax X, f(X, Y), ∂X, or a juxtaposition.
Tree Parser::prefixed() {
  const Depth depth(*this);
  if (at_symbol("∂")) {
    const std::size_t begin = peek().span.begin;
    Tree left = differential();
    // ∂X ∂Z, below a second derivative.
    while (at_symbol("∂") && !in_differential_)
      left = binary("⊙", std::move(left), differential(), begin);
    return left;
  }
  if (at_symbol("∂/∂")) return derivative_operator();
  if (peek().text == "lim" && peek().kind == TokenKind::name) return limit();
  const std::string_view function = function_at();
  return function.empty() ? juxtaposition() : application(function);
}

Tree Parser::application(std::string_view function) {
  Tree tree{Form::apply, peek().span, std::string(function), {}, {}};
  const std::size_t begin = tree.span.begin;
  read_scripts(tree);
  if (at_symbol("{")) return fold_over_set(tree.text);
  if (symbol("(")) {
    tree.children = arguments(tree.before_semicolon);
    tree.span = since(begin);
    // A superscript binds tighter than a prefix function: exp (X)^2 is exp of the square.
    const bool is_prefix = tree.children.size() == 1 && !tree.before_semicolon &&
                           tree.super.empty() &&
                           (!tree.axes.empty() || find_word(tree.text) != nullptr);
    if (is_prefix && at_symbol("^")) {
      tree.children[0] = superscripted(std::move(tree.children[0]));
      tree.span = since(begin);
      return tree;
    }
    read_fold_variable(tree);
    Tree left = postfixed(std::move(tree));
    // f(X) g(Y) is a product.
    for (int count = 0; starts_operand(); ++count) {
      require_short(count);
      Tree right = is_sum()                 ? sum_sign()
                   : !function_at().empty() ? prefixed()
                                            : postfixed(primary());
      left = binary("⊙", std::move(left), std::move(right), begin);
    }
    return left;
  }
  if (at_symbol("-") && (find_word(tree.text) != nullptr || !tree.axes.empty())) {
    const std::size_t sign = take().span.begin;
    Tree negative{Form::apply, {}, std::string(operator_word("-", 1)->name), {}, {}};
    negative.children.push_back(prefixed());
    negative.span = since(sign);
    tree.children.push_back(std::move(negative));
    tree.span = since(begin);
    return tree;
  }
  if (!starts_operand() && function_at().empty() && !at_symbol("‖") && !at_symbol("|")) {
    // A function that is only mentioned: f ∈ ..., f : ...
    tree.span = since(begin);
    return tree;
  }
  // Σ reaches over its product behind a function as well: log Σ X ⊙ Y.
  tree.children.push_back(is_sum() ? sum_sign() : prefixed());
  tree.span = since(begin);
  read_fold_variable(tree);
  return tree;
}

/// max {X_{ax(i)} | i ∈ I}
Tree Parser::fold_over_set(std::string name) {
  const std::size_t begin = peek().span.begin;
  expect("{");
  Tree tree{Form::fold, {}, std::move(name), {}, {sum()}};
  expect("|");
  tree.sub.push_back(primary());
  expect("∈");
  tree.super.push_back(primary());
  expect("}");
  tree.span = since(begin);
  return tree;
}

Tree Parser::differential() {
  const std::size_t begin = take().span.begin;
  // The order of ∂² is told by how many variables it is divided by.
  if (symbol("^")) script_list();
  const bool outer = std::exchange(in_differential_, true);
  Tree tree{Form::differential, {}, {}, {}, {prefixed()}};
  in_differential_ = outer;
  tree.span = since(begin);
  return tree;
}

/// ∂/∂X applied to what follows.
Tree Parser::derivative_operator() {
  const std::size_t begin = take().span.begin;
  Tree variable = primary();
  Tree tree{Form::derivative, {}, {}, {}, {prefixed()}};
  tree.children.push_back(std::move(variable));
  tree.span = since(begin);
  return tree;
}

/// lim_{a → ∞} X
Tree Parser::limit() {
  const std::size_t begin = take().span.begin;
  Tree tree{Form::limit, {}, {}, {}, {}};
  expect("_");
  expect("{");
  tree.sub.push_back(primary());
  expect("→");
  tree.super.push_back(sum());
  expect("}");
  tree.children.push_back(prefixed());
  tree.span = since(begin);
  return tree;
}

std::vector<Tree> Parser::arguments(std::optional<std::size_t>& before_semicolon) {
  std::vector<Tree> all{condition()};
  while (at_symbol(",") || at_symbol(";")) {
    if (take().text == ";") {
      if (before_semicolon) fail("a second semicolon among the arguments");
      before_semicolon = all.size();
    }
    all.push_back(condition());
  }
  expect(")");
  return all;
}

/// 2 X is a product that binds tighter than any function.
Tree Parser::juxtaposition() {
  const std::size_t begin = peek().span.begin;
  Tree left = postfixed(primary());
  for (int count = 0; starts_operand(); ++count) {
    require_short(count);
    const bool applies = at_symbol("∂") || !function_at().empty();
    Tree right = is_sum() ? sum_sign() : applies ? prefixed() : postfixed(primary());
    left = binary("⊙", std::move(left), std::move(right), begin);
  }
  return left;
}

/// Sub- and superscripts behind an operand, in any order and number.
Tree Parser::postfixed(Tree base) {
  for (int count = 0;; ++count) {
    require_short(count);
    if (at_symbol("^")) {
      base = superscripted(std::move(base));
    } else if (at_symbol("_")) {
      base = subscripted(std::move(base));
    } else if (at_symbol("†")) {
      base = marked(std::move(base), marks());
    } else if (at_symbol("|") && at_symbol("_", 1)) {
      take();
      take();
      expect("{");
      Tree tree{Form::evaluated, {}, {}, {}, {}};
      const std::size_t begin = base.span.begin;
      tree.children.push_back(std::move(base));
      tree.children.push_back(sum());
      expect("=");
      tree.children.push_back(sum());
      expect("}");
      tree.span = since(begin);
      base = std::move(tree);
    } else {
      return base;
    }
  }
}

Tree Parser::primary() {
  const Depth depth(*this);
  const Token token = peek();
  if (token.kind == TokenKind::number) return number(take());
  if (token.kind == TokenKind::name && token.text == "cases" && at_symbol("{", 1)) return cases();
  if (token.kind == TokenKind::name) return {Form::name, token.span, name(), {}, {}};
  if (token.kind == TokenKind::axis) {
    fail(fmt::format("the axis `{}` stands where a tensor is expected", token.text),
         "axes stand under functions, in |ax| and in subscripts");
  }
  if (symbol("(")) {
    Tree inner = condition();
    expect(")");
    return inner;
  }
  if (symbol("∞")) return {Form::infinity, token.span, {}, {}, {}};
  if (symbol("…")) return {Form::ellipsis, token.span, {}, {}, {}};
  if (symbol("□")) return {Form::hole, token.span, {}, {}, {}};
  if (at_symbol("|") || at_symbol("‖")) return bars();
  if (at_symbol("[")) return bracketed();
  if (token.text.starts_with("\\")) {
    throw Error(code("foreign"), fmt::format("`{}` has no meaning in a formula", token.text), {},
                token.span);
  }
  fail("a formula is expected here");
}

/// |ax|, |X| or ‖X‖.
Tree Parser::bars() {
  const Token open = take();
  Tree tree{Form::size, {}, {}, {}, {}};
  std::size_t after = 1;
  while (at_symbol("⊙", after) || at_symbol("†", after)) ++after;
  const bool is_single = at_symbol("|", after);
  if (open.text == "|" && is_single && (is_axis() || !has_axis_font_) &&
      peek().kind != TokenKind::number) {
    tree.text = axis_name();
  } else if (open.text == "|" && is_axis()) {
    tree.text = axis_name();
  } else {
    tree.form = open.text == "‖" ? Form::norm : Form::apply;
    if (open.text == "|") tree.text = "abs";
    const bool outer = std::exchange(in_bars_, true);
    tree.children.push_back(sum());
    in_bars_ = outer;
  }
  expect(open.text);
  tree.span = since(open.span.begin);
  return tree;
}

/// An entry of a list; a list inside is one even if it has a single entry.
Tree Parser::entry() {
  const std::size_t start = next_;
  if (!at_symbol("[")) return condition();
  const Depth depth(*this);
  Tree list{Form::array, take().span, {}, {}, {}};
  do list.children.push_back(entry());
  while (symbol(","));
  // [X = Y] is a truth value, wherever it stands.
  const Word* word = list.children.size() == 1 && list.children[0].form == Form::apply
                         ? find_word(list.children[0].text)
                         : nullptr;
  const bool is_truth = word != nullptr && word->gives == Gives::truth;
  const bool is_list = symbol("]") && (at_symbol(",") || at_symbol("]")) && !is_truth;
  if (is_list) {
    list.span = since(list.span.begin);
    return list;
  }
  next_ = start;
  return condition();
}

/// [[1, 2], [3, 4]]_{a, b}, [X = Y], or brackets around a tensor that is indexed.
Tree Parser::bracketed() {
  const Token open = take();
  std::vector<Tree> entries;
  do entries.push_back(entry());
  while (symbol(","));
  expect("]");
  Tree tree{Form::array, since(open.span.begin), {}, {}, std::move(entries)};
  const bool is_list = tree.children.size() > 1 || tree.children[0].form == Form::array;
  const bool names_axes = at_symbol("_") && !script_has("(") && !script_has("→");
  if (!is_list && !names_axes) {
    const Tree& only = tree.children[0];
    const Word* word = only.form == Form::apply ? find_word(only.text) : nullptr;
    if (word == nullptr || word->gives != Gives::truth) return Tree(std::move(tree.children[0]));
    tree.form = Form::truth;
    return tree;
  }
  if (names_axes) {
    take();
    tree.axes = axis_list();
    tree.span = since(open.span.begin);
  }
  return tree;
}

/// cases {X if p; Y otherwise}
Tree Parser::cases() {
  const std::size_t begin = take().span.begin;
  expect("{");
  Tree tree{Form::cases, {}, {}, {}, {}};
  do {
    if (at_symbol("}")) break;
    tree.children.push_back(sum());
    while (at_symbol(",") || peek().kind == TokenKind::gap) take();
    if (peek().text == "otherwise") {
      take();
      while (peek().kind == TokenKind::gap) take();
      break;
    }
    if (peek().text == "if") take();
    tree.children.push_back(case_condition());
    while (at_symbol(",") || peek().kind == TokenKind::gap) take();
  } while (symbol(";"));
  while (at_symbol(";") || at_symbol(",") || peek().kind == TokenKind::gap) take();
  expect("}");
  tree.span = since(begin);
  return tree;
}

/// i ≤ j, or i odd.
Tree Parser::case_condition() {
  const std::size_t begin = peek().span.begin;
  const auto is_parity = [&](const Token& token) {
    return (token.kind == TokenKind::word || token.kind == TokenKind::name) &&
           (token.text == "odd" || token.text == "even");
  };
  if (peek(1).kind != TokenKind::end && is_parity(peek(1))) {
    Tree tree{Form::parity, {}, {}, {}, {primary()}};
    tree.text = take().text;
    tree.span = since(begin);
    return tree;
  }
  Tree tree = condition();
  if (is_parity(peek())) {
    Tree parity{Form::parity, {}, take().text, {}, {}};
    parity.children.push_back(std::move(tree));
    parity.span = since(begin);
    return parity;
  }
  return tree;
}

Tree Parser::number(const Token& token) const {
  Tree tree{Form::number, token.span, token.text, {}, {}};
  const char* end = token.text.data() + token.text.size();
  std::int64_t whole = 0;
  double real = 0;
  if (const auto read = std::from_chars(token.text.data(), end, whole);
      read.ec == std::errc{} && read.ptr == end) {
    tree.number = whole;
  } else if (std::from_chars(token.text.data(), end, real).ec == std::errc{}) {
    tree.number = real;
  } else {
    throw Error(code("syntax"), fmt::format("the number `{}` cannot be represented", token.text),
                {}, token.span);
  }
  return tree;
}

}  // namespace axial::notation
