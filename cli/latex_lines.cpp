#include "cli/latex_lines.hpp"

#include <algorithm>

#include "axial/notation/print.hpp"

namespace cli {
namespace {

using axial::notation::Form;
using axial::notation::to_latex;
using axial::notation::to_text;
using axial::notation::Tree;

/// A piece of a formula with the operator before it, and how wide it is about.
struct Piece {
  std::string latex;
  std::size_t width;
};

enum class Row { none, sum, product, contraction };

Row row_of(const Tree& tree) {
  if (tree.form == Form::contract) return Row::contraction;
  if (tree.form != Form::apply || tree.children.size() != 2) return Row::none;
  if (tree.text == "add" || tree.text == "sub") return Row::sum;
  return tree.text == "mul" ? Row::product : Row::none;
}

/// The operator of a tree with other operands.
Tree with_operands(const Tree& tree, Tree left, Tree right) {
  Tree result = tree;
  result.children = {std::move(left), std::move(right)};
  return result;
}

/// The pieces of a row; parentheses are where the whole formula has them.
std::vector<Piece> pieces_of(const Tree& formula) {
  const Row row = row_of(formula);
  if (row == Row::none) return {{to_latex(formula), width_of(to_text(formula))}};
  const Tree dots{Form::ellipsis, {}, {}, {}, {}};
  const std::string written_dots = to_latex(dots);
  std::vector<Piece> pieces;
  const Tree* rest = &formula;
  for (;; rest = &rest->children[0]) {
    const Tree& right = rest->children[1];
    const std::string piece = to_latex(with_operands(*rest, dots, right));
    pieces.push_back({piece.substr(written_dots.size() + 1), width_of(to_text(right)) + 3});
    if (row == Row::contraction || row_of(rest->children[0]) != row) break;
  }
  const Tree& first = rest->children[0];
  const std::string behind = to_latex(with_operands(*rest, dots, dots)).substr(written_dots.size());
  std::string opening = to_latex(with_operands(*rest, first, dots));
  opening.resize(opening.size() - behind.size());
  pieces.push_back({std::move(opening), width_of(to_text(first))});
  std::ranges::reverse(pieces);
  return pieces;
}

}  // namespace

std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char byte) { return (static_cast<unsigned char>(byte) & 0xc0) != 0x80; }));
}

std::vector<std::string> latex_lines(const Tree& formula, std::size_t width) {
  if (width_of(to_text(formula)) <= width) return {to_latex(formula)};
  std::vector<std::string> lines;
  std::size_t used = 0;
  for (const Piece& piece : pieces_of(formula)) {
    if (lines.empty() || used + piece.width > width) {
      lines.push_back(piece.latex);
      used = piece.width;
    } else {
      lines.back() += " " + piece.latex;
      used += piece.width;
    }
  }
  return lines;
}

}  // namespace cli
