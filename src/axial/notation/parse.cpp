#include "axial/notation/parse.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "axial/notation/lexer.hpp"
#include "axial/vocabulary/elementwise.hpp"

namespace axial::notation {
namespace {

// A pair of parentheses takes three levels of the grammar.
constexpr int max_depth = 3 * 200;
constexpr int max_chain = 1000;

/// The word whose operator is `symbol` with that many operands, or null.
const Word* operator_word(std::string_view symbol, int arity) {
  const auto found = std::ranges::find_if(elementwise_words, [&](const Word& word) {
    return word.symbol == symbol && word.arity() == arity;
  });
  return found == elementwise_words.end() ? nullptr : &*found;
}

class Parser {
 public:
  Parser(std::string_view source, IsFunction is_function)
      : tokens_(tokenize(source)), is_function_(std::move(is_function)) {}

  Tree formula() {
    while (peek().kind == TokenKind::newline || peek().kind == TokenKind::indent) take();
    Tree tree = condition();
    skip_lines();
    if (peek().kind != TokenKind::end) fail("the formula should end here");
    return tree;
  }

  Statements statements() {
    Statements result;
    for (skip_lines(); peek().kind != TokenKind::end; skip_lines()) {
      const bool local = peek().kind == TokenKind::indent;
      if (local) take();
      const std::size_t start = next_;
      Definition head = heading();
      if (symbol(":")) {
        result.signatures.push_back(signature(head));
        functions_.insert(head.name);
        continue;
      }
      next_ = start;
      Definition definition = this->definition();
      if (!local) {
        result.definitions.push_back(std::move(definition));
      } else if (result.definitions.empty()) {
        fail("a local definition needs a definition above it");
      } else {
        result.definitions.back().locals.push_back(std::move(definition));
      }
    }
    return result;
  }

 private:
  /// Counts nesting, so that hostile input meets a limit and not the end of the stack.
  class Depth {
   public:
    explicit Depth(Parser& parser) : depth_(parser.depth_) {
      if (++depth_ > max_depth) parser.fail(fmt::format("nested deeper than {}", max_depth / 3));
    }
    ~Depth() { --depth_; }
    Depth(const Depth&) = delete;
    Depth& operator=(const Depth&) = delete;

   private:
    int& depth_;
  };

  const Token& peek() const { return tokens_[next_]; }
  const Token& take() { return tokens_[next_ + 1 < tokens_.size() ? next_++ : next_]; }
  bool at_symbol(std::string_view text) const {
    return peek().kind == TokenKind::symbol && peek().text == text;
  }
  bool symbol(std::string_view text) {
    if (!at_symbol(text)) return false;
    take();
    return true;
  }
  void expect(std::string_view text) {
    if (!symbol(text)) fail(fmt::format("`{}` is expected here", text));
  }
  [[noreturn]] void fail(std::string message) const {
    throw Error(code("syntax"), std::move(message), {}, peek().span);
  }
  void skip_lines() {
    while (peek().kind == TokenKind::newline ||
           (peek().kind == TokenKind::indent && is_blank_after(next_))) {
      take();
    }
  }
  bool is_blank_after(std::size_t token) const {
    return tokens_[token + 1].kind == TokenKind::newline ||
           tokens_[token + 1].kind == TokenKind::end;
  }

  bool is_function(std::string_view name) const {
    return functions_.contains(std::string(name)) || is_function_(name);
  }

  Span since(std::size_t begin) const { return {begin, tokens_[next_ - 1].span.end}; }

  std::string name() {
    if (peek().kind != TokenKind::name) fail("a name is expected here");
    return std::string(take().text);
  }

  /// a, or {a, b}.
  std::vector<std::string> axis_list() {
    if (!symbol("{")) return {name()};
    std::vector<std::string> axes{name()};
    while (symbol(",")) axes.push_back(name());
    expect("}");
    return axes;
  }

  /// The function that opens `text`, as the longest part before an underscore that is one.
  std::string_view function_part(std::string_view text) const {
    for (std::size_t end = text.size(); end != std::string_view::npos && end > 0;
         end = text.rfind('_', end - 1)) {
      if (is_function(text.substr(0, end))) return text.substr(0, end);
    }
    return {};
  }

  /// Splits `softmax_ax` into function and axes, reading `_{a, b}` where that follows.
  void read_subscript(std::string_view text, std::string_view function, Tree& tree) {
    tree.text = function;
    if (text.size() > function.size()) {
      tree.axes = {std::string(text.substr(function.size() + 1))};
    } else if (symbol("_")) {
      tree.axes = axis_list();
    }
  }

