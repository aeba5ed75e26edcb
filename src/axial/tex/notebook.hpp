// Jupyter notebooks: their cells of text.
#pragma once

#include <string>

#include "axial/tex/expand.hpp"
#include "axial/tex/notes.hpp"
#include "axial/tex/prose.hpp"

namespace axial::tex {

/// Reads the Markdown cells of a notebook, nbformat 4, one behind the other. `text` is its JSON.
void read_notebook(Source& source, Expander& expander, Notes& notes, Segments& segments,
                   const std::string& name, std::string text);

}  // namespace axial::tex
