#include "axial/document/derive.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "axial/calculus/derivation.hpp"
#include "axial/calculus/derivative.hpp"
#include "axial/calculus/fingerprint.hpp"
#include "axial/expr/lambda.hpp"
#include "axial/expr/traverse.hpp"

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

/// Names for parts that occur several times in an expression, the largest first.
std::vector<std::pair<Tree, Expr>> abbreviations(const Expr& root, const Names& names) {
  calculus::Fingerprints prints;
  std::map<calculus::Fingerprint, std::pair<Expr, int>> counted;
  const auto is_named = [&](const Expr& node) { return names.contains(node.identity()); };
  for (const Expr& node : expr::post_order({&root, 1}, std::not_fn(is_named))) {
    for (const Expr& operand : node.operands()) {
      if (is_named(operand) || !is_nameable(operand) || prints.size(operand) < least_size) continue;
      ++counted.try_emplace(prints(operand), operand, 0).first->second.second;
    }
  }
  std::vector<Expr> repeated;
  for (const auto& [print, entry] : counted) {
    if (entry.second > 1) repeated.push_back(entry.first);
  }
  std::ranges::sort(repeated, {}, [&](const Expr& part) { return -prints.size(part); });
  const std::vector<std::string> letters = free_letters(names);
  std::vector<std::pair<Tree, Expr>> result;
  for (std::size_t k = 0; k < std::min(repeated.size(), letters.size()); ++k) {
    result.emplace_back(Tree{Form::name, {}, letters[k], {}, {}}, repeated[k]);
  }
  return result;
}

/// The names, and those of abbreviations for every node that is built like them.
Names with_abbreviations(const Expr& root, Names names,
                         const std::vector<std::pair<Tree, Expr>>& parts) {
  calculus::Fingerprints prints;
  for (const Expr& node : expr::post_order({&root, 1})) {
    for (const auto& [name, part] : parts) {
      if (prints(node) == prints(part)) names.try_emplace(node.identity(), name);
    }
  }
  return names;
}

/// Writes the steps of a derivation as formulas.
void write_steps(const Derivation& derivation, const Names& names, Derived& derived) {
  const auto written = [&](std::string title, const std::vector<calculus::Step>& steps) {
    DerivedSteps row{std::move(title), {}};
    for (const calculus::Step& step : steps) {
      row.steps.push_back({calculus::formula_of(step, derivation.pending, names), cited(step)});
    }
    return row;
  };
  for (const calculus::Lemma& lemma : derivation.lemmas) {
    const bool known = std::ranges::any_of(
        derived.derivations, [&](const DerivedSteps& row) { return row.title == lemma.name; });
    if (!known) derived.derivations.push_back(written(lemma.name, lemma.steps));
  }
  derived.derivations.push_back(written("differential", derivation.differential));
  derived.derivations.push_back(written("canonical form", derivation.canonical));
}

/// ∂Y/∂X^*, and ∂²Y/∂X^*∂X^† for the second order.
Tree subject_of(const Tree& formula, const Tree& variable, int order) {
  Tree derivative{Form::derivative, {}, {}, {}, {formula}};
  for (int k = 0; k < order; ++k) {
    // The third derivative takes a second star, as the axes do.
    Tree mark{Form::mark, {}, k == 1 ? "†" : "*", {}, {variable}};
    if (k == 2) mark = {Form::mark, {}, "*", {}, {std::move(mark)}};
    derivative.children.push_back(std::move(mark));
  }
  return derivative;
}

}  // namespace

Derived derive(const Contents& contents, const std::string& formula, const std::string& variable,
               int order, const EvaluateOptions& options) {
  EvaluateOptions drawn = options;
  drawn.random = true;
  Scene scene(contents, drawn);
  const Tree tree = scene.parsed(formula), name = scene.parsed(variable);
  const Frame frame = scene.frame(tree);
  Expr result = expr::strengthened(notation::elaborate(tree, frame), options.element);
  const Expr node = notation::elaborate(name, frame);
  const auto occurs = [&](const Expr& one) { return one.identity() == node.identity(); };
  if (std::ranges::none_of(expr::post_order({&result, 1}), occurs)) {
    throw Error(code("not-differentiable"),
                fmt::format("the formula does not depend on `{}`", variable),
                "name a tensor that it is computed from", tree.span);
  }
  Names names = scene.names();
  names.insert_or_assign(node.identity(), name);
  Derived derived{subject_of(tree, name, order), tree, tree, {}, {}, {}};
  for (int k = 0; k < order; ++k) {
    const Derivation derivation = calculus::derive(result, node);
    write_steps(derivation, names, derived);
    result = derivation.derivative;
  }
  const calculus::Pending none;
  derived.derivative = calculus::formula_of({result}, none, names);
  const auto parts = abbreviations(result, names);
  derived.abbreviated =
      calculus::formula_of({result}, none, with_abbreviations(result, names, parts));
  for (auto part = parts.begin(); part != parts.end(); ++part) {
    const std::vector<std::pair<Tree, Expr>> smaller(std::next(part), parts.end());
    const Names inner = with_abbreviations(part->second, names, smaller);
    derived.where.emplace_back(part->first, calculus::formula_of({part->second}, none, inner));
  }
  derived.shape = result.shape();
  return derived;
}

}  // namespace axial::document