  /// The word of the operator that comes next, if it gives a truth value of what `takes` says.
  const Word* next_relation(bool of_truths) const {
    if (peek().kind != TokenKind::symbol) return nullptr;
    const Word* word = operator_word(peek().text, 2);
    const bool fits = word != nullptr && word->gives == Gives::truth &&
                      (word->takes == Takes::booleans) == of_truths;
    return fits ? word : nullptr;
  }

  /// Comparisons, joined by ∧ and ∨ from left to right.
  Tree condition() {
    const Depth depth(*this);
    const std::size_t begin = peek().span.begin;
    Tree left = comparison();
    for (int count = 0; next_relation(true) != nullptr; ++count) {
      require_short(count);
      const std::string_view op = take().text;
      left = binary(op, std::move(left), comparison(), begin);
    }
    return left;
  }

  Tree comparison() {
    const std::size_t begin = peek().span.begin;
    Tree left = sum();
    if (next_relation(false) == nullptr) return left;
    const std::string_view op = take().text;
    return binary(op, std::move(left), sum(), begin);
  }

  /// Chains nest to the left, and so count as nesting of another kind.
  void require_short(int count) const {
    if (count >= max_chain) fail(fmt::format("more than {} operators in a row", max_chain));
  }

  Tree binary(std::string_view op, Tree left, Tree right, std::size_t begin) {
    Tree tree{Form::apply, since(begin), std::string(operator_word(op, 2)->name), {}, {}};
    tree.children.push_back(std::move(left));
    tree.children.push_back(std::move(right));
    return tree;
  }

  Tree sum() {
    const std::size_t begin = peek().span.begin;
    Tree left = term();
    for (int count = 0; at_symbol("+") || at_symbol("-"); ++count) {
      require_short(count);
      const std::string_view op = take().text;
      left = binary(op, std::move(left), term(), begin);
    }
    return left;
  }

  /// A product, with a sign or a sum in front of it.
  Tree term() {
    const Depth depth(*this);
    const std::size_t begin = peek().span.begin;
    if (at_symbol("-") || at_symbol("¬")) {
      Tree tree{Form::apply, {}, std::string(operator_word(take().text, 1)->name), {}, {}};
      tree.children.push_back(term());
      tree.span = since(begin);
      return tree;
    }
    if (is_sum()) return sum_sign();
    return product();
  }

  bool is_sum() const {
    return peek().kind == TokenKind::name && function_part(peek().text) == "sum";
  }

  /// Σ reaches over the whole product that follows it.
  Tree sum_sign() {
    const std::size_t begin = peek().span.begin;
    Tree tree{Form::apply, {}, "sum", {}, {}};
    read_subscript(take().text, "sum", tree);
    tree.children.push_back(term());
    tree.span = since(begin);
    return tree;
  }

  Tree product() {
    const std::size_t begin = peek().span.begin;
    Tree left = prefixed();
    for (int count = 0;; ++count) {
      require_short(count);
      if (at_symbol("⊙") || at_symbol("/")) {
        const std::string_view op = take().text;
        left = binary(op, std::move(left), factor(), begin);
      } else if (symbol(".")) {
        Tree tree{Form::contract, {}, {}, axis_list(), {}};
        tree.children.push_back(std::move(left));
        tree.children.push_back(factor());
        tree.span = since(begin);
        left = std::move(tree);
      } else {
        return left;
      }
    }
  }

  /// Behind an operator a sum or a sign may stand too: X / sum_ax Y, X ⊙ -Y.
  Tree factor() {
    const bool is_long = is_sum() || at_symbol("-") || at_symbol("¬");
    return is_long ? term() : prefixed();
  }

  /// f X, f_ax X, f(X, Y), or a juxtaposition.
  Tree prefixed() {
    const Depth depth(*this);
    const Token token = peek();
    const std::string_view function =
        token.kind == TokenKind::name ? function_part(token.text) : std::string_view{};
    if (function.empty()) return juxtaposition();
    take();
    Tree tree{Form::apply, {}, {}, {}, {}};
    read_subscript(token.text, function, tree);
    if (symbol("(")) {
      tree.children = arguments();
      // A superscript binds tighter than a prefix function: f (X)^2 is f of the square.
      if (tree.children.size() == 1) tree.children[0] = powered(std::move(tree.children[0]));
      tree.span = since(token.span.begin);
      return tree.children.size() == 1 ? tree : powered(std::move(tree));
    }
    tree.children.push_back(prefixed());
    tree.span = since(token.span.begin);
    return tree;
  }

