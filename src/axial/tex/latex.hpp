// A LaTeX document: what its commands and environments mean for its segments.
#pragma once

#include "axial/tex/expand.hpp"
#include "axial/tex/notes.hpp"
#include "axial/tex/prose.hpp"

namespace axial::tex {

/// Reads everything that the expander has. With `has_preamble`, only definitions are read up to
/// \begin{document}.
void read_latex(Expander& expander, Notes& notes, Segments& segments, bool has_preamble);

}  // namespace axial::tex
