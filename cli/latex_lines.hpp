// Formulas in LaTeX on several lines, for what is wider than a page.
#pragma once

#include <string>
#include <vector>

#include "axial/notation/tree.hpp"

namespace cli {

/// The formula as lines of about `width` characters, broken before the operators of its outermost
/// row: sums first, then products. What stands in parentheses or fractions stays together.
std::vector<std::string> latex_lines(const axial::notation::Tree& formula, std::size_t width);

/// How many characters a text shows, which are fewer than its bytes.
std::size_t width_of(std::string_view text);

}  // namespace cli
