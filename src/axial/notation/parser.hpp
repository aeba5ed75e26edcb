// The recursive parser behind parse.hpp. Its functions are spread over files by what they read.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "axial/notation/parse.hpp"

namespace axial {
struct Word;
}

namespace axial::notation {

class Parser {
 public:
  Parser(Tokens tokens, IsFunction is_function);

  // statement.cpp
  Statement statement();
  /// Passes over commas, full stops, wide spaces and prose; returns the prose.
  std::string separators();

  // formula.cpp
  Tree condition();
  Tree sum();

  const Token& peek(std::size_t ahead = 0) const;
  const Token& take() { return tokens_[next_ + 1 < tokens_.size() ? next_++ : next_]; }
  bool at_end() const { return peek().kind == TokenKind::end; }
  bool at_symbol(std::string_view text, std::size_t ahead = 0) const;
  bool symbol(std::string_view text);
  void expect(std::string_view text);
  [[noreturn]] void fail(std::string message, std::string hint = {}) const;
  void skip_lines();
  /// From now on `name` is a function.
  void declare_function(const std::string& name) { functions_.insert(name); }

 private:
  /// Counts nesting, so that hostile input meets a limit and not the end of the stack.
  class Depth {
   public:
    explicit Depth(Parser& parser);
    ~Depth() { --depth_; }
    Depth(const Depth&) = delete;
    Depth& operator=(const Depth&) = delete;

   private:
    int& depth_;
  };

  // formula.cpp
  const Word* next_relation(bool of_truths) const;
  Tree comparison();
  Tree binary(std::string_view op, Tree left, Tree right, std::size_t begin);
  Tree term();
  bool is_sum() const;
  Tree sum_sign();
  Tree product();
  Tree factor();
  Tree quotient(Tree left, Tree right, std::size_t begin);
  void require_short(int count) const;

  // primary.cpp
  bool starts_operand() const;
  Tree prefixed();
  Tree application(std::string_view function);
  Tree differential();
  Tree derivative_operator();
  Tree limit();
  Tree juxtaposition();
  Tree primary();
  Tree postfixed(Tree base);
  Tree number(const Token& token) const;
  Tree bracketed();
  Tree entry();
  Tree bars();
  Tree cases();
  Tree case_condition();
  Tree fold_over_set(std::string name);
  std::vector<Tree> arguments(std::optional<std::size_t>& before_semicolon);
  std::string_view function_at(std::size_t ahead = 0) const;
  std::string_view function_part(std::string_view text) const;

  // scripts.cpp
  Tree superscripted(Tree base);
  Tree subscripted(Tree base);
  void read_scripts(Tree& tree);
  void read_below(Tree& tree);
  void read_fold_variable(Tree& tree);
  Tree marked(Tree base, std::string marks);
  std::vector<Tree> script_list();
  std::string marks();
  Tree index_of(Tree base);
  Tree rename_of(Tree base);
  Arrow arrow();
  std::vector<AxisTerm> axis_group();
  AxisTerm axis_term();
  std::vector<std::string> axis_list();
  std::string axis_name();
  bool script_has(std::string_view wanted) const;
  bool is_axis(std::size_t ahead = 0) const;
  bool is_position() const;

  // statement.cpp
  Signature signature();
  Tree heading();
  Declaration declaration();
  Range range();
  Equation equation();
  Domain domain();
  void domain_shape(Domain& domain);
  bool statement_has(std::string_view wanted, std::string_view before = {}) const;
  bool at_relation() const;
  bool at_times() const;

  std::string name();
  Span since(std::size_t begin) const;
  bool is_function(std::string_view name) const;
  bool is_blank_after(std::size_t token) const;

  Tokens tokens_;
  IsFunction is_function_;
  std::set<std::string, std::less<>> functions_;
  std::size_t next_ = 0;
  int depth_ = 0;
  bool has_axis_font_ = false;
  bool in_differential_ = false;
  bool in_bars_ = false;
};

/// The word whose operator is `symbol` with that many operands, or null.
const Word* operator_word(std::string_view symbol, int arity);

/// True for names of variables for shapes, which are written in a calligraphic font.
bool is_shape_variable(std::string_view name);

}  // namespace axial::notation
