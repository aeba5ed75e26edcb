// Markdown with formulas.
#pragma once

#include <string_view>

#include "axial/tex/expand.hpp"
#include "axial/tex/notes.hpp"
#include "axial/tex/prose.hpp"

namespace axial::tex {

/// Reads `text`, which stands at `offset` in the source. What it defines stays defined.
void read_markdown(Expander& expander, Notes& notes, Segments& segments, std::string_view text,
                   std::size_t offset);

}  // namespace axial::tex
