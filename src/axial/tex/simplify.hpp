// What only concerns the look of a formula is taken out of it.
#pragma once

#include "axial/tex/token.hpp"

namespace axial::tex {

/// The tokens of a formula without sizes, phantoms, colours, numbers of equations and arguments of
/// environments; all kinds of spaces are one. \label stays.
Tokens simplified(const Tokens& tokens);

/// For each `{` and \begin the index of what closes it; the end of the tokens if nothing does.
std::vector<std::size_t> matching_ends(const Tokens& tokens);

}  // namespace axial::tex
