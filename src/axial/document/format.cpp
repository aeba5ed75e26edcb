#include "axial/document/format.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "axial/notation/print.hpp"

namespace axial::document {
namespace {

/// The source of an item on one line, for what could not be read.
std::string source_of(const Contents& contents, const Item& item) {
  std::string text(contents.source.text(item.span));
  std::ranges::replace(text, '\n', ' ');
  std::ranges::replace(text, '\r', ' ');
  return text;
}

/// Calls `line` for every display item and `gap` between blocks.
template <class Line, class Gap>
void for_each_line(const Contents& contents, Line&& line, Gap&& gap) {
  const Item* before = nullptr;
  for (const Item& item : contents.items) {
    if (!item.display || item.assumed) continue;
    if (before != nullptr && before->block != item.block) gap();
    line(item);
    before = &item;
  }
}

}  // namespace

std::string as_plain_text(const Contents& contents) {
  std::string text;
  for_each_line(
      contents,
      [&](const Item& item) {
        text += item.statement
                    ? notation::to_text(*item.statement)
                    : fmt::format("# not in the notation: {}", source_of(contents, item));
        text += '\n';
      },
      [&] { text += '\n'; });
  return text;
}

std::string as_latex(const Contents& contents) {
  std::string body;
  std::string rows;
  const auto flush = [&] {
    if (!rows.empty()) body += "\\begin{gather*}\n" + rows + "\n\\end{gather*}\n";
    rows.clear();
  };
  for_each_line(
      contents,
      [&](const Item& item) {
        if (!item.statement) {
          flush();
          body += "% not in the notation: " + source_of(contents, item) + "\n";
          return;
        }
        rows += (rows.empty() ? "  " : " \\\\\n  ") + notation::to_latex(*item.statement);
      },
      flush);
  flush();
  return "\\documentclass{article}\n\\usepackage{amsmath,amssymb,namedtensor}\n"
         "\\begin{document}\n" +
         body + "\\end{document}\n";
}

}  // namespace axial::document
