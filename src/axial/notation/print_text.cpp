// Plain text.
#include <fmt/format.h>

#include <algorithm>

#include "axial/base/error.hpp"
#include "axial/notation/elaborate.hpp"
#include "axial/notation/lexer.hpp"
#include "axial/notation/print.hpp"
#include "axial/notation/printer.hpp"

namespace axial::notation {
namespace {

/// The tokens of a text without their end; none if it has no tokens.
Tokens tokens_of(std::string_view text) {
  try {
    Tokens tokens = tokenize(text);
    tokens.pop_back();
    return tokens;
  } catch (const Error&) {
    return {};
  }
}

bool is_one_name(std::string_view text) {
  const Tokens tokens = tokens_of(text);
  return tokens.size() == 1 && tokens[0].kind == TokenKind::name && tokens[0].text == text;
}

/// X_i as it stands if that is one name, else X'_i or X_{0.5}.
std::string labelled(const std::string& text) {
  if (is_one_name(text)) return text;
  const std::size_t split = text.rfind('_');
  if (split == std::string::npos || split == 0) return text;
  const std::string label = text.substr(split + 1);
  return labelled(text.substr(0, split)) + "_" + (is_one_name(label) ? label : "{" + label + "}");
}

class TextPrinter final : public Printer {
 private:
  std::string sign(std::string_view symbol) const override {
    return symbol == "→" ? "->" : symbol == "∣" ? "|" : std::string(symbol);
  }
  Printed number(const Tree& tree) const override;
  Printed name(const Tree& tree) const override;
  std::string axis(const std::string& name) const override;
  std::string enclosed(std::string_view open, const Printed& inner) const override;
  std::string script(const Tree& tree) const override;
  std::string rescripted(const Printed& base) const override { return base.text; }
  std::string contraction(const Axes& axes) const override { return "." + braced(axes); }
  std::string concatenation(const Axes& axes) const override { return "⊕_" + braced(axes); }
  std::string head(const Tree& tree) const override;
  std::string function_name(const std::string& name) const override { return name + " "; }
  std::string fold_head(const Tree& tree) const override;
  bool stands_alone(const Tree& quotient) const override {
    return reads_as_derivative(quotient.children[0], quotient.children[1]);
  }
  Printed quotient(const Tree& tree) const override { return call_with_parentheses(tree, "div"); }
  Printed derivative(const Tree& tree) const override;
  Printed evaluated(const Tree& tree) const override;
  Printed array(const Tree& tree) const override { return listed_array(tree); }
  Printed cases(const Tree& tree) const override;
  std::string shape(const Domain& domain) const override;
  std::string relation(const Relation& relation) const override {
    return relation.text == "~" ? "∼" : relation.text;
  }
  std::string heading(const Signature& signature) const override;

