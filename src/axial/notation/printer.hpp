// What text and LaTeX share in printing: how tightly things bind. The spellings are left open.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "axial/notation/tree.hpp"

namespace axial::notation {

/// How tightly a formula binds, as the parser has it.
enum class Level {
  condition,   // X ∧ Y
  comparison,  // X < Y
  sum,         // X + Y
  term,        // -X, sum_ax X
  product,     // X ⊙ Y
  prefixed,    // exp X
  postfix,     // X_{a -> b}, f(X)
  primary,     // X, (X + Y)
};

/// A formula that is printed, with what its surroundings must know of it.
struct Printed {
  std::string text;
  Level level = Level::primary;
  /// It ends with a sum or a sign, which would take in a product that goes on behind it.
  bool reaches_on = false;
  /// f(X), where a superscript behind it would belong to X.
  bool is_call = false;
  /// It ends with a function without operands, which would take in a bar behind it.
  bool ends_in_function = false;
  /// It is taller than a line, so that parentheses must grow.
  bool tall = false;
  /// TeX refuses a second script in the same place.
  bool has_sub = false;
  bool has_super = false;
};

class Printer {
 public:
  Printer() = default;
  Printer(const Printer&) = delete;
  Printer& operator=(const Printer&) = delete;
  virtual ~Printer() = default;

  Printed print(const Tree& tree) const;
  std::string print(const Domain& domain) const;
  std::string print(const Statement& statement) const;

 protected:
  using Axes = std::vector<std::string>;

  // Spellings.
  /// A symbol of the notation, by its canonical spelling.
  virtual std::string sign(std::string_view symbol) const = 0;
  virtual Printed number(const Tree& tree) const = 0;
  virtual Printed name(const Tree& tree) const = 0;
  virtual std::string axis(const std::string& name) const = 0;
  /// A pair of brackets around something, by its opening one.
  virtual std::string enclosed(std::string_view open, const Printed& inner) const = 0;
  /// Something set behind ^ or _.
  virtual std::string script(const Tree& tree) const = 0;
  /// A base that has a script already, ready for one more in the same place.
  virtual std::string rescripted(const Printed& base) const = 0;
  virtual std::string contraction(const Axes& axes) const = 0;
  virtual std::string concatenation(const Axes& axes) const = 0;
  /// A function with what stands below and above it.
  virtual std::string head(const Tree& tree) const = 0;
  virtual std::string function_name(const std::string& name) const = 0;
  /// The function of a fold over a variable.
  virtual std::string fold_head(const Tree& tree) const = 0;
  /// True for a quotient that is not part of a row of factors.
  virtual bool stands_alone(const Tree& quotient) const = 0;
  /// A quotient that stands alone.
  virtual Printed quotient(const Tree& tree) const = 0;
  virtual Printed derivative(const Tree& tree) const = 0;
  virtual Printed evaluated(const Tree& tree) const = 0;
  virtual Printed array(const Tree& tree) const = 0;
  virtual Printed cases(const Tree& tree) const = 0;
  virtual Printed call(const Tree& tree) const;
  virtual std::string shape(const Domain& domain) const = 0;
  virtual std::string relation(const Relation& relation) const = 0;
  virtual std::string heading(const Signature& signature) const;

  // Binding.
  /// The formula, in parentheses if it binds less than `level`.
  std::string at(Level level, const Tree& tree) const;
  /// The operand of ∂ and lim, for which a sum is a function like any other.
  Printed prefix_operand(const Tree& tree) const;
  /// The formula before a bar that closes something.
  Printed before_bar(const Tree& tree) const;
  Printed in_parentheses(const Printed& inner) const;
  Printed base(const Tree& tree, char place) const;
  /// Formulas with commas between them, in parentheses where they bind less than `level`.
  Printed list(const std::vector<Tree>& trees, Level level = Level::condition) const;
  std::string joined_axes(const Axes& axes) const;
  std::string axis_terms(const std::vector<AxisTerm>& terms, std::string_view between) const;
  Printed call_with_parentheses(const Tree& tree, std::string head) const;
  Printed listed_array(const Tree& tree) const;
  /// A value and the condition of a case.
  std::string case_condition(const Tree& tree) const;

 private:
  Printed apply(const Tree& tree) const;
  Printed unary(const Tree& tree, std::string_view symbol) const;
  Printed chain(const Tree& tree) const;
  std::optional<Level> chain_level(const Tree& tree) const;
  Printed joined(Printed left, const Tree& tree) const;
  Printed sum_sign(const Tree& tree, std::string head) const;
  Printed fold(const Tree& tree) const;
  Printed limit(const Tree& tree) const;
  Printed index(const Tree& tree) const;
  Printed rename(const Tree& tree) const;
  Printed raised(const Tree& tree) const;
  Printed mark(const Tree& tree) const;
  Printed other(const Tree& tree) const;
  std::string axis_group(const std::vector<AxisTerm>& terms) const;
  std::string print(const Declaration& declaration) const;
  std::string print(const Signature& signature) const;
  std::string print(const Equation& equation) const;
  std::string print(const Range& range) const;
};

/// A name without labels.
bool is_plain_name(const Tree& tree);
/// X / Y that would read as the derivative ∂Y/∂X.
bool reads_as_derivative(const Tree& left, const Tree& right);
/// A label below a function that cannot be taken for an axis: 2, n - 1.
bool is_clear_label(const Tree& tree);
/// A function without axes, labels or a semicolon.
bool is_bare(const Tree& apply);

}  // namespace axial::notation
