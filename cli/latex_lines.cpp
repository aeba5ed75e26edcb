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
  double width;
};

/// How wide a formula is about, in characters: what stands below or above something needs less room
/// than in plain text.
double width_of(const Tree& tree) {
  const auto small = [](std::size_t length) { return 0.7 * static_cast<double>(length); };
  double children = 0, widest = 0;
  for (const Tree& child : tree.children) {
    children += width_of(child);
    widest = std::max(widest, width_of(child));
  }
  const bool is_apply = tree.form == Form::apply;
  if (is_apply && tree.text == "div") return widest;
  if (is_apply && tree.text == "sqrt") return children + 2;
  if (is_apply && tree.text == "pow") return width_of(tree.children[0]) + 1;
  if (is_apply || tree.form == Form::contract) {
    const bool is_operator = tree.form == Form::contract || tree.children.size() == 2;
    std::size_t below = 0;
    for (const std::string& axis : tree.axes) below += axis.size();
    const double name = is_operator ? 3 : static_cast<double>(tree.text.size()) + 1;
    return children + std::max(name, small(below));
  }
  if (tree.form == Form::rename) {
    double arrows = 0;
    for (const auto& arrow : tree.arrows) {
      for (const auto& axis : arrow.from) arrows += small(axis.name.size());
      for (const auto& axis : arrow.to) arrows += small(axis.name.size() + 3);
    }
    return children + arrows;
  }
  if (tree.form == Form::mark || tree.form == Form::differential) return children + 2;
  return static_cast<double>(cli::width_of(to_text(tree)));
}

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
  if (row == Row::none) return {{to_latex(formula), width_of(formula)}};
  const Tree dots{Form::ellipsis, {}, {}, {}, {}};
  const std::string written_dots = to_latex(dots);
  std::vector<Piece> pieces;
  const Tree* rest = &formula;
  for (;; rest = &rest->children[0]) {
    const Tree& right = rest->children[1];
    const std::string piece = to_latex(with_operands(*rest, dots, right));
    pieces.push_back({piece.substr(written_dots.size() + 1), width_of(right) + 3});
    if (row == Row::contraction || row_of(rest->children[0]) != row) break;
  }
  const Tree& first = rest->children[0];
  const std::string behind = to_latex(with_operands(*rest, dots, dots)).substr(written_dots.size());
  std::string opening = to_latex(with_operands(*rest, first, dots));
  opening.resize(opening.size() - behind.size());
  pieces.push_back({std::move(opening), width_of(first)});
  std::ranges::reverse(pieces);
  return pieces;
}

}  // namespace

std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char byte) { return (static_cast<unsigned char>(byte) & 0xc0) != 0x80; }));
}

std::vector<std::string> latex_lines(const Tree& formula, std::size_t width) {
  const auto room = static_cast<double>(width);
  if (width_of(formula) <= room) return {to_latex(formula)};
  std::vector<std::string> lines;
  double used = 0;
  for (const Piece& piece : pieces_of(formula)) {
    if (lines.empty() || used + piece.width > room) {
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
