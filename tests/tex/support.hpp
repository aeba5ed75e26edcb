// Short ways to read a text and to write down what was read.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "axial/tex/document.hpp"

namespace axial::tex {

/// The segments of a text, one line each: `math: a | b // c`, `display: ...`, `prose: ...`.
std::string outline(std::string_view text, Format format = Format::latex,
                    const std::filesystem::path& folder = {});

/// The tokens, typed with single spaces between them: `\frac { 1 } { 2 }`.
std::string typed(const Tokens& tokens);

/// All segments of one kind.
template <typename Kind>
std::vector<Kind> all_of(const std::vector<Segment>& segments) {
  std::vector<Kind> found;
  for (const Segment& segment : segments) {
    if (const Kind* one = std::get_if<Kind>(&segment)) found.push_back(*one);
  }
  return found;
}

}  // namespace axial::tex
