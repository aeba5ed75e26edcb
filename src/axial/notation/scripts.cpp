// Sub- and superscripts: powers, labels, indices, renamings, axes under functions.
#include <fmt/format.h>

#include <algorithm>

#include "axial/notation/parser.hpp"
#include "axial/vocabulary/elementwise.hpp"

namespace axial::notation {
namespace {

bool is_plain(const Tree& tree) {
  return (tree.form == Form::name || tree.form == Form::number) && tree.sub.empty() &&
         tree.super.empty();
}

/// True if `variable` is a position in some index of `tree`.
bool is_used_as_position(const std::string& variable, const Tree& tree) {
  const auto mentions = [&](const Tree& part, auto&& self) -> bool {
    return (part.form == Form::name && part.text == variable) ||
           std::ranges::any_of(part.children, [&](const Tree& child) { return self(child, self); });
  };
  if (tree.form == Form::index &&
      std::any_of(tree.children.begin() + 1, tree.children.end(),
                  [&](const Tree& position) { return mentions(position, mentions); })) {
    return true;
  }
  return std::ranges::any_of(
      tree.children, [&](const Tree& child) { return is_used_as_position(variable, child); });
}

}  // namespace

bool is_shape_variable(std::string_view name) {
  // The bold script letters 𝓐 to 𝔃 share their first three bytes, but for the last few.
  return name.starts_with("\xF0\x9D\x93") || name.starts_with("\xF0\x9D\x94");
}

bool Parser::is_axis(std::size_t ahead) const {
  const Token& token = peek(ahead);
  return token.kind == TokenKind::axis ||
         (token.kind == TokenKind::name && is_shape_variable(token.text));
}

/// A name with its decorations.
std::string Parser::axis_name() {
  const bool is_number = peek().kind == TokenKind::number;
  if (is_number) fail("the name of an axis is expected here", "axes have names, not numbers");
  std::string text = name();
  while (at_symbol("⊙") || at_symbol("†")) text += take().text == "†" ? "†" : "*";
  if (at_symbol("^")) {
    take();
    text += marks();
  }
  return text;
}

/// *, † or, in braces, several of them: X^* ⊙ Y has one, though both signs are the same token.
std::string Parser::marks() {
  const bool braced = symbol("{");
  std::string text;
  while ((braced || text.empty()) && (at_symbol("⊙") || at_symbol("†") || at_symbol("⊤"))) {
    const std::string sign = take().text;
    text += sign == "⊙" ? "*" : sign;
  }
  if (text.empty()) fail("a star or a dagger is expected here");
  if (braced) expect("}");
  return text;
}

/// a, or {a, b}. Unions of shapes are lists as well.
std::vector<std::string> Parser::axis_list() {
  if (!symbol("{")) return {axis_name()};
  std::vector<std::string> axes;
  if (symbol("}")) return axes;
  do {
    const bool grouped = symbol("(");
    const std::size_t first = axes.size();
    do axes.push_back(axis_name());
    while (grouped && (symbol(",") || symbol("∪")));
    if (!grouped) continue;
    expect(")");
    if (symbol("^")) {
      const std::string decoration = marks();
      for (std::size_t k = first; k < axes.size(); ++k) axes[k] += decoration;
    }
  } while (symbol(",") || symbol("∪") || symbol("×"));
  expect("}");
  return axes;
}

/// True if `wanted` stands in the script that comes next, outside of inner braces.
bool Parser::script_has(std::string_view wanted) const {
  int open = 0;
  for (std::size_t ahead = 1; peek(ahead).kind != TokenKind::end; ++ahead) {
    if (at_symbol(wanted, ahead) && open == 1) return true;
    open += at_symbol("{", ahead) ? 1 : at_symbol("}", ahead) ? -1 : 0;
    if (open <= 0) return false;
  }
  return false;
}

/// The formulas in {X, Y}, or a single small one.
std::vector<Tree> Parser::script_list() {
  if (!symbol("{")) {
    if (!at_symbol("-")) return {primary()};
    const Token sign = take();
    Tree tree{Form::apply, {}, std::string(operator_word(sign.text, 1)->name), {}, {primary()}};
    tree.span = since(sign.span.begin);
    return {tree};
  }
  std::vector<Tree> all;
  do all.push_back(condition());
  while (symbol(","));
  expect("}");
  return all;
}

Tree Parser::marked(Tree base, std::string marks) {
  const std::size_t begin = base.span.begin;
  Tree tree{Form::mark, {}, std::move(marks), {}, {}};
  tree.children.push_back(std::move(base));
  tree.span = since(begin);
  return tree;
}

/// A power, a star or dagger, or several labels.
Tree Parser::superscripted(Tree base) {
  const std::size_t begin = base.span.begin;
  expect("^");
  const std::size_t sign = at_symbol("{") ? 1 : 0;
  if (at_symbol("⊙", sign) || at_symbol("†", sign) || at_symbol("⊤", sign)) {
    return marked(std::move(base), marks());
  }
  std::vector<Tree> exponents = script_list();
  if (exponents.size() == 1) {
    return binary("^", std::move(base), std::move(exponents[0]), begin);
  }
  if (base.form != Form::name) fail("a power is one number", "several labels belong to a name");
  base.super = std::move(exponents);
  base.span = since(begin);
  return base;
}

/// An index, a renaming, a pair of axes, or labels.
Tree Parser::subscripted(Tree base) {
  const Depth depth(*this);
  if (at_symbol("{", 1) && script_has("→")) return rename_of(std::move(base));
  const std::size_t first = at_symbol("{", 1) ? 2 : 1;
  const bool names_axis =
      is_axis(first) || (peek(first).kind == TokenKind::name && !has_axis_font_);
  std::size_t after = first + 1;
  while (at_symbol("⊙", after) || at_symbol("†", after)) ++after;
  if (names_axis && at_symbol("(", after)) return index_of(std::move(base));
  const std::size_t begin = base.span.begin;
  const bool is_identity = base.form == Form::name && base.text == "I" && script_has(",");
  if (is_axis(first) || (is_identity && !has_axis_font_)) {
    take();
    Tree tree{Form::identity, {}, {}, axis_list(), {}};
    tree.span = since(begin);
    if (!is_identity || tree.axes.size() != 2) {
      throw Error(code("syntax"), "axes alone do not select anything here",
                  "write positions, ax(i), or a renaming, a→b", tree.span);
    }
    return tree;
  }
  expect("_");
  std::vector<Tree> labels = script_list();
  if (base.form != Form::name) {
    throw Error(code("syntax"), "this is indexed by something that names no axis",
                "write positions as ax(i)", since(begin));
  }
  if (labels.size() == 1 && is_plain(labels[0])) {
    base.text += "_" + labels[0].text;
  } else {
    base.sub = std::move(labels);
  }
  base.span = since(begin);
  return base;
}

/// X_{a(i), b(j:k)}
Tree Parser::index_of(Tree base) {
  const std::size_t begin = base.span.begin;
  expect("_");
  const bool braced = symbol("{");
  Tree tree{Form::index, {}, {}, {}, {}};
  tree.children.push_back(std::move(base));
  do {
    tree.axes.push_back(axis_name());
    expect("(");
    Tree position = sum();
    if (symbol(":")) {
      Tree slice{Form::slice, position.span, {}, {}, {}};
      slice.children.push_back(std::move(position));
      slice.children.push_back(sum());
      slice.span = since(slice.span.begin);
      position = std::move(slice);
    }
    tree.children.push_back(std::move(position));
    expect(")");
  } while (braced && (symbol(",") || symbol("∪")));
  if (braced) expect("}");
  tree.span = since(begin);
  return tree;
}

/// X_{a→b, (c, d)→e}
Tree Parser::rename_of(Tree base) {
  const std::size_t begin = base.span.begin;
  expect("_");
  expect("{");
  Tree tree{Form::rename, {}, {}, {}, {}};
  tree.children.push_back(std::move(base));
  do tree.arrows.push_back(arrow());
  while (symbol(","));
  expect("}");
  tree.span = since(begin);
  return tree;
}

Arrow Parser::arrow() {
  Arrow result{axis_group(), {}};
  expect("→");
  result.to = axis_group();
  return result;
}

/// a, a[n], (a, b) or a ∪ b, decorated as a whole or not.
std::vector<AxisTerm> Parser::axis_group() {
  std::vector<AxisTerm> terms;
  const bool grouped = symbol("(");
  do terms.push_back(axis_term());
  while (symbol("∪") || (grouped && symbol(",")));
  if (!grouped) return terms;
  expect(")");
  if (symbol("^")) {
    const std::string decoration = marks();
    for (AxisTerm& term : terms) term.name += decoration;
  }
  return terms;
}

AxisTerm Parser::axis_term() {
  AxisTerm term{axis_name(), {}};
  if (symbol("[")) {
    term.size.push_back(sum());
    expect("]");
  }
  return term;
}

/// Labels above a function and what stands below it, in any order.
void Parser::read_scripts(Tree& tree) {
  const Token token = take();
  const std::string_view below = std::string_view(token.text).substr(tree.text.size());
  if (!below.empty()) tree.axes = {std::string(below.substr(1))};
  while (at_symbol("^") || at_symbol("_")) {
    if (at_symbol("_")) {
      read_below(tree);
    } else {
      take();
      tree.super = script_list();
    }
  }
}

void Parser::read_below(Tree& tree) {
  const bool ranged = script_has("∈") || script_has("=");
  if (ranged) {
    take();
    expect("{");
    tree.sub.push_back(primary());
    const bool has_set = symbol("∈");
    if (!has_set) expect("=");
    // A range written i = 1 and n above has its end there; the end alone is kept.
    if (has_set) {
      tree.super = {at_symbol("[") ? bracketed() : primary()};
    } else {
      sum();
    }
    expect("}");
    return;
  }
  const std::size_t first = at_symbol("{", 1) ? 2 : 1;
  const bool lists_axes =
      is_axis(first) || (!has_axis_font_ && !script_has("+") && !script_has("-") &&
                         !script_has("/") && peek(first).kind == TokenKind::name);
  take();
  if (lists_axes) {
    const std::vector<std::string> axes = axis_list();
    tree.axes.insert(tree.axes.end(), axes.begin(), axes.end());
  } else {
    tree.sub = script_list();
  }
}

/// Σ_i X_{ax(i)} folds over a variable, not an axis.
void Parser::read_fold_variable(Tree& tree) {
  const bool has_range = tree.sub.size() == 1 && tree.sub[0].form == Form::name;
  const std::string variable = has_range               ? tree.sub[0].text
                               : tree.axes.size() == 1 ? tree.axes[0]
                                                       : std::string{};
  if (variable.empty() || tree.children.size() != 1) return;
  if (!is_used_as_position(variable, tree.children[0])) return;
  tree.form = Form::fold;
  if (!has_range) tree.sub = {Tree{Form::name, tree.span, variable, {}, {}}};
  tree.axes.clear();
}

}  // namespace axial::notation
