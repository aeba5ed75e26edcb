#include "axial/document/format.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "axial/document/call.hpp"
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

/// What stands below a function in plain text looks like an axis; parameters are told apart here.
void mark_parameters(notation::Tree& tree, const Symbols& symbols, std::size_t item) {
  for (notation::Tree& child : tree.children) mark_parameters(child, symbols, item);
  if (tree.form != notation::Form::apply || tree.axes.empty()) return;
  const auto functions = symbols.visible_functions(tree.text, item);
  if (functions.empty() || functions[0]->below.size() != tree.axes.size()) return;
  if (is_formal_axis(symbols, *functions[0], 0)) return;
  for (const std::string& name : tree.axes) {
    tree.sub.push_back({notation::Form::name, tree.span, name, {}, {}});
  }
  tree.axes.clear();
}

notation::Statement with_parameters(notation::Statement statement, const Symbols& symbols,
                                    std::size_t item) {
  if (auto* equation = std::get_if<notation::Equation>(&statement)) {
    for (notation::Tree& side : equation->sides) mark_parameters(side, symbols, item);
  }
  if (auto* signature = std::get_if<notation::Signature>(&statement)) {
    mark_parameters(signature->head, symbols, item);
    signature->axes = signature->head.axes;
  }
  return statement;
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
  const Symbols symbols(contents);
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
        const auto number = static_cast<std::size_t>(&item - contents.items.data());
        rows += rows.empty() ? "  " : " \\\\\n  ";
        rows += notation::to_latex(with_parameters(*item.statement, symbols, number));
      },
      flush);
  flush();
  return "\\documentclass{article}\n\\usepackage{amsmath,amssymb,namedtensor}\n"
         "\\begin{document}\n" +
         body + "\\end{document}\n";
}

}  // namespace axial::document
