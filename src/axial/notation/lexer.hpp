// Plain text into tokens.
#pragma once

#include <string_view>

#include "axial/notation/token.hpp"

namespace axial::notation {

/// The tokens of `source`, ending with an end token. Comments run from # to the end of the line; a
/// line that starts with spaces begins with an indent token. Fails with syntax at stray characters.
Tokens tokenize(std::string_view source);

}  // namespace axial::notation
