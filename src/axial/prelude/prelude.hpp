// The phrases of the library, written in the notation itself; see prelude.nt.
#pragma once

#include <string_view>

namespace axial {

/// The text of prelude.nt.
std::string_view prelude_text();

}  // namespace axial
