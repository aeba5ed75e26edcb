// Plain text into trees. Binding, tightest first: ^ ; juxtaposition ; prefix functions ; ⊙ .ax / ;
// sum ; + - ; comparisons.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "axial/notation/tree.hpp"

namespace axial::notation {

/// Says whether a name is a function, so that `f X` applies it and `f_ax` puts an axis under it.
using IsFunction = std::function<bool(std::string_view)>;

/// What a text of signatures and definitions contains, in order.
struct Statements {
  std::vector<Signature> signatures;
  std::vector<Definition> definitions;
};

/// A single formula. Fails with syntax, the span set to the place.
Tree parse_formula(std::string_view source, const IsFunction& is_function);

/// A text of signatures and definitions; names with a signature are functions from there on.
Statements parse_statements(std::string_view source, const IsFunction& is_function);

}  // namespace axial::notation
