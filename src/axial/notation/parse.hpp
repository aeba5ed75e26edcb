// Tokens into trees, the same grammar for LaTeX and plain text. Binding, tightest first: sub- and
// superscripts; juxtaposition; prefix functions; ⊙ .ax /; sum; + -; comparisons.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "axial/notation/token.hpp"
#include "axial/notation/tree.hpp"

namespace axial::notation {

/// Says whether a name is a function, so that `f X` applies it and `f_ax` puts an axis under it.
using IsFunction = std::function<bool(std::string_view)>;

/// A single formula in plain text. Fails with syntax, the span set to the place.
Tree parse_formula(std::string_view source, const IsFunction& is_function);
/// A single formula from tokens that end with an end token.
Tree parse_formula(Tokens tokens, const IsFunction& is_function);

/// True for what stands between two sides of an equation: =, ≤, ∝.
bool is_relation(const Token& token);

/// A statement together with the prose that follows it in the same line: "where", "for all".
struct Remarked {
  Statement statement;
  std::string remark;
};

/// The statements of a line of tokens, separated by commas, wide spaces or prose. Fails with syntax.
std::vector<Remarked> parse_line(Tokens tokens, const IsFunction& is_function);

/// The definition that an equation is read as: a name or a function of distinct names on its left,
/// its meaning on its right; nothing if the left side is anything else.
std::optional<Definition> as_definition(const Equation& equation);

/// What a text of signatures and definitions contains, in order.
struct Statements {
  std::vector<Signature> signatures;
  std::vector<Definition> definitions;
};

/// A text of signatures and definitions; names with a signature are functions from there on.
Statements parse_statements(std::string_view source, const IsFunction& is_function);

}  // namespace axial::notation
