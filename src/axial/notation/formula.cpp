// Operators of a formula, from the loosest to the tightest.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "axial/notation/lexer.hpp"
#include "axial/notation/parser.hpp"
#include "axial/vocabulary/elementwise.hpp"

namespace axial::notation {
namespace {

// A pair of parentheses takes three levels of the grammar.
constexpr int max_depth = 3 * 200;
constexpr int max_chain = 1000;

bool is_differential(const Tree& tree) { return tree.form == Form::differential; }

}  // namespace

const Word* operator_word(std::string_view symbol, int arity) {
  const auto found = std::ranges::find_if(elementwise_words, [&](const Word& word) {
    return word.symbol == symbol && word.arity() == arity;
  });
  return found == elementwise_words.end() ? nullptr : &*found;
}

Parser::Parser(Tokens tokens, IsFunction is_function)
    : tokens_(std::move(tokens)), is_function_(std::move(is_function)) {
  // Plain text has no fonts, and so no notes on tokens.
  has_axis_font_ = std::ranges::any_of(tokens_, [](const Token& token) {
    return token.kind == TokenKind::axis || !token.note.empty();
  });
}

Parser::Depth::Depth(Parser& parser) : depth_(parser.depth_) {
  if (++depth_ > max_depth) parser.fail(fmt::format("nested deeper than {}", max_depth / 3));
}

const Token& Parser::peek(std::size_t ahead) const {
  return tokens_[std::min(next_ + ahead, tokens_.size() - 1)];
}

bool Parser::at_symbol(std::string_view text, std::size_t ahead) const {
  return peek(ahead).kind == TokenKind::symbol && peek(ahead).text == text;
}

bool Parser::symbol(std::string_view text) {
  if (!at_symbol(text)) return false;
  take();
  return true;
}

void Parser::expect(std::string_view text) {
  if (!symbol(text)) fail(fmt::format("`{}` is expected here", text));
}

void Parser::fail(std::string message, std::string hint) const {
  throw Error(code("syntax"), std::move(message), std::move(hint), peek().span);
}

bool Parser::is_blank_after(std::size_t token) const {
  return tokens_[token + 1].kind == TokenKind::newline || tokens_[token + 1].kind == TokenKind::end;
}

void Parser::skip_lines() {
  while (peek().kind == TokenKind::newline ||
         (peek().kind == TokenKind::indent && is_blank_after(next_))) {
    take();
  }
}

Span Parser::since(std::size_t begin) const {
  // What a macro's body gives may lie before its arguments.
  const Span last = tokens_[next_ == 0 ? 0 : next_ - 1].span;
  return {std::min(begin, last.begin), std::max(begin, last.end)};
}

bool Parser::is_function(std::string_view name) const {
  return functions_.contains(std::string(name)) || is_function_(name);
}

std::string Parser::name() {
  if (peek().kind != TokenKind::name && peek().kind != TokenKind::axis) {
    fail("a name is expected here");
  }
  return take().text;
}

/// The word of the operator that comes next, if it gives a truth value of what `of_truths` says.
const Word* Parser::next_relation(bool of_truths) const {
  if (peek().kind != TokenKind::symbol) return nullptr;
  const Word* word = operator_word(peek().text, 2);
  const bool fits = word != nullptr && word->gives == Gives::truth &&
                    (word->takes == Takes::booleans) == of_truths;
  return fits ? word : nullptr;
}

/// Comparisons, joined by ∧ and ∨ from left to right.
Tree Parser::condition() {
  const Depth depth(*this);
  const std::size_t begin = peek().span.begin;
  Tree left = comparison();
  for (int count = 0; next_relation(true) != nullptr; ++count) {
    require_short(count);
    const std::string op = take().text;
    left = binary(op, std::move(left), comparison(), begin);
  }
  return left;
}

Tree Parser::comparison() {
  const std::size_t begin = peek().span.begin;
  Tree left = sum();
  if (next_relation(false) == nullptr) return left;
  const std::string op = take().text;
  return binary(op, std::move(left), sum(), begin);
}

/// Chains nest to the left, and so count as nesting of another kind.
void Parser::require_short(int count) const {
  if (count >= max_chain) fail(fmt::format("more than {} operators in a row", max_chain));
}

Tree Parser::binary(std::string_view op, Tree left, Tree right, std::size_t begin) {
  Tree tree{Form::apply, since(begin), std::string(operator_word(op, 2)->name), {}, {}};
  tree.children.push_back(std::move(left));
  tree.children.push_back(std::move(right));
  return tree;
}

Tree Parser::sum() {
  const std::size_t begin = peek().span.begin;
  // Brackets and scripts of the operand of ∂ may have differentials of their own.
  const bool outer = std::exchange(in_differential_, false);
  Tree left = term();
  for (int count = 0; at_symbol("+") || at_symbol("-"); ++count) {
    require_short(count);
    const std::string op = take().text;
    left = binary(op, std::move(left), term(), begin);
  }
  in_differential_ = outer;
  return left;
}

/// A product, with a sign or a sum in front of it.
Tree Parser::term() {
  const Depth depth(*this);
  const std::size_t begin = peek().span.begin;
  if (at_symbol("-") || at_symbol("¬")) {
    Tree tree{Form::apply, {}, std::string(operator_word(take().text, 1)->name), {}, {}};
    tree.children.push_back(term());
    tree.span = since(begin);
    return tree;
  }
  return product();
}

bool Parser::is_sum() const { return function_at() == "sum"; }

/// Σ reaches over the whole product that follows it.
Tree Parser::sum_sign() {
  const Depth depth(*this);
  Tree tree{Form::apply, peek().span, "sum", {}, {}};
  const std::size_t begin = tree.span.begin;
  read_scripts(tree);
  tree.children.push_back(term());
  tree.span = since(begin);
  read_fold_variable(tree);
  return tree;
}

Tree Parser::product() {
  const std::size_t begin = peek().span.begin;
  Tree left = factor();
  for (int count = 0;; ++count) {
    require_short(count);
    const bool has_axes = at_symbol("⊙") && at_symbol("_", 1);
    if (!has_axes && (at_symbol("⊙") || at_symbol("×"))) {
      take();
      left = binary("⊙", std::move(left), factor(), begin);
    } else if (symbol("/")) {
      left = quotient(std::move(left), factor(), begin);
    } else if (at_symbol(".") || at_symbol("⊕") || has_axes) {
      const std::string op = take().text;
      const bool contracts = op != "⊕";
      if (op != ".") expect("_");
      Tree tree{contracts ? Form::contract : Form::concat, {}, {}, axis_list(), {}};
      tree.children.push_back(std::move(left));
      tree.children.push_back(factor());
      tree.span = since(begin);
      left = std::move(tree);
    } else {
      return left;
    }
  }
}

/// A sum or a sign may stand behind an operator too: X / sum_ax Y, X ⊙ -Y.
Tree Parser::factor() {
  if (is_sum()) return sum_sign();
  return at_symbol("-") || at_symbol("¬") ? term() : prefixed();
}

/// A quotient of differentials is a derivative.
Tree Parser::quotient(Tree left, Tree right, std::size_t begin) {
  std::vector<Tree> variables;
  const Tree* rest = &right;
  while (rest->form == Form::apply && rest->text == "mul" && is_differential(rest->children[1])) {
    variables.insert(variables.begin(), rest->children[1].children[0]);
    rest = &rest->children[0];
  }
  if (!is_differential(left) || !is_differential(*rest)) {
    return binary("/", std::move(left), std::move(right), begin);
  }
  variables.insert(variables.begin(), rest->children[0]);
  Tree tree{Form::derivative, since(begin), {}, {}, {left.children[0]}};
  tree.children.insert(tree.children.end(), variables.begin(), variables.end());
  return tree;
}

Tree parse_formula(std::string_view source, const IsFunction& is_function) {
  return parse_formula(tokenize(source), is_function);
}

Tree parse_formula(Tokens tokens, const IsFunction& is_function) {
  Parser parser(std::move(tokens), is_function);
  while (parser.peek().kind == TokenKind::newline || parser.peek().kind == TokenKind::indent) {
    parser.take();
  }
  Tree tree = parser.condition();
  parser.skip_lines();
  if (!parser.at_end()) parser.fail("the formula should end here");
  return tree;
}

}  // namespace axial::notation
