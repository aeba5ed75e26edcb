// A document as a sequence of prose and mathematics, its macros expanded.
#pragma once

#include <filesystem>
#include <string>
#include <variant>
#include <vector>

#include "axial/tex/source.hpp"
#include "axial/tex/token.hpp"

namespace axial::tex {

/// What stands between two `&`. Its tokens hold no `&` or `\\` outside of groups and inner environments.
struct Cell {
  Tokens tokens;
  Span span;
};

/// A line of a display, up to `\\`.
struct Row {
  std::vector<Cell> cells;
  /// The argument of \label, if there is one.
  std::string label;
};

/// A formula in the text or a display. One cell in one row unless the display has `&` or `\\`.
struct Math {
  bool display = false;
  std::vector<Row> rows;
  Span span;
};

/// Words between formulas: commands gone, spaces made single, "\n\n" between paragraphs.
struct Prose {
  std::string text;
  Span span;
};

/// \section is level 1, \subsection level 2; \part and \chapter are levels -1 and 0.
struct Heading {
  int level;
  std::string title;
  Span span;
};

/// \begin{theorem} and the like, around prose and formulas: definition, itemize, abstract, ...
struct Environment {
  std::string name;
  bool begins;
  Span span;
};

/// A comment `% axial: text`.
struct Directive {
  std::string text;
  Span span;
};

/// Something that could not be read; reading went on behind it.
struct Problem {
  Error error;
};

using Segment = std::variant<Math, Prose, Heading, Environment, Directive, Problem>;

enum class Format { latex, markdown, notebook };

/// The format that the name of a file tells: .md and .markdown, .ipynb, else LaTeX.
Format format_of(const std::filesystem::path& path);

/// The segments of a document in order. `folder` is where \input looks for files. Never throws for
/// what is in the text: mistakes are Problems.
std::vector<Segment> read_document(Source& source, std::string name, std::string text,
                                   Format format, const std::filesystem::path& folder);

/// The tokens of a formula that is not part of a document, with the built-in macros only.
/// Fails with syntax.
Tokens read_formula(std::string_view text);

}  // namespace axial::tex
