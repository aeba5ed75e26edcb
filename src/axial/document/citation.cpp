#include "axial/document/citation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>

#include "axial/base/text.hpp"
#include "axial/document/names.hpp"
#include "axial/notation/elaborate.hpp"
#include "axial/vocabulary/elementwise.hpp"

namespace axial::document {
namespace {

using calculus::rule;
using notation::Equation;
using notation::Form;
using notation::Tree;
using Trees = std::vector<const Tree*>;

/// The rule for ∂ of an application, by the word that is applied.
std::optional<DifferentialRule> rule_for_apply(const Tree& tree) {
  const bool is_plain = tree.sub.empty() && tree.super.empty() && !tree.before_semicolon;
  if (!is_plain || tree.children.empty()) return std::nullopt;
  if (tree.text == "add" || tree.text == "sub") return DifferentialRule{&rule("sum rule")};
  if (tree.text == "mul") return DifferentialRule{&rule("product rule")};
  if (tree.text == "div") return DifferentialRule{&rule("quotient rule")};
  if (tree.text == "sum") return DifferentialRule{&rule("summation rule")};
  // A sign or a power is worked out by one of several rules.
  if (tree.text == "neg" || tree.text == "pow") return std::nullopt;
  const bool is_elementwise = tree.children.size() == 1 && find_word(tree.text) != nullptr;
  return DifferentialRule{is_elementwise ? &rule("elementwise rule") : &rule("differential"),
                          tree.text};
}

/// The rule that works out ∂ of a formula, by its outermost operation.
std::optional<DifferentialRule> rule_for(const Tree& tree) {
  switch (tree.form) {
    case Form::apply: return rule_for_apply(tree);
    case Form::contract: return DifferentialRule{&rule("contraction rule")};
    case Form::index: return DifferentialRule{&rule("indexing rule")};
    case Form::rename:
    case Form::mark: return DifferentialRule{&rule("renaming rule")};
    default: return std::nullopt;
  }
}

/// What an operation is applied to, positions of an index not included.
Trees operands(const Tree& tree) {
  Trees all;
  for (const Tree& child : tree.children) all.push_back(&child);
  if (tree.form == Form::index) all.resize(1);
  return all;
}

bool contains(const Trees& trees, const Tree& tree) {
  return std::ranges::any_of(trees, [&](const Tree* other) { return *other == tree; });
}

bool has_part(const Tree& tree, const std::function<bool(const Tree&)>& is_wanted) {
  bool found = false;
  for_each_part(tree, [&](const Tree& part) { found = found || is_wanted(part); });
  return found;
}

bool is_differential(const Tree& tree) { return tree.form == Form::differential; }

/// Every E of which ∂E occurs in a formula.
Trees differentiated(const Tree& tree) {
  Trees all;
  for_each_part(tree, [&](const Tree& part) {
    if (is_differential(part)) all.push_back(&part.children[0]);
  });
  return all;
}

/// True if a formula can be judged by its differentials alone, in a reasonable time.
bool is_clear(const Tree& tree) {
  constexpr int most = 2000;
  int parts = 0;
  const bool is_unclear = has_part(tree, [&](const Tree& part) {
    ++parts;
    const bool nested = is_differential(part) && has_part(part.children[0], is_differential);
    return nested || part.form == Form::derivative || part.form == Form::evaluated ||
           part.form == Form::limit || part.form == Form::ellipsis;
  });
  return !is_unclear && parts <= most;
}

/// The differentials that are gone, if all that are new come from them.
std::optional<Trees> gone(const Trees& before, const Trees& after) {
  Trees result;
  for (const Tree* one : before) {
    const auto is_same = [&](const Tree* other) { return *other == *one; };
    const auto left = std::ranges::count_if(after, is_same);
    if (left == 0) result.push_back(one);
    // Factored out or worked out in one place only: the number does not tell.
    const bool is_fewer = left < std::ranges::count_if(before, is_same);
    if (left > 0 && is_fewer && one->form != Form::name) return std::nullopt;
  }
  for (const Tree* one : after) {
    const bool comes_from_gone = std::ranges::any_of(result, [&](const Tree* whole) {
      return has_part(*whole, [&](const Tree& part) { return part == *one; });
    });
    if (!comes_from_gone && !contains(before, *one)) return std::nullopt;
  }
  return result;
}

/// What working out one ∂E took, down to the differentials of its parts that are left.
class Tracer {
 public:
  explicit Tracer(const Trees& after) : after_(after) {}

