// A document in the other form of the notation.
#pragma once

#include <string>

#include "axial/document/contents.hpp"

namespace axial::document {

/// The statements of a document as plain text: a line each, a blank line between blocks. What could
/// not be read is a comment.
std::string as_plain_text(const Contents& contents);

/// The statements of a document as LaTeX that compiles with namedtensor.sty: a display for each block.
std::string as_latex(const Contents& contents);

}  // namespace axial::document
