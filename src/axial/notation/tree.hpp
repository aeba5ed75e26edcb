// The shape of formulas and statements as they were written, before names have a meaning. LaTeX and
// plain text give the same trees.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "axial/base/error.hpp"
#include "axial/tensor/element.hpp"

namespace axial::notation {

enum class Form {
  number,        // 0.5
  name,          // X, n_{l-1} with `sub`, W^{l,Q} with `super`
  size,          // |ax|
  truth,         // [X = Y], one where it holds and zero elsewhere
  apply,         // f^l_{a, b}(X, Y; Z); operators are applied by the name of their word
  contract,      // X .{a, b} Y
  concat,        // X ⊕_ax Y
  index,         // X_{a(i), b(j)}: children are X, i, j; `axes` are a, b
  slice,         // i:j, as a position of an index
  rename,        // X_{a→b}, X_{(a, b)→c}: one arrow each
  mark,          // X^*, X^†: every axis decorated by `text`
  identity,      // I_{a, b}
  array,         // [[1, 2], [3, 4]]_{a, b}; an inner list is an array without axes
  cases,         // cases {X if p; Y otherwise}: value, condition, value, condition, ..., value
  parity,        // i odd, i even
  fold,          // sum_{i ∈ I} X: `text` is the reduction, `sub` the variable, `super` its range
  limit,         // lim_{a → b} X: `sub` is a, `super` is b
  norm,          // ‖X‖
  differential,  // ∂X; ∂f(X; H) is a differential of an apply
  derivative,    // ∂Y/∂X: children are Y, X, and more X for higher orders
  evaluated,     // X|_{a = b}: children are X, a, b
  hole,          // - where an operand will stand: - .ax -
  ellipsis,      // …
  infinity,      // ∞
};

struct Tree;

/// An axis with what is said about its size: seq[n-1] or seq.
struct AxisTerm {
  std::string name;
  std::vector<Tree> size;  // none or one
  friend bool operator==(const AxisTerm&, const AxisTerm&) = default;
};

/// a→b, (a, b)→c or c→(a[2], b).
struct Arrow {
  std::vector<AxisTerm> from;
  std::vector<AxisTerm> to;
  friend bool operator==(const Arrow&, const Arrow&) = default;
};

/// A formula. `text` is a name, `axes` what stands under it, `children` its operands.
struct Tree {
  Form form;
  Span span;
  std::string text;
  std::vector<std::string> axes;
  std::vector<Tree> children;
  Number number = 0;
  /// Labels or parameters below that are not plain names, and labels above.
  std::vector<Tree> sub = {};
  std::vector<Tree> super = {};
  std::vector<Arrow> arrows = {};
  /// How many operands of an apply stand before the semicolon; all of them if there is none.
  std::optional<std::size_t> before_semicolon = {};

  /// True for trees of the same formula, wherever it stands.
  friend bool operator==(const Tree& left, const Tree& right);
};

/// A set of tensors: R[seq, key[n]], [n]^{seq}, {0, 1}^{seq}. `shapes` are variables for shapes.
struct Domain {
  enum class Elements { reals, indices, listed, unknown } elements = Elements::reals;
  /// The bound of indices, or the listed elements.
  std::vector<Tree> values = {};
  std::vector<AxisTerm> axes = {};
  Span span = {};
  friend bool operator==(const Domain& left, const Domain& right) {
    return left.elements == right.elements && left.values == right.values &&
           left.axes == right.axes;
  }
};

/// X, Y ∈ R[seq, key]; further domains say that they are the same set.
struct Declaration {
  std::vector<Tree> names;
  std::vector<Domain> domains;
  Span span = {};
};

/// f_{ax} : R[ax] × R -> R[ax]. The head is a name, an apply without operands, or an operator on holes.
struct Signature {
  std::string name;
  std::vector<std::string> axes;
  std::vector<Domain> parameters;
  Domain result;
  Span span;
  Tree head = {Form::name, {}, {}, {}, {}};
};

/// What stands between two sides of an equation; `rule` is what a step cites.
struct Relation {
  std::string text;
  std::string rule;
  Span span;
};

/// X = Y = Z ∈ R[seq]: n sides with n - 1 relations. A continued one starts with a relation.
struct Equation {
  std::vector<Tree> sides;
  std::vector<Relation> relations;
  std::optional<Domain> domain = {};
  bool continued = false;
  Span span = {};
};

/// t = 1, …, n
struct Range {
  Tree name;
  std::vector<Tree> values;
  Span span = {};
};

using Statement = std::variant<Declaration, Signature, Equation, Range>;

/// f_{ax}(X, Y) = body, with local definitions; `computed` if it says how instead of what.
struct Definition {
  std::string name;
  std::vector<std::string> axes;
  std::vector<std::string> parameters;
  Tree body;
  std::vector<Definition> locals;
  bool computed = false;
  Span span;
};

}  // namespace axial::notation
