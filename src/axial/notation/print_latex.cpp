// LaTeX with the macros of namedtensor.sty.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "axial/notation/elaborate.hpp"
#include "axial/notation/letters.hpp"
#include "axial/notation/parser.hpp"
#include "axial/notation/print.hpp"
#include "axial/notation/printer.hpp"
#include "axial/vocabulary/elementwise.hpp"

namespace axial::notation {
namespace {

struct Spelling {
  std::string_view plain;
  std::string_view latex;
};

constexpr auto signs = std::to_array<Spelling>({
    {"⊙", "\\odot"},          {"→", "\\rightarrow"}, {"∈", "\\in"},         {"×", "\\times"},
    {":", "\\colon"},         {"≤", "\\leq"},        {"≥", "\\geq"},        {"≠", "\\neq"},
    {"∧", "\\land"},          {"∨", "\\lor"},        {"¬", "\\lnot "},      {"∞", "\\infty"},
    {"∂", "\\partial "},      {"…", "\\ldots"},      {"□", "\\mathord{-}"}, {"∣", "\\mid"},
    {"lim", "\\lim"},         {"†", "\\dagger"},     {"⊤", "\\top"},        {"≈", "\\approx"},
    {"≡", "\\equiv"},         {"∝", "\\propto"},     {"~", "\\sim"},        {"⊆", "\\subseteq"},
    {"⊇", "\\supseteq"},      {"⇔", "\\iff"},        {"⇒", "\\implies"},    {"odd", "\\text{odd}"},
    {"even", "\\text{even}"},
});

/// The command that TeX has for a function, or nothing: what the word's own LaTeX begins with.
std::string_view command_for(std::string_view name) {
  if (name == "sum") return "\\sum";
  const Word* word = find_word(name);
  if (word == nullptr || !word->latex.starts_with('\\') || name == "sigmoid") return {};
  const std::string_view command = word->latex.substr(0, word->latex.find_first_of(" ({", 1));
  const std::string_view rest = word->latex.substr(command.size());
  const bool is_prefix = rest == " {0}" || rest == "({0}, {1})";
  return is_prefix ? command : std::string_view{};
}

constexpr auto accents = std::to_array<Spelling>({
    {"\u0302", "\\hat"},
    {"\u0303", "\\tilde"},
    {"\u0304", "\\bar"},
    {"\u20D7", "\\vec"},
    {"\u0332", "\\underline"},
    {"\u0307", "\\dot"},
    {"\u0308", "\\ddot"},
    {"\u030C", "\\check"},
    {"\u0306", "\\breve"},
});

// Words that \\text makes prose of, or other words.
constexpr auto other_meanings = std::to_array<std::string_view>(
    {"where", "otherwise", "if",     "iff",    "for",    "and",   "or", "with", "such",
     "that",  "when",      "odd",    "even",   "else",   "const", "st", "let",  "is",
     "then",  "so",        "as",     "all",    "in",     "given", "by", "ln",   "sgn",
     "inv",   "ReLU",      "stdize", "arcsin", "arccos", "arctan"});

template <class List>
std::string_view spelling(const List& list, std::string_view plain) {
  const auto found = std::ranges::find(list, plain, &Spelling::plain);
  return found == list.end() ? std::string_view{} : found->latex;
}

bool is_digit(char byte) { return byte >= '0' && byte <= '9'; }
bool is_letter(char byte) { return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z'); }

/// How many bytes the first character of a text takes.
std::size_t character_length(std::string_view text) {
  std::size_t length = 1;
  while (length < text.size() && (text[length] & 0xC0) == 0x80) ++length;
  return length;
}

std::string with_underscores(std::string_view text) {
  std::string result;
  for (const char byte : text) result += byte == '_' ? "\\_" : std::string(1, byte);
  return result;
}

/// Letters without primes: x, \alpha, \mathcal{S}, \hat{x}, several as `font{kh}`.
std::string letters_of(std::string_view text, std::string_view font) {
  if (const auto command = command_of(text); !command.empty()) return fmt::format("\\{}", command);
  if (is_shape_variable(text)) {
    // 𝓐 is U+1D4D0.
    const int point = ((text[2] & 0x3F) << 6) | (text[3] & 0x3F);
    return fmt::format("\\mathcal{{{}}}", static_cast<char>('A' + (point - 0x4D0)));
  }
  for (const auto& [mark, command] : accents) {
    if (!text.ends_with(mark) || text.size() == mark.size()) continue;
    return fmt::format("{}{{{}}}", command,
                       letters_of(text.substr(0, text.size() - mark.size()), font));
  }
  const bool is_number = std::ranges::all_of(text, [](char c) { return is_digit(c) || c == '.'; });
  if (is_number || character_length(text) == text.size()) return std::string(text);
  const bool is_word =
      is_letter(text[0]) && std::ranges::find(other_meanings, text) == other_meanings.end();
  return fmt::format("{}{{{}}}", is_word ? font : "\\mathit", with_underscores(text));
}

/// A name with its primes.
std::string primed(std::string_view text, std::string_view font) {
  const std::size_t end = text.find_last_not_of('\'') + 1;
  if (end == 0) return std::string(text);
  return letters_of(text.substr(0, end), font) + std::string(text.substr(end));
}

bool is_single(std::string_view text) {
  if (text.empty()) return false;
  if (text[0] != '\\') return character_length(text) == text.size();
  return std::all_of(text.begin() + 1, text.end(), is_letter);
}

std::string braced(const std::string& text) { return is_single(text) ? text : "{" + text + "}"; }

/// Labels are words where names are letters, but for those that would be functions as words.
std::string_view label_font(std::string_view text) {
  return is_function(text.substr(0, text.find('_'))) ? "\\mathit" : "\\text";
}

/// A name with a label below, and a label below that.
std::string labelled(std::string_view text, std::string_view font) {
  const std::size_t split = text.find('_');
  if (split == 0 || split == std::string_view::npos) return primed(text, font);
  const std::string_view label = text.substr(split + 1);
  return primed(text.substr(0, split), font) + "_" + braced(labelled(label, label_font(label)));
}

bool is_label(const Tree& tree) { return is_plain_name(tree) && tree.text.size() > 1; }

class LatexPrinter final : public Printer {
 private:
  std::string sign(std::string_view symbol) const override {
    const std::string_view found = spelling(signs, symbol);
    return std::string(found.empty() ? symbol : found);
  }
  Printed number(const Tree& tree) const override;
  Printed name(const Tree& tree) const override;
  std::string axis(const std::string& name) const override;
  std::string enclosed(std::string_view open, const Printed& inner) const override;
  std::string script(const Tree& tree) const override { return braced(labels({tree})); }
  std::string rescripted(const Printed& base) const override { return "{" + base.text + "}"; }
  std::string contraction(const Axes& axes) const override {
    return "\\ndot{" + joined_axes(axes) + "}";
  }
  std::string concatenation(const Axes& axes) const override {
    return "\\ncat{" + joined_axes(axes) + "}";
  }
  std::string head(const Tree& tree) const override;
  std::string function_name(const std::string& name) const override;
  std::string fold_head(const Tree& tree) const override;
  bool stands_alone(const Tree&) const override { return true; }
  Printed quotient(const Tree& tree) const override;
  Printed derivative(const Tree& tree) const override;
  Printed evaluated(const Tree& tree) const override;
  Printed array(const Tree& tree) const override;
  Printed cases(const Tree& tree) const override;
  Printed call(const Tree& tree) const override;
  std::string shape(const Domain& domain) const override;
  std::string relation(const Relation& relation) const override;

  std::string labels(const std::vector<Tree>& trees) const;
};

Printed LatexPrinter::number(const Tree& tree) const {
  const std::string text = tree.text.empty() ? axial::to_text(tree.number) : tree.text;
  const std::size_t exponent = text.find('e');
  if (exponent != std::string::npos) {
    std::string power = text.substr(exponent + 1);
    if (power.starts_with('+')) power.erase(0, 1);
    return {fmt::format("{} \\cdot 10^{{{}}}", text.substr(0, exponent), power), Level::product};
  }
  const Level level = text.starts_with('-') ? Level::term : Level::primary;
  return {text, level, level == Level::term};
}

/// Labels with commas between them; one that is a word stands upright.
std::string LatexPrinter::labels(const std::vector<Tree>& trees) const {
  std::string text;
  for (const Tree& tree : trees) {
    if (!text.empty()) text += ", ";
    text += is_label(tree) ? labelled(tree.text, label_font(tree.text)) : print(tree).text;
  }
  return text;
}

Printed LatexPrinter::name(const Tree& tree) const {
  const bool has_label = tree.text.find('_', 1) != std::string::npos;
  Printed result{labelled(tree.text, "\\mathit")};
  result.has_sub = has_label;
  if (!tree.sub.empty()) {
    if (has_label) result.text = rescripted(result);
    result.text += "_" + braced(labels(tree.sub));
    result.has_sub = true;
  }
  if (!tree.super.empty()) result.text += "^" + braced(labels(tree.super));
  result.has_super = !tree.super.empty();
  if (result.has_sub || result.has_super) result.level = Level::postfix;
  return result;
}

/// \name{hidden}_1, \name{seq}', \name{ax}^{\prime*}
std::string LatexPrinter::axis(const std::string& name) const {
  const std::size_t first =
      std::min({name.find_first_of("'*"), name.find("†"), name.find("⊤"), name.size()});
  std::string_view plain = std::string_view(name).substr(0, first);
  std::string text;
  const std::size_t split = plain.rfind('_');
  const bool is_script = is_shape_variable(plain);
  const auto written = [&](std::string_view part) {
    return is_script ? letters_of(part, "")
                     : fmt::format("\\name{{{}}}", command_of(part).empty() ? std::string(part)
                                                                            : letters_of(part, ""));
  };
  if (split == std::string_view::npos || split == 0) {
    text = written(plain);
  } else {
    text = written(plain.substr(0, split)) + "_" + braced(std::string(plain.substr(split + 1)));
  }
  std::string marks;
  bool only_primes = true;
  for (std::string_view rest = std::string_view(name).substr(first); !rest.empty();) {
    const std::size_t length = character_length(rest);
    const std::string_view mark = rest.substr(0, length);
    only_primes = only_primes && mark == "'";
    marks += mark == "'" ? "\\prime" : mark == "*" ? "*" : sign(mark);
    rest.remove_prefix(length);
  }
  if (only_primes) return text + name.substr(first);
  return text + "^" + braced(marks);
}

std::string LatexPrinter::enclosed(std::string_view open, const Printed& inner) const {
  const std::string_view close = open == "("   ? ")"
                                 : open == "[" ? "]"
                                 : open == "{" ? "\\}"
                                               : "\\|";
  const std::string_view opening = open == "{" ? "\\{" : open == "‖" ? "\\|" : open;
  if (inner.tall) return fmt::format("\\left{}{}\\right{}", opening, inner.text, close);
  return fmt::format("{}{}{}", opening, inner.text, close);
}

std::string LatexPrinter::function_name(const std::string& name) const {
  if (const auto command = command_for(name); !command.empty()) return std::string(command);
  return primed(name, "\\text");
}

std::string LatexPrinter::head(const Tree& tree) const {
  std::string text = function_name(tree.text);
  if (!tree.axes.empty()) {
    const bool is_word = text.starts_with("\\text{") || text.starts_with("\\mathit{") ||
                         !command_for(tree.text).empty();
    const std::string called = is_word ? with_underscores(tree.text) : text;
    text = tree.text == "sum" ? "\\nsum{" + joined_axes(tree.axes) + "}"
                              : "\\nfun{" + joined_axes(tree.axes) + "}{" + called + "}";
  }
  if (!tree.sub.empty()) {
    // A name in front might be taken for an axis where there is no other.
    const bool only_names = std::ranges::all_of(tree.sub, is_plain_name);
    const bool is_clear = only_names || is_clear_label(tree.sub[0]);
    std::string below = labels({tree.sub[0]});
    if (!is_clear) below = "{" + below + "}";
    if (tree.sub.size() > 1) below += ", " + labels({tree.sub.begin() + 1, tree.sub.end()});
    text += "_" + braced(below);
  }
  return tree.super.empty() ? text : text + "^" + braced(labels(tree.super));
}

std::string LatexPrinter::fold_head(const Tree& tree) const {
  const std::string function = function_name(tree.text);
  if (tree.super.size() != 1) {
    const std::string text = function + "_" + braced(print(tree.sub[0]).text);
    return tree.super.empty() ? text : text + "^" + braced(labels(tree.super));
  }
  return fmt::format("{}_{{{} \\in {}}}", function, at(Level::primary, tree.sub[0]),
                     at(Level::primary, tree.super[0]));
}

Printed LatexPrinter::quotient(const Tree& tree) const {
  if (reads_as_derivative(tree.children[0], tree.children[1])) {
    return call_with_parentheses(tree, "\\text{div}");
  }
  return {
      fmt::format("\\frac{{{}}}{{{}}}", print(tree.children[0]).text, print(tree.children[1]).text),
      Level::prefixed,
      false,
      false,
      false,
      true};
}

Printed LatexPrinter::derivative(const Tree& tree) const {
  const std::size_t order = tree.children.size() - 1;
  std::string below;
  for (std::size_t k = 1; k <= order; ++k) {
    const std::string one = sign("∂") + prefix_operand(tree.children[k]).text;
    below += one + (k < order ? "\\, " : "");
  }
  const std::string above =
      order == 1 ? sign("∂") : fmt::format("\\partial^{} ", braced(fmt::format("{}", order)));
  return {fmt::format("\\frac{{{}{}}}{{{}}}", above, prefix_operand(tree.children[0]).text, below),
          Level::prefixed,
          false,
          false,
          false,
          true};
}

Printed LatexPrinter::evaluated(const Tree& tree) const {
  const Printed of = base(tree.children[0], '^');
  return {fmt::format("\\left.{}\\right|_{{{} = {}}}", of.text, at(Level::sum, tree.children[1]),
                      at(Level::sum, tree.children[2])),
          Level::postfix,
          false,
          false,
          false,
          true,
          true,
          of.has_super};
}

/// \sqrt{X} and |X|, which are functions with a spelling of their own.
Printed LatexPrinter::call(const Tree& tree) const {
  const bool is_plain = is_bare(tree) && tree.children.size() == 1;
  if (is_plain && tree.text == "sqrt") {
    const Printed inner = print(tree.children[0]);
    return {"\\sqrt{" + inner.text + "}", Level::postfix, false, true, false, inner.tall};
  }
  if (is_plain && tree.text == "abs") {
    // Braces keep |X| from being the size of an axis X.
    const Printed inner = before_bar(tree.children[0]);
    return {
        "\\left|{" + inner.text + "}\\right|", Level::prefixed, false, false, false, inner.tall};
  }
  // A letter in italics is a function only before parentheses.
  const bool is_upright =
      !tree.axes.empty() || head(tree).starts_with("\\text{") || !command_for(tree.text).empty();
  if (!is_upright && !tree.children.empty()) return call_with_parentheses(tree, head(tree));
  return Printer::call(tree);
}

/// Rows and columns under the names of their axes. Arrays of other shapes are lists of lists.
Printed LatexPrinter::array(const Tree& tree) const {
  const std::size_t order = tree.axes.size();
  const bool is_framed =
      (order == 1 || order == 2) && std::ranges::none_of(tree.axes, [](const auto& name) {
        return is_shape_variable(name) || name.find("⊤") != std::string::npos;
      });
  if (!is_framed) return listed_array(tree);
  const auto cells = [&](const std::vector<Tree>& trees) {
    std::string text;
    for (const Tree& cell : trees) text += (text.empty() ? "" : " & ") + print(cell).text;
    return text;
  };
  std::string rows;
  if (order == 1) {
    rows = cells(tree.children);
  } else {
    for (const Tree& row : tree.children) {
      const bool is_row = row.form == Form::array && row.axes.empty();
      rows += (rows.empty() ? "" : " \\\\ ") + (is_row ? cells(row.children) : print(row).text);
    }
  }
  return {fmt::format("{}\\begin{{array}}[b]{{@{{}}c@{{}}}}{}\\\\\\begin{{bmatrix}} {} "
                      "\\end{{bmatrix}}\\end{{array}}",
                      order == 2 ? axis(tree.axes[0]) : "", axis(tree.axes.back()), rows),
          Level::primary,
          false,
          false,
          false,
          true};
}

Printed LatexPrinter::cases(const Tree& tree) const {
  std::string rows;
  for (std::size_t k = 0; k < tree.children.size(); k += 2) {
    rows += (k == 0 ? "" : " \\\\ ") + at(Level::sum, tree.children[k]);
    rows += k + 1 < tree.children.size() ? " & \\text{if } " + case_condition(tree.children[k + 1])
                                         : " & \\text{otherwise}";
  }
  return {"\\begin{cases} " + rows + " \\end{cases}", Level::primary, false, false, false, true};
}

std::string LatexPrinter::shape(const Domain& domain) const {
  const bool is_reals = domain.elements == Domain::Elements::reals;
  const bool is_index = domain.elements == Domain::Elements::indices;
  const bool is_unknown = domain.elements == Domain::Elements::unknown;
  std::string elements = is_reals ? "\\mathbb{R}"
                         : is_unknown
                             ? "F"
                             : enclosed(is_index ? "[" : "{", list(domain.values, Level::sum));
  if (domain.axes.empty()) return is_unknown ? "F^\\emptyset" : elements;
  return elements + "^{" + axis_terms(domain.axes, " \\times ") + "}";
}

std::string LatexPrinter::relation(const Relation& relation) const {
  if (relation.rule.empty()) return sign(relation.text);
  const std::string rule =
      relation.rule == "?" ? "?" : "\\text{" + with_underscores(relation.rule) + "}";
  return fmt::format("\\stackrel{{{}}}{{{}}}", rule, sign(relation.text));
}

}  // namespace

std::string to_latex(const Tree& tree) { return LatexPrinter().print(tree).text; }
std::string to_latex(const Domain& domain) { return LatexPrinter().Printer::print(domain); }
std::string to_latex(const Statement& statement) {
  return LatexPrinter().Printer::print(statement);
}

}  // namespace axial::notation
