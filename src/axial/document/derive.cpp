#include "axial/document/derive.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "axial/calculus/derivation.hpp"
#include "axial/calculus/derivative.hpp"
#include "axial/calculus/fingerprint.hpp"
#include "axial/expr/lambda.hpp"
#include "axial/expr/traverse.hpp"
#include "axial/notation/print.hpp"

namespace axial::document {
namespace {

using calculus::Derivation;
using expr::Expr;
using notation::Form;
using notation::Names;
using notation::Tree;

/// What is shorter than this needs no name.
constexpr double least_size = 4;

/// True for what deserves a name of its own: the value of a function that is not just a rename.
bool is_nameable(const Expr& node) {
  const auto* map = node.as<expr::Map>();
  const bool is_function = map != nullptr && map->word->symbol.empty();
  return (is_function || node.as<expr::Call>() != nullptr) && is_real(node.element());
}

/// Greek letters that no name of the document uses.
std::vector<std::string> free_letters(const Names& names) {
  std::set<std::string> used;
  for (const auto& [node, name] : names) used.insert(name.text);
  std::vector<std::string> letters;
  for (const char* letter : {"α", "β", "γ", "δ", "κ", "λ", "μ", "ν", "ρ", "τ", "φ", "ψ", "ω"}) {
    if (!used.contains(letter)) letters.emplace_back(letter);
  }
  return letters;
}

/// A part of a result and the name that stands for it.
using Part = std::pair<Tree, Expr>;

/// Names for parts that a formula would show several times, the largest first.
std::vector<Part> abbreviations(const Expr& root, const Names& names) {
  calculus::Fingerprints prints;
  const auto is_named = [&](const Expr& node) { return names.contains(node.identity()); };
  std::vector<Expr> distinct;
  std::set<calculus::Fingerprint> met;
  for (const Expr& node : expr::post_order({&root, 1}, std::not_fn(is_named))) {
    if (met.insert(prints(node)).second) distinct.push_back(node);
  }
  // An expression is larger than what it is made of.
  std::ranges::stable_sort(distinct, std::greater<>{},
                           [&](const Expr& node) { return prints.size(node); });
  const std::vector<std::string> letters = free_letters(names);
  std::map<calculus::Fingerprint, double> shown{{prints(root), 1}};
  std::vector<Part> parts;
  for (const Expr& node : distinct) {
    if (is_named(node)) continue;
    double count = shown[prints(node)];
    const bool deserves = count > 1 && is_nameable(node) && prints.size(node) >= least_size;
    if (deserves && parts.size() < letters.size()) {
      parts.emplace_back(Tree{Form::name, {}, letters[parts.size()], {}, {}}, node);
      count = 1;
    }
    for (const Expr& operand : node.operands()) shown[prints(operand)] += count;
  }
  return parts;
}

/// The names, and those of abbreviations for every node that is built like them.
Names with_abbreviations(std::span<const Expr> roots, Names names, std::span<const Part> parts) {
  calculus::Fingerprints prints;
  for (const Expr& node : expr::post_order(roots)) {
    for (const auto& [name, part] : parts) {
      if (prints(node) == prints(part)) names.try_emplace(node.identity(), name);
    }
  }
  return names;
}

/// Writes derivations as formulas.
class Writer {
 public:
  Writer(const Names& names, const std::vector<Part>& parts) : names_(names), parts_(parts) {
    for (auto part = parts.begin(); part != parts.end(); ++part) {
      const std::span<const Part> smaller(std::next(part), parts.end());
      where_.emplace_back(part->first, written({part->second}, {}, smaller));
    }
  }

  const Abbreviations& where() const { return where_; }

  /// The lemmas from number `known` on, then the derivation itself.
  std::vector<DerivedSteps> rows(const Derivation& derivation, std::size_t known) const {
    std::vector<DerivedSteps> all;
    for (std::size_t k = known; k < derivation.lemmas.size(); ++k) {
      const calculus::Lemma& lemma = derivation.lemmas[k];
      all.push_back({lemma.title, {}});
      for (const calculus::Step& step : lemma.steps) {
        add(all.back(), {written(step, derivation.pending, {}), cited(step)});
      }
    }
    all.push_back({"differential", {}});
    add_row(all.back(), derivation.differential, derivation.pending);
    all.push_back({"canonical form", {}});
    add_row(all.back(), derivation.canonical, derivation.pending);
    return all;
  }

  Tree written(const calculus::Step& step, const calculus::Pending& pending,
               std::span<const Part> parts) const {
    std::vector<Expr> roots{step.expression};
    for (const Expr& node : expr::post_order({&step.expression, 1})) {
      const auto found = pending.find(node.identity());
      if (found != pending.end()) roots.push_back(found->second.subject);
    }
    return calculus::formula_of(step, pending, with_abbreviations(roots, names_, parts));
  }

 private:
  /// A step that looks like the one before it says nothing.
  static void add(DerivedSteps& row, DerivedStep step) {
    if (row.steps.empty() || row.steps.back().expression != step.expression) {
      row.steps.push_back(std::move(step));
    }
  }