  std::string braced(const Axes& axes) const;
  std::string below(const Tree& tree) const;
  std::string below(const std::vector<Tree>& labels) const;
  std::string above(const std::vector<Tree>& labels) const;
};

Printed TextPrinter::number(const Tree& tree) const {
  std::string text = tree.text.empty() ? axial::to_text(tree.number) : tree.text;
  // A plus sign in 1e+30 would end the number.
  std::erase(text, '+');
  const Level level = text.starts_with('-') ? Level::term : Level::primary;
  return {std::move(text), level, level == Level::term};
}

Printed TextPrinter::name(const Tree& tree) const {
  std::string text = labelled(tree.text);
  const bool is_primary = text == tree.text && is_one_name(text) && is_plain_name(tree);
  if (!tree.sub.empty()) {
    const Printed first = print(tree.sub[0]);
    // X_{f(Y)} would be an index along an axis f.
    const bool looks_like_index = first.text.find('(') != std::string::npos;
    text += "_{" + (looks_like_index ? enclosed("(", first) : first.text);
    for (std::size_t k = 1; k < tree.sub.size(); ++k) text += ", " + print(tree.sub[k]).text;
    text += "}";
  }
  if (!tree.super.empty()) text += "^{" + list(tree.super).text + "}";
  return {std::move(text), is_primary ? Level::primary : Level::postfix};
}

std::string TextPrinter::axis(const std::string& name) const {
  const std::size_t marks = std::min(name.find("*"), name.find("†"));
  if (name.find("⊤") == std::string::npos) return name;
  const std::size_t first = std::min(marks, name.find("⊤"));
  return name.substr(0, first) + "^{" + name.substr(first) + "}";
}

std::string TextPrinter::enclosed(std::string_view open, const Printed& inner) const {
  const std::string_view close = open == "(" ? ")" : open == "[" ? "]" : open == "{" ? "}" : open;
  return fmt::format("{}{}{}", open, inner.text, close);
}

std::string TextPrinter::script(const Tree& tree) const {
  const Printed printed = print(tree);
  Tokens tokens = tokens_of(printed.text);
  if (tokens.size() == 2 && tokens[0].text == "-") tokens.erase(tokens.begin());
  const bool is_small = tokens.size() == 1 && !printed.ends_in_function;
  return is_small ? printed.text : "{" + printed.text + "}";
}

std::string TextPrinter::braced(const Axes& axes) const {
  if (axes.size() == 1 && is_one_name(axes[0])) return axes[0];
  return "{" + joined_axes(axes) + "}";
}

std::string TextPrinter::head(const Tree& tree) const {
  return tree.text + below(tree) + above(tree.super);
}

/// Axes and labels below a function.
std::string TextPrinter::below(const Tree& tree) const {
  Axes axes = tree.axes;
  const bool only_names = std::ranges::all_of(tree.sub, is_plain_name);
  for (std::size_t k = 0; only_names && k < tree.sub.size(); ++k) axes.push_back(tree.sub[k].text);
  std::string text;
  // f_1 has an axis that cannot be written in braces.
  if (!axes.empty() && axes[0][0] >= '0' && axes[0][0] <= '9') {
    text = "_" + axes[0];
    axes.erase(axes.begin());
  }
  if (!axes.empty()) {
    const bool clear = axes.size() == 1 && is_one_name(tree.text + "_" + axes[0]) && text.empty() &&
                       !is_function(tree.text + "_" + axes[0].substr(0, axes[0].find('_')));
    text += clear ? "_" + axes[0] : "_{" + joined_axes(axes) + "}";
  }
  return only_names ? text : text + below(tree.sub);
}

/// Labels that are more than names. A name in front would be taken for an axis.
std::string TextPrinter::below(const std::vector<Tree>& labels) const {
  std::string text =
      is_clear_label(labels[0]) ? print(labels[0]).text : enclosed("(", print(labels[0]));
  for (std::size_t k = 1; k < labels.size(); ++k) text += ", " + print(labels[k]).text;
  return "_{" + text + "}";
}

std::string TextPrinter::above(const std::vector<Tree>& labels) const {
  if (labels.empty()) return {};
  return "^" + (labels.size() == 1 ? script(labels[0]) : "{" + list(labels).text + "}");
}

std::string TextPrinter::fold_head(const Tree& tree) const {
  if (tree.super.size() != 1) return tree.text + "_" + print(tree.sub[0]).text + above(tree.super);
  return fmt::format("{}_{{{} ∈ {}}}", tree.text, at(Level::primary, tree.sub[0]),
                     at(Level::primary, tree.super[0]));
}

/// ∂Y/∂X, ∂^2 Y/∂X ∂Z
Printed TextPrinter::derivative(const Tree& tree) const {
  const std::size_t order = tree.children.size() - 1;
  Printed below;
  for (std::size_t k = 1; k <= order; ++k) {
    const Printed one = prefix_operand(tree.children[k]);
    below.text += (k == 1 ? "∂" : " ∂") + one.text;
    below.ends_in_function = one.ends_in_function;
  }
  const std::string sign = order == 1 ? "∂" : fmt::format("∂^{} ", order);
  return {sign + prefix_operand(tree.children[0]).text + "/" + below.text, Level::product, false,
          false, below.ends_in_function};
}

Printed TextPrinter::evaluated(const Tree& tree) const {
  std::string of = base(tree.children[0], '_').text;
  // Two bars in a row would be one of a norm.
  if (of.ends_with('|')) of += ' ';
  return {fmt::format("{}|_{{{} = {}}}", of, at(Level::sum, tree.children[1]),
                      at(Level::sum, tree.children[2])),
          Level::postfix};
}

Printed TextPrinter::cases(const Tree& tree) const {
  std::string text;
  for (std::size_t k = 0; k < tree.children.size(); k += 2) {
    text += (k == 0 ? "" : "; ") + at(Level::sum, tree.children[k]);
    text +=
        k + 1 < tree.children.size() ? " if " + case_condition(tree.children[k + 1]) : " otherwise";
  }
  return {"cases {" + text + "}"};
}

std::string TextPrinter::shape(const Domain& domain) const {
  const std::string axes = axis_terms(domain.axes, ", ");
  if (domain.elements == Domain::Elements::reals) return axes.empty() ? "R" : "R[" + axes + "]";
  if (domain.elements == Domain::Elements::unknown)
    return axes.empty() ? "F^∅" : "F^{" + axes + "}";
  const bool is_index = domain.elements == Domain::Elements::indices;
  const std::string elements = enclosed(is_index ? "[" : "{", list(domain.values, Level::sum));
  return axes.empty() ? elements : elements + "^{" + axes + "}";
}

/// In a heading, all behind the last underscore is an axis.
std::string TextPrinter::heading(const Signature& signature) const {
  const Tree& tree = signature.head;
  const bool splits = tree.form == Form::apply && tree.children.empty() && !tree.axes.empty() &&
                      tree.text.find('_') != std::string::npos && is_one_name(tree.axes[0]);
  if (!splits) return Printer::heading(signature);
  Tree rest = tree;
  rest.axes.erase(rest.axes.begin());
  rest.text += "_" + tree.axes[0];
  return head(rest);
}

}  // namespace

std::string to_text(const Tree& tree) { return TextPrinter().print(tree).text; }
std::string to_text(const Domain& domain) { return TextPrinter().Printer::print(domain); }
std::string to_text(const Statement& statement) { return TextPrinter().Printer::print(statement); }

}  // namespace axial::notation
