// LaTeX into the tokens of the notation: \ndot{\key} becomes `.{key}`, \frac{X}{Y} becomes `((X)/(Y))`.
#pragma once

#include <functional>
#include <string_view>

#include "axial/notation/token.hpp"
#include "axial/tex/token.hpp"

namespace axial::notation {

/// Says whether letters in math italics are one name; otherwise each is a name of its own.
using IsLongName = std::function<bool(std::string_view)>;

/// The tokens of a formula, without an end token. Parentheses that only group have the note
/// "implied". A command without a meaning becomes a symbol that starts with a backslash.
Tokens from_latex(const tex::Tokens& source, const IsLongName& is_long_name);

/// Runs of several letters that stand as a whole where a name must stand: in a size, below a
/// function. They are names wherever they occur.
std::vector<std::string> long_names(const tex::Tokens& source);

}  // namespace axial::notation
