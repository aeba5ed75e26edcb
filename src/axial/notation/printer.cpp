#include "axial/notation/printer.hpp"

#include <algorithm>
#include <optional>

#include "axial/notation/elaborate.hpp"
#include "axial/vocabulary/elementwise.hpp"

namespace axial::notation {
namespace {

// The parser reads no more than 1000 operators in a row.
constexpr std::size_t max_row = 900;

bool is_sum(const Tree& tree) {
  const bool sums = tree.form == Form::apply || tree.form == Form::fold;
  return sums && tree.text == "sum" && tree.children.size() == 1 && !tree.before_semicolon;
}

bool is_mention(const Tree& tree) { return tree.form == Form::apply && tree.children.empty(); }

/// The word of an operator, or null for functions that are written in front of their operands.
const Word* operator_of(const Tree& tree) {
  if (tree.form != Form::apply || !is_bare(tree)) return nullptr;
  const Word* word = find_word(tree.text);
  const bool fits = word != nullptr && !word->symbol.empty() && word->symbol != "^" &&
                    word->arity() == static_cast<int>(tree.children.size());
  return fits ? word : nullptr;
}

/// True if a row goes on with another operator than before, and one of them is a contraction.
bool is_mixed(const Tree& before, const Tree& after) {
  const bool contracts = before.form == Form::contract || after.form == Form::contract;
  return contracts && (before.form != after.form || before.axes != after.axes);
}

bool is_power(const Tree& tree) {
  return tree.form == Form::mark || (tree.form == Form::apply && is_bare(tree) &&
                                     tree.text == "pow" && tree.children.size() == 2);
}

/// True for what stands behind a number without a sign: 2 X, 2 (X + Y), 2 exp X.
bool can_follow_number(const Tree& tree, const Printed& printed) {
  const bool in_parentheses = printed.text.starts_with("(") || printed.text.starts_with("\\left(");
  const bool is_name = tree.form == Form::name || tree.form == Form::identity;
  const bool is_function = tree.form == Form::apply && tree.text != "abs" && tree.text != "pow";
  const Tree* base = &tree;
  while (base->form == Form::mark || base->form == Form::rename ||
         (base->form == Form::apply && base->text == "pow" && base->children.size() == 2)) {
    base = &base->children[0];
  }
  const bool is_scripted = base != &tree && base->form == Form::name;
  return printed.level >= Level::prefixed &&
         (in_parentheses || is_name || is_function || is_scripted);
}

}  // namespace

bool is_plain_name(const Tree& tree) {
  return tree.form == Form::name && tree.sub.empty() && tree.super.empty();
}

bool is_bare(const Tree& apply) {
  return apply.axes.empty() && apply.sub.empty() && apply.super.empty() && !apply.before_semicolon;
}

bool is_clear_label(const Tree& tree) {
  const bool is_sum = tree.form == Form::apply && is_bare(tree) &&
                      (tree.text == "add" || tree.text == "sub" || tree.text == "neg");
  return tree.form == Form::number || (is_sum && operator_of(tree) != nullptr);
}

bool reads_as_derivative(const Tree& left, const Tree& right) {
  const auto is_differential = [](const Tree& tree) { return tree.form == Form::differential; };
  const Tree* rest = &right;
  while (rest->form == Form::apply && rest->text == "mul" && rest->children.size() == 2 &&
         is_differential(rest->children[1])) {
    rest = &rest->children[0];
  }
  return is_differential(left) && is_differential(*rest);
}

/// How the operator of a row X ⊙ Y / Z or X + Y - Z binds; nothing for everything else.
std::optional<Level> Printer::chain_level(const Tree& tree) const {
  if (tree.form == Form::contract || tree.form == Form::concat) return Level::product;
  const Word* word = operator_of(tree);
  if (word == nullptr || word->arity() != 2) return std::nullopt;
  if (word->symbol == "/" && stands_alone(tree)) return std::nullopt;
  if (word->symbol == "⊙" || word->symbol == "/") return Level::product;
  if (word->symbol == "+" || word->symbol == "-") return Level::sum;
  return word->takes == Takes::booleans ? Level::condition : Level::comparison;
}

std::string Printer::at(Level level, const Tree& tree) const {
  Printed printed = print(tree);
  return printed.level < level ? enclosed("(", printed) : std::move(printed.text);
}

Printed Printer::prefix_operand(const Tree& tree) const {
  if (is_sum(tree)) {
    return tree.form == Form::fold ? call_with_parentheses(tree, fold_head(tree)) : call(tree);
  }
  Printed printed = print(tree);
  if (printed.level >= Level::prefixed) return printed;
  return in_parentheses(printed);
}

Printed Printer::in_parentheses(const Printed& inner) const {
  return {enclosed("(", inner), Level::primary, false, false, false, inner.tall};
}

Printed Printer::before_bar(const Tree& tree) const {
  Printed printed = print(tree);
  const bool binds = printed.level >= Level::sum && !printed.ends_in_function;
  if (!binds) printed.text = enclosed("(", printed);
  return printed;
}

/// What a script is set to.
Printed Printer::base(const Tree& tree, char place) const {
  Printed printed = print(tree);
  const bool binds = printed.level >= Level::postfix && !(place == '^' && printed.is_call);
  if (!binds) return in_parentheses(printed);
  // (X^3)^* and (X^*)^3 are clearer than three scripts in a row.
  if (place == '^' && is_power(tree)) return in_parentheses(printed);
  if (place == '^' ? printed.has_super : printed.has_sub) return {rescripted(printed)};
  return printed;
}

Printed Printer::list(const std::vector<Tree>& trees, Level level) const {
  Printed all;
  for (const Tree& tree : trees) {
    const Printed one = print(tree);
    if (!all.text.empty()) all.text += ", ";
    all.text += one.level < level ? enclosed("(", one) : one.text;
    all.tall = all.tall || one.tall;
  }
  return all;
}

std::string Printer::joined_axes(const Axes& axes) const {
  std::string text;
  for (const std::string& name : axes) text += (text.empty() ? "" : ", ") + axis(name);
  return text;
}

std::string Printer::axis_terms(const std::vector<AxisTerm>& terms,
                                std::string_view between) const {
  std::string text;
  for (const AxisTerm& term : terms) {
    if (!text.empty()) text += between;
    text += axis(term.name);
    if (!term.size.empty()) text += "[" + at(Level::sum, term.size[0]) + "]";
  }
  return text;
}

Printed Printer::print(const Tree& tree) const {
  if (chain_level(tree)) return chain(tree);
  switch (tree.form) {
    case Form::number: return number(tree);
    case Form::name: return name(tree);
    case Form::apply: return apply(tree);
    case Form::index: return index(tree);
    case Form::rename: return rename(tree);
    case Form::mark: return mark(tree);
    case Form::array: return array(tree);
    case Form::cases: return cases(tree);
    case Form::fold: return fold(tree);
    case Form::limit: return limit(tree);
    case Form::derivative: return derivative(tree);
    case Form::evaluated: return evaluated(tree);
    default: return other(tree);
  }
}

Printed Printer::other(const Tree& tree) const {
  switch (tree.form) {
    case Form::size: return {"|" + axis(tree.text) + "|"};
    case Form::truth: return {enclosed("[", print(tree.children[0]))};
    case Form::norm: return {enclosed("‖", before_bar(tree.children[0]))};
    case Form::identity:
      return {
          "I_{" + joined_axes(tree.axes) + "}", Level::postfix, false, false, false, false, true};
    case Form::parity: return {case_condition(tree), Level::condition};
    case Form::slice:
      return {at(Level::sum, tree.children[0]) + ":" + at(Level::sum, tree.children[1]),
              Level::sum};
    case Form::differential: {
      // ∂(exp X) is clearer than ∂exp X.
      const Tree& of = tree.children[0];
      Printed operand = print(of);
      const bool is_plain = of.form == Form::name || of.form == Form::mark ||
                            of.form == Form::rename || of.form == Form::index ||
                            (of.form == Form::apply && of.axes.empty() && of.text != "pow");
      if (!is_plain || operand.level < Level::postfix) operand = in_parentheses(operand);
      operand.text = sign("∂") + operand.text;
      return {std::move(operand.text),  Level::prefixed, false, false,
              operand.ends_in_function, operand.tall};
    }
    case Form::hole: return {sign("□")};
    case Form::ellipsis: return {sign("…")};
    default: return {sign("∞")};
  }
}

Printed Printer::apply(const Tree& tree) const {
  if (const Word* word = operator_of(tree)) {
    return word->symbol == "/" ? quotient(tree) : unary(tree, word->symbol);
  }
  if (is_bare(tree) && tree.text == "pow" && tree.children.size() == 2) return raised(tree);
  if (is_sum(tree)) return sum_sign(tree, head(tree));
  return call(tree);
}

/// A sign reaches over the product that follows it.
Printed Printer::unary(const Tree& tree, std::string_view symbol) const {
  Printed operand = print(tree.children[0]);
  if (operand.level < Level::term) operand = in_parentheses(operand);
  return {sign(symbol) + operand.text, Level::term, true, false,
          operand.ends_in_function,    operand.tall};
}

/// X ⊙ Y / Z and X + Y - Z. Rows nest to the left and may be long, hence the loop.
Printed Printer::chain(const Tree& tree) const {
  const Level level = *chain_level(tree);
  const bool joins = level != Level::comparison;
  std::vector<const Tree*> links{&tree};
  while (joins && chain_level(links.back()->children[0]) == level) {
    links.push_back(&links.back()->children[0]);
  }
  Printed all = print(links.back()->children[0]);
  if (all.level < (joins ? level : Level::sum)) all = in_parentheses(all);
  const Tree* before = nullptr;
  for (std::size_t count = 1; !links.empty(); links.pop_back(), ++count) {
    // A contraction beside another operator of the same binding is set apart for the reader.
    const bool mixed =
        before != nullptr && level == Level::product && is_mixed(*before, *links.back());
    before = links.back();
    const bool is_taken_in = level == Level::product && all.reaches_on;
    if (is_taken_in || mixed || count % max_row == 0) all = in_parentheses(all);
    all = joined(std::move(all), *links.back());
  }
  return all;
}

/// One more link of a chain.
Printed Printer::joined(Printed left, const Tree& tree) const {
  const Level level = *chain_level(tree);
  Printed right = print(tree.children[1]);
  const Level least = level == Level::condition    ? Level::comparison
                      : level == Level::comparison ? Level::sum
                                                   : Level::term;
  if (right.level < least || (level == Level::product && right.level == Level::product)) {
    right = in_parentheses(right);
  }
  const std::string between = tree.form == Form::contract ? contraction(tree.axes)
                              : tree.form == Form::concat ? concatenation(tree.axes)
                                                          : sign(find_word(tree.text)->symbol);
  const bool by_number = tree.form == Form::apply && tree.children[0].form == Form::number &&
                         between == sign("⊙") && can_follow_number(tree.children[1], right);
  left.text += by_number ? " " + right.text : " " + between + " " + right.text;
  return {std::move(left.text),   level, right.reaches_on, false, right.ends_in_function,
          left.tall || right.tall};
}

Printed Printer::sum_sign(const Tree& tree, std::string head) const {
  const Printed operand = print(tree.children[0]);
  const bool binds = operand.level >= Level::term;
  return {std::move(head) + " " + (binds ? operand.text : enclosed("(", operand)),
          Level::term,
          true,
          false,
          binds && operand.ends_in_function,
          true};
}

Printed Printer::call(const Tree& tree) const {
  std::string function = head(tree);
  if (tree.children.empty()) {
    return {std::move(function), Level::prefixed, false, false, true};
  }
  const Tree& first = tree.children[0];
  const bool is_known = is_function(tree.text) || !tree.axes.empty();
  const bool alone = tree.children.size() == 1 && !tree.before_semicolon &&
                     (is_mention(first) || (is_known && is_plain_name(first)));
  if (!alone) return call_with_parentheses(tree, std::move(function));
  const Printed operand = print(first);
  return {std::move(function) + " " + operand.text, Level::prefixed, false, false,
          operand.ends_in_function};
}

Printed Printer::call_with_parentheses(const Tree& tree, std::string head) const {
  Printed arguments;
  for (std::size_t k = 0; k < tree.children.size(); ++k) {
    const Printed one = print(tree.children[k]);
    if (k > 0) arguments.text += k == tree.before_semicolon ? "; " : ", ";
    arguments.text += one.text;
    arguments.tall = arguments.tall || one.tall;
  }
  const bool is_call = tree.children.size() == 1 && !tree.before_semicolon && tree.super.empty();
  return {std::move(head) + enclosed("(", arguments),
          Level::postfix,
          false,
          is_call,
          false,
          arguments.tall};
}

/// sum_{i ∈ I} X, max {X | i ∈ I}, max_i X
Printed Printer::fold(const Tree& tree) const {
  if (is_sum(tree)) return sum_sign(tree, fold_head(tree));
  if (tree.super.size() != 1) return call_with_parentheses(tree, fold_head(tree));
  Printed body = before_bar(tree.children[0]);
  body.text += " " + sign("∣") + " " + at(Level::primary, tree.sub[0]) + " " + sign("∈") + " " +
               at(Level::primary, tree.super[0]);
  return {function_name(tree.text) + enclosed("{", body),
          Level::prefixed,
          false,
          false,
          false,
          body.tall};
}

Printed Printer::limit(const Tree& tree) const {
  const Printed operand = prefix_operand(tree.children[0]);
  return {sign("lim") + "_{" + at(Level::primary, tree.sub[0]) + " " + sign("→") + " " +
              at(Level::sum, tree.super[0]) + "} " + operand.text,
          Level::prefixed,
          false,
          false,
          operand.ends_in_function,
          operand.tall};
}

Printed Printer::index(const Tree& tree) const {
  Printed of = base(tree.children[0], '_');
  std::string positions;
  for (std::size_t k = 0; k < tree.axes.size(); ++k) {
    Printed position = print(tree.children[k + 1]);
    if (position.level < Level::sum) position = in_parentheses(position);
    positions += (k == 0 ? "" : ", ") + axis(tree.axes[k]) + enclosed("(", position);
  }
  return {of.text + "_{" + positions + "}",
          Level::postfix,
          false,
          false,
          false,
          of.tall,
          true,
          of.has_super};
}

Printed Printer::rename(const Tree& tree) const {
  Printed of = base(tree.children[0], '_');
  std::string arrows;
  for (const Arrow& arrow : tree.arrows) {
    arrows += (arrows.empty() ? "" : ", ") + axis_group(arrow.from) + " " + sign("→") + " " +
              axis_group(arrow.to);
  }
  return {of.text + "_{" + arrows + "}",
          Level::postfix,
          false,
          false,
          false,
          of.tall,
          true,
          of.has_super};
}

std::string Printer::axis_group(const std::vector<AxisTerm>& terms) const {
  const std::string text = axis_terms(terms, ", ");
  return terms.size() == 1 ? text : "(" + text + ")";
}

Printed Printer::raised(const Tree& tree) const {
  Printed of = base(tree.children[0], '^');
  return {of.text + "^" + script(tree.children[1]),
          Level::postfix,
          false,
          false,
          false,
          of.tall,
          of.has_sub,
          true};
}

Printed Printer::mark(const Tree& tree) const {
  Printed of = base(tree.children[0], '^');
  std::string marks;
  int count = 0;
  for (std::string_view rest = tree.text; !rest.empty(); ++count) {
    // † and ⊤ take three bytes.
    const std::size_t length = rest[0] == '*' ? 1 : std::min<std::size_t>(3, rest.size());
    marks += rest[0] == '*' ? "*" : sign(rest.substr(0, length));
    rest.remove_prefix(length);
  }
  return {of.text + "^" + (count == 1 ? marks : "{" + marks + "}"),
          Level::postfix,
          false,
          false,
          false,
          of.tall,
          of.has_sub,
          true};
}

Printed Printer::listed_array(const Tree& tree) const {
  Printed entries = list(tree.children);
  Printed all{enclosed("[", entries), Level::primary};
  all.tall = entries.tall;
  if (tree.axes.empty()) return all;
  all.text += "_{" + joined_axes(tree.axes) + "}";
  all.level = Level::postfix;
  all.has_sub = true;
  return all;
}

std::string Printer::case_condition(const Tree& tree) const {
  if (tree.form != Form::parity) return print(tree).text;
  const Printed of = print(tree.children[0]);
  // Before the word, a single token is a name.
  return (is_mention(tree.children[0]) ? enclosed("(", of) : of.text) + " " + sign(tree.text);
}

}  // namespace axial::notation