  /// The first line is written out; abbreviations are introduced behind it.
  void add_row(DerivedSteps& row, const std::vector<calculus::Step>& steps,
               const calculus::Pending& pending) const {
    for (const calculus::Step& step : steps) {
      if (step.rule == nullptr) {
        add(row, {written(step, pending, {}), ""});
        add(row, {written(step, pending, parts_), "", where_});
      } else {
        add(row, {written(step, pending, parts_), cited(step)});
      }
    }
  }

  const Names& names_;
  const std::vector<Part>& parts_;
  Abbreviations where_;
};

/// What the document says about the size of an axis; nothing unless it says one thing.
std::optional<std::string> size_text(const Contents& contents, std::string_view axis) {
  // A star or a dagger does not change the size.
  const std::string_view plain = axis.substr(0, std::min(axis.find('*'), axis.find("†")));
  std::set<std::string> found;
  for (const Item& item : contents.items) {
    if (!item.statement) continue;
    if (const auto* declaration = std::get_if<notation::Declaration>(&*item.statement)) {
      for (const notation::Domain& domain : declaration->domains) {
        for (const notation::AxisTerm& term : domain.axes) {
          if (term.name == plain && !term.size.empty()) found.insert(to_text(term.size[0]));
        }
      }
    }
    const auto* equation = std::get_if<notation::Equation>(&*item.statement);
    if (equation == nullptr || equation->sides.size() != 2) continue;
    const auto& [left, right] = std::tie(equation->sides[0], equation->sides[1]);
    const bool is_size = left.form == Form::size && left.text == plain;
    if (is_size && right.form != Form::size) found.insert(to_text(right));
  }
  return found.size() == 1 ? std::optional(*found.begin()) : std::nullopt;
}

/// ∂Y/∂X^*, and ∂²Y/∂X^*∂X^† for the second order; a scalar has no axes that could be marked.
Tree subject_of(const Tree& formula, const Tree& variable, bool is_scalar, int order) {
  Tree derivative{Form::derivative, {}, {}, {}, {formula}};
  if (is_scalar) derivative.children.insert(derivative.children.end(), order, variable);
  for (int k = 0; !is_scalar && k < order; ++k) {
    // The third derivative takes a second star, as the axes do.
    Tree mark{Form::mark, {}, k == 1 ? "†" : "*", {}, {variable}};
    if (k == 2) mark = {Form::mark, {}, "*", {}, {std::move(mark)}};
    derivative.children.push_back(std::move(mark));
  }
  return derivative;
}

/// The lemmas of earlier derivations.
std::vector<calculus::Lemma> lemmas_of(const std::vector<Derivation>& derivations) {
  return derivations.empty() ? std::vector<calculus::Lemma>{} : derivations.back().lemmas;
}

Derived derive_once(const Contents& contents, const std::string& formula,
                    const std::string& variable, int order, const EvaluateOptions& drawn) {
  Scene scene(contents, drawn);
  const Tree tree = scene.parsed(formula), name = scene.parsed(variable);
  const Frame frame = scene.frame(tree);
  Expr result = expr::strengthened(notation::elaborate(tree, frame), drawn.element);
  const Expr node = notation::elaborate(name, frame);
  const auto occurs = [&](const Expr& one) { return one.identity() == node.identity(); };
  if (std::ranges::none_of(expr::post_order({&result, 1}), occurs)) {
    throw Error(code("not-differentiable"),
                fmt::format("the formula does not depend on `{}`", variable),
                "name a tensor that it is computed from", tree.span);
  }
  Names names = scene.names();
  names.insert_or_assign(node.identity(), name);
  std::vector<Derivation> derivations;
  for (int k = 0; k < order; ++k) {
    derivations.push_back(calculus::derive(result, node, lemmas_of(derivations)));
    result = derivations.back().derivative;
  }
  const std::vector<Part> parts = abbreviations(result, names);
  const Writer writer(names, parts);
  const bool is_scalar = node.shape().order() == 0;
  Derived derived{.subject = subject_of(tree, name, is_scalar, order),
                  .derivative = writer.written({result}, {}, {}),
                  .abbreviated = writer.written({result}, {}, parts),
                  .where = writer.where(),
                  .derivations = {},
                  .shape = {}};
  std::size_t known = 0;
  for (const Derivation& derivation : derivations) {
    std::ranges::move(writer.rows(derivation, known), std::back_inserter(derived.derivations));
    known = derivation.lemmas.size();
  }
  for (const SizedAxis& axis : result.shape().sorted()) {
    derived.shape.emplace_back(axis.axis.name(), size_text(contents, axis.axis.name()));
  }
  return derived;
}

}  // namespace

Derived derive(const Contents& contents, const std::string& formula, const std::string& variable,
               int order, const EvaluateOptions& options) {
  constexpr int most = 100;
  EvaluateOptions drawn = options;
  drawn.random = true;
  // The sizes of a trial do not matter, but windows have to fit.
  for (int retry = 0;; ++retry, ++drawn.seed) {
    drawn.spread.largest = options.spread.largest + (retry + 9) / 10;
    try {
      return derive_once(contents, formula, variable, order, drawn);
    } catch (const Error& error) {
      if (error.code().name != "window-size" || retry == most) throw;
    }
  }
}

}  // namespace axial::document