  /// False if that is not clear.
  bool follow(const Tree& tree) {
    const auto given = rule_for(tree);
    if (!given) return false;
    if (!used_) used_ = given;
    if (*used_ != *given) return false;
    const bool may_be_other =
        given->rule == &rule("quotient rule") || given->rule == &rule("product rule");
    bool has_left = false;
    for (const Tree* operand : operands(tree)) {
      if (contains(after_, *operand)) {
        has_left = true;
        if (!contains(left_, *operand)) left_.push_back(operand);
      } else if (has_part(*operand, [&](const Tree& part) { return contains(after_, part); })) {
        has_left = true;
        if (!follow(*operand)) return false;
      } else if (may_be_other) {
        // Constant factors and divisors are treated by several rules; f(X) may be f times X.
        return false;
      }
    }
    return has_left;
  }

  const std::optional<DifferentialRule>& used() const { return used_; }
  std::size_t left() const { return left_.size(); }

 private:
  const Trees& after_;
  std::optional<DifferentialRule> used_;
  Trees left_;
};

/// True if the operation of E is there around differentials, as its rule has it. Otherwise it was
/// written in another way first, and then other rules may give the rest.
bool keeps_operation(const Tree& worked, const Tree& after) {
  const bool is_sum_or_product =
      worked.form == Form::apply && worked.text != "div" && worked.text != "sum";
  if (is_sum_or_product) return true;
  return has_part(after, [&](const Tree& part) {
    const bool is_same = part.form == worked.form && part.text == worked.text &&
                         part.axes == worked.axes && part.arrows == worked.arrows;
    return is_same && has_part(part, is_differential);
  });
}

/// The words that are not commonly taken apart into others.
bool is_basic(std::string_view word) {
  constexpr auto words = std::to_array<std::string_view>({"exp", "log", "sin", "cos", "sqrt"});
  return std::ranges::find(words, word) != words.end();
}

/// The rules that are cited for differentials in words, with those that go by the same name.
std::vector<DifferentialRule> rules_in_words(const calculus::Rule& named) {
  if (&named == &rule("product rule")) return {{&named}, {&rule("contraction rule")}};
  // The paper calls the rule for sum_ax by this name.
  if (&named == &rule("sum rule")) return {{&named}, {&rule("summation rule")}};
  if (named.label == "sum_rule") return {{&named}, {&rule("sum rule")}};
  for (const auto* other :
       {&rule("quotient rule"), &rule("contraction rule"), &rule("indexing rule"),
        &rule("renaming rule"), &rule("elementwise rule")}) {
    if (&named == other) return {{&named}};
  }
  return {};
}

/// A citation without spaces, parentheses and small words around it.
std::string_view bare(std::string_view text) {
  constexpr auto before = std::to_array<std::string_view>({" ", "by ", "using ", "the "});
  constexpr auto after = std::to_array<std::string_view>({" ", ".", ",", ":"});
  for (std::size_t size = text.size() + 1; text.size() < size;) {
    size = text.size();
    for (const std::string_view word : before) {
      if (text.starts_with(word)) text.remove_prefix(word.size());
    }
    for (const std::string_view word : after) {
      if (text.ends_with(word)) text.remove_suffix(word.size());
    }
    if (text.size() > 1 && text.front() == '(' && text.back() == ')') {
      text = text.substr(1, text.size() - 2);
    }
  }
  return text;
}

/// The rules that a citation in words stands for: `product rule`, `elementwise rule (exp)`,
/// `differential of softmax`, or a label of the paper.
std::vector<DifferentialRule> rules_called(std::string_view text) {
  constexpr std::string_view differential = "differential of ", elementwise = "elementwise rule (";
  if (text.starts_with(differential)) {
    return {{&rule("differential"), std::string(text.substr(differential.size()))}};
  }
  if (text.starts_with(elementwise) && text.ends_with(')')) {
    text.remove_suffix(1);
    return {{&rule("elementwise rule"), std::string(text.substr(elementwise.size()))}};
  }
  if (text.empty()) return {};
  const std::string_view label = text.starts_with("eq:") ? text.substr(3) : text;
  for (const calculus::Rule& one : calculus::rules) {
    const bool is_labelled = !one.label.empty() && one.label == label;
    if (one.name == text || is_labelled) return rules_in_words(one);
  }
  return {};
}

std::string described(const DifferentialRule& given) {
  if (given.rule == &rule("differential")) return fmt::format("the differential of {}", given.of);
  return given.of.empty() ? fmt::format("the {}", given.rule->name)
                          : fmt::format("the {} ({})", given.rule->name, given.of);
}

const Equation* equation_of(const Item& item) {
  return item.statement ? std::get_if<Equation>(&*item.statement) : nullptr;
}

/// A side of an equation with the relation and the side behind it.
struct Step {
  const Tree* before;
  const notation::Relation* relation;
  const Tree* after;
};

/// The steps of an item; the first one of a continued equation starts from the item before.
std::vector<Step> steps_of(const Contents& contents, std::size_t number) {
  const Item& item = contents.items[number];
  const Equation* equation = equation_of(item);
  if (equation == nullptr) return {};
  Trees sides;
  if (equation->continued) {
    const Equation* other = item.continues ? equation_of(contents.items[*item.continues]) : nullptr;
    if (other == nullptr || other->sides.empty()) return {};
    sides.push_back(&other->sides.back());
  }
  for (const Tree& side : equation->sides) sides.push_back(&side);
  std::vector<Step> steps;
  for (std::size_t k = 0; k + 1 < sides.size() && k < equation->relations.size(); ++k) {
    steps.push_back({sides[k], &equation->relations[k], sides[k + 1]});
  }
  return steps;
}

/// What ∂(pattern) = result is the rule for, if the pattern is an operation on names.
std::optional<DifferentialRule> rule_stated(const Tree& left, const Tree& result) {
  if (!is_differential(left)) return std::nullopt;
  const Tree& pattern = left.children[0];
  const auto given = rule_for(pattern);
  const Trees names = operands(pattern);
  const auto is_name = [](const Tree* tree) { return tree->form == Form::name; };
  if (!given || !std::ranges::all_of(names, is_name)) return std::nullopt;
  // ∂(A + B) = C ⊙ ∂D is about these tensors, and no rule.
  const Trees left_over = differentiated(result);
  const auto among = [](const Trees& trees) {
    return [&trees](const Tree* tree) { return contains(trees, *tree); };
  };
  const bool is_general =
      std::ranges::all_of(left_over, among(names)) && std::ranges::all_of(names, among(left_over));
  if (!is_general) return std::nullopt;
  const bool is_open = given->rule == &rule("differential") && !notation::is_function(pattern.text);
  if (!is_open) return given;
  // ∂f(U) = f'(U) ⊙ ∂U for any f; with a contraction it is the chain rule, which gives everything.
  const bool is_elementwise = names.size() == 1 && result.form == Form::apply &&
                              result.text == "mul" &&
                              std::ranges::any_of(result.children, is_differential);
  if (!is_elementwise) return std::nullopt;
  return DifferentialRule{&rule("elementwise rule")};
}

}  // namespace

std::optional<Working> working_of(const Tree& before, const Tree& after) {
  if (!is_clear(before) || !is_clear(after)) return std::nullopt;
  const Trees left = differentiated(after);
  const auto worked = gone(differentiated(before), left);
  if (!worked || worked->empty()) return std::nullopt;
  Tracer tracer(left);
  for (const Tree* one : *worked) {
    if (!tracer.follow(*one) || !keeps_operation(*one, after)) return std::nullopt;
  }
  return Working{*tracer.used(), tracer.left()};
}

bool Citations::Cited::gives(const Working& working) const {
  const calculus::Rule* by = working.by.rule;
  return std::ranges::any_of(rules, [&](const DifferentialRule& one) {
    if (one == working.by) return true;
    if (one.rule != &rule("elementwise rule") || !one.of.empty()) return false;
    // Whatever is computed from one tensor element by element is some f(U).
    const bool is_arithmetic =
        by == &rule("sum rule") || by == &rule("product rule") || by == &rule("quotient rule");
    return by == one.rule || by == &rule("differential") || (is_arithmetic && working.left < 2);
  });
}

Citations::Citations(const Contents& contents) : contents_(contents) {
  for (std::size_t item = 0; item < contents.items.size(); ++item) {
    const Item& one = contents.items[item];
    starts_.push_back(one.continues ? starts_[*one.continues] : item);
    if (one.label.empty()) continue;
    std::vector<std::size_t>& equations = equations_[one.label];
    if (equation_of(one) != nullptr) equations.push_back(item);
  }
  for (const auto& [label, equations] : equations_) {
    if (equations.size() == 1) add(label, equations[0]);
  }
  std::ranges::sort(labelled_, {}, &Labelled::item);
}

void Citations::add(const std::string& label, std::size_t item) {
  constexpr std::size_t most = 50;
  const Equation* first = equation_of(contents_.items[starts_[item]]);
  if (item - starts_[item] > most || first == nullptr || first->continued) return;
  const Equation* last = equation_of(contents_.items[item]);
  if (first->sides.empty() || first->relations.empty() || last->sides.empty()) return;
  const auto stated = rule_stated(first->sides[0], last->sides.back());
  if (!stated) return;
  Cited cited{{*stated}};
  // A line of a derivation may be cited for what it does itself.
  for (std::size_t line = starts_[item]; line <= item && starts_[item] < item; ++line) {
    if (starts_[line] != starts_[item]) continue;
    for (const Step& step : steps_of(contents_, line)) {
      if (const auto working = working_of(*step.before, *step.after)) {
        cited.rules.push_back(working->by);
      }
    }
  }
  labelled_.push_back({label, item, std::move(cited)});
}

std::vector<Miscitation> Citations::wrong_in(std::size_t item) const {
  std::vector<Miscitation> all;
  for (const Step& step : steps_of(contents_, item)) {
    if (step.relation->rule.empty() || step.relation->text != "=") continue;
    if (auto one = wrong(item, *step.before, *step.relation, *step.after)) {
      all.push_back(std::move(*one));
    }
  }
  return all;
}

std::optional<Miscitation> Citations::wrong(std::size_t item, const Tree& before,
                                            const notation::Relation& relation,
                                            const Tree& after) const {
  const auto rules = cited(relation.rule);
  if (!rules) return std::nullopt;
  const auto working = working_of(before, after);
  if (!working || rules->gives(*working)) return std::nullopt;
  const std::string* label = label_for(working->by, item);
  // A function may be replaced by its definition on the way, unless the document knows its rule.
  if (label == nullptr && !working->by.of.empty() && !is_basic(working->by.of)) return std::nullopt;
  return Miscitation{relation.span,
                     fmt::format("this step cites {}, but {} gives it", described(rules->rules[0]),
                                 described(working->by)),
                     label != nullptr ? fmt::format("cite `{}`", *label)
                                      : fmt::format("cite {}", described(working->by))};
}

std::optional<Citations::Cited> Citations::cited(std::string_view text) const {
  text = bare(text);
  if (equations_.contains(text)) {
    const auto found = std::ranges::find(labelled_, text, &Labelled::label);
    return found == labelled_.end() ? std::nullopt : std::optional(found->cited);
  }
  std::vector<DifferentialRule> rules = rules_called(text);
  return rules.empty() ? std::nullopt : std::optional(Cited{std::move(rules)});
}

const std::string* Citations::label_for(const DifferentialRule& given, std::size_t item) const {
  for (const Labelled& one : labelled_) {
    const bool is_own = starts_[one.item] == starts_[item];
    if (!is_own && one.cited.rules[0] == given) return &one.label;
  }
  if (given.rule != &rule("elementwise rule") || given.of.empty()) return nullptr;
  return label_for({given.rule}, item);
}

}  // namespace axial::document