  std::vector<Tree> arguments() {
    std::vector<Tree> all{condition()};
    while (symbol(",")) all.push_back(condition());
    expect(")");
    return all;
  }

  bool starts_operand() const {
    return peek().kind == TokenKind::name || peek().kind == TokenKind::number || at_symbol("(");
  }

  /// 2 X is a product that binds tighter than any function.
  Tree juxtaposition() {
    const std::size_t begin = peek().span.begin;
    Tree left = powered(primary());
    for (int count = 0; starts_operand(); ++count) {
      require_short(count);
      const bool applies = peek().kind == TokenKind::name && !function_part(peek().text).empty();
      Tree right = is_sum() ? sum_sign() : applies ? prefixed() : powered(primary());
      left = binary("⊙", std::move(left), std::move(right), begin);
    }
    return left;
  }

  Tree powered(Tree base) {
    const std::size_t begin = base.span.begin;
    if (!symbol("^")) return base;
    Tree exponent = at_symbol("-") ? signed_primary() : primary();
    return binary("^", std::move(base), std::move(exponent), begin);
  }

  Tree signed_primary() {
    const Token sign = take();
    Tree tree{Form::apply, {}, std::string(operator_word(sign.text, 1)->name), {}, {}};
    tree.children.push_back(primary());
    tree.span = since(sign.span.begin);
    return tree;
  }

  Tree primary() {
    const Token token = peek();
    if (token.kind == TokenKind::number) return number(take());
    if (token.kind == TokenKind::name) return {Form::name, token.span, name(), {}, {}};
    if (symbol("(")) {
      Tree inner = condition();
      expect(")");
      return inner;
    }
    Tree tree{Form::size, {}, {}, {}, {}};
    if (symbol("|")) {
      tree.text = name();
      expect("|");
    } else if (symbol("[")) {
      tree.form = Form::truth;
      tree.children.push_back(condition());
      expect("]");
    } else {
      fail("a formula is expected here");
    }
    tree.span = since(token.span.begin);
    return tree;
  }

  Tree number(const Token& token) const {
    Tree tree{Form::number, token.span, std::string(token.text), {}, {}};
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

  /// The name on the left of a signature or definition, with the axes under it.
  Definition heading() {
    const Token token = peek();
    std::string text = name();
    Definition head{{}, {}, {}, Tree{Form::name, {}, {}, {}, {}}, {}, false, token.span};
    const std::size_t split = is_function(text) ? std::string::npos : text.rfind('_');
    if (split != std::string::npos) {
      head.axes = {text.substr(split + 1)};
      text.resize(split);
    } else if (symbol("_")) {
      head.axes = axis_list();
    }
    head.name = std::move(text);
    return head;
  }

  Signature signature(const Definition& head) {
    Signature signature{head.name, head.axes, {}, {}, head.span};
    signature.parameters.push_back(domain());
    while (symbol("×")) signature.parameters.push_back(domain());
    expect("→");
    signature.result = domain();
    return signature;
  }

  Domain domain() {
    if (name() != "R") fail("a set of tensors such as R[ax] is expected here");
    Domain result;
    if (!symbol("[")) return result;
    result.axes.push_back(name());
    while (symbol(",")) result.axes.push_back(name());
    expect("]");
    return result;
  }

  Definition definition() {
    Definition result = heading();
    if (symbol("(")) {
      result.parameters.push_back(name());
      while (symbol(",")) result.parameters.push_back(name());
      expect(")");
    } else if (peek().kind == TokenKind::name) {
      result.parameters.push_back(name());
    }
    result.computed = at_symbol(":=");
    if (!symbol(":=")) expect("=");
    result.body = condition();
    if (peek().kind != TokenKind::newline && peek().kind != TokenKind::end) {
      fail("the definition should end here");
    }
    return result;
  }

  std::vector<Token> tokens_;
  IsFunction is_function_;
  std::set<std::string, std::less<>> functions_;
  std::size_t next_ = 0;
  int depth_ = 0;
};

}  // namespace

Tree parse_formula(std::string_view source, const IsFunction& is_function) {
  return Parser(source, is_function).formula();
}

Statements parse_statements(std::string_view source, const IsFunction& is_function) {
  return Parser(source, is_function).statements();
}

}  // namespace axial::notation
