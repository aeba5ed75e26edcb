#include "axial/calculus/derivation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "axial/base/error.hpp"
#include "axial/calculus/derivative.hpp"
#include "axial/calculus/differential.hpp"
#include "axial/calculus/fingerprint.hpp"
#include "axial/calculus/simplify.hpp"
#include "axial/expr/lambda.hpp"
#include "axial/expr/traverse.hpp"
#include "axial/notation/elaborate.hpp"
#include "axial/notation/phrases.hpp"

namespace axial::calculus {
namespace {

using expr::make;

/// A derivation of hundreds of steps would help nobody: what is left then is done in one.
constexpr std::size_t max_steps = 100;

Expr parameter(std::string name, const expr::Type& type) {
  return make(expr::Parameter{std::move(name), type});
}

/// A step that a rule gives: what is put in the place of a pending differential.
struct Expansion {
  Tangent result;
  const Rule* rule;
  std::string of = "";
};

/// The rule for words, by what they do.
Expansion elementwise(const Word& word, Tangent result) {
  if (word.name == "add" || word.name == "sub" || word.name == "neg") {
    return {result, &rule("sum rule")};
  }
  if (word.name == "mul") return {result, &rule("product rule")};
  if (word.name == "div") return {result, &rule("quotient rule")};
  if (!result) return {result, &rule("piecewise constant"), std::string(word.name)};
  return {result, &rule("elementwise rule"), std::string(word.name)};
}

/// The rule that gives the differential of a node which is not a call.
Expansion by_kind(const Expr& node, Tangent result) {
  if (const auto* map = node.as<expr::Map>()) return elementwise(*map->word, result);
  if (const auto* reduce = node.as<expr::Reduce>()) {
    if (reduce->word->name == "sum") return {result, &rule("summation rule")};
    return {result, &rule("reduction rule"), std::string(reduce->word->name)};
  }
  if (node.as<expr::Contract>() != nullptr) return {result, &rule("contraction rule")};
  if (node.as<expr::Rename>() != nullptr) return {result, &rule("renaming rule")};
  if (node.as<expr::Index>() != nullptr) return {result, &rule("indexing rule")};
  if (node.as<expr::Scan>() != nullptr) return {result, &rule("recurrence rule")};
  if (const auto* along = node.as<expr::Along>()) {
    return {result, &rule("chain rule"), std::string(along->word->name)};
  }
  return {result, &rule("linearity")};
}

class Deriver {
 public:
  /// Derives by `variables`, whose differentials are not worked out further.
  Deriver(const std::vector<Expr>& variables, Pending& pending, std::vector<Lemma>& lemmas)
      : variables_(variables), pending_(&pending), lemmas_(&lemmas) {}

  /// From ∂Y to an expression in the differentials of the variables, simplified.
  std::vector<Step> differential(const Expr& result, const std::vector<Expr>& recognised) {
    std::vector<Step> steps{{pending(result)}};
    while (steps.size() < max_steps) {
      const auto open = first_open(steps.back().expression);
      if (!open) break;
      steps.push_back(expanded(steps.back().expression, *open));
    }
    if (first_open(steps.back().expression)) steps.push_back(finished(steps.back().expression));
    simplify(steps, recognised);
    return steps;
  }

  /// The parameter that stands for ∂U.
  Expr pending(const Expr& node) {
    const auto known = differentials_.find(node.identity());
    if (known != differentials_.end()) return known->second;
    const Expr differential = parameter("∂", node.type());
    differentials_.emplace(node.identity(), differential);
    pending_->emplace(differential.identity(), Unfinished{differential, node});
    return differential;
  }

 private:
  bool is_variable(const Expr& node) const {
    return std::ranges::any_of(
        variables_, [&](const Expr& variable) { return variable.identity() == node.identity(); });
  }

  bool depends(const Expr& root) {
    const auto unknown = [&](const Expr& node) { return !dependent_.contains(node.identity()); };
    for (const Expr& node : expr::post_order({&root, 1}, unknown)) {
      const bool found =
          is_variable(node) || std::ranges::any_of(node.operands(), [&](const Expr& operand) {
            return dependent_.at(operand.identity()).second;
          });
      dependent_.emplace(node.identity(), std::pair(node, found));
    }
    return dependent_.at(root.identity()).second;
  }

  /// The first differential that is pending in an expression, in the order in which it is read.
  std::optional<Expr> first_open(const Expr& expression) const {
    for (const Expr& node : expr::post_order({&expression, 1})) {
      const auto found = pending_->find(node.identity());
      if (found != pending_->end() && !is_variable(found->second.subject)) return node;
    }
    return std::nullopt;
  }

  /// The expression with one rule applied to a pending differential, and to all others that the
  /// same rule gives.
  Step expanded(const Expr& expression, const Expr& first) {
    const Expansion expansion = expand(pending_->at(first.identity()).subject);
    expr::Substitution substitution;
    for (const Expr& node : expr::post_order({&expression, 1})) {
      const auto found = pending_->find(node.identity());
      if (found == pending_->end() || is_variable(found->second.subject)) continue;
      const Expr subject = found->second.subject;
      const Expansion other = expand(subject);
      if (other.rule != expansion.rule || other.of != expansion.of) continue;
      const Expr result = other.result ? *other.result : zeros(node.type());
      substitution.emplace(node.identity(), spread(result, node.shape()));
    }
    return {expr::substitute(expression, substitution), expansion.rule, expansion.of};
  }

  /// ∂ of an expression in the differentials of the variables, all rules at once.
  Tangent whole_differential(const Expr& node) {
    const Expr flat = expr::without_calls(node);
    Increments increments;
    for (const Expr& variable : variables_) {
      increments.emplace(variable.identity(), pending(variable));
    }
    return differentials({&flat, 1}, increments)[0];
  }

  /// The expression with everything that is pending worked out.
  Step finished(const Expr& expression) {
    expr::Substitution substitution;
    for (const Expr& node : expr::post_order({&expression, 1})) {
      const auto found = pending_->find(node.identity());
      if (found == pending_->end() || is_variable(found->second.subject)) continue;
      const Tangent result = whole_differential(found->second.subject);
      substitution.emplace(node.identity(), result ? *result : zeros(node.type()));
    }
    return {expr::substitute(expression, substitution), &rule("chain rule"), "and all others"};
  }

  Expansion expand(const Expr& node) {
    const auto known = expansions_.find(node.identity());
    if (known != expansions_.end()) return known->second;
    const Expansion expansion = node.as<expr::Call>() != nullptr ? of_call(node) : of_node(node);
    expansions_.emplace(node.identity(), expansion);
    return expansion;
  }

  Expansion of_node(const Expr& node) {
    // The steps of a recurrence have no names that could be cited.
    if (node.as<expr::Scan>() != nullptr) return by_kind(node, whole_differential(node));
    std::vector<Tangent> tangents;
    for (const Expr& operand : node.operands()) {
      const bool varies = is_real(operand.element()) && depends(operand);
      tangents.push_back(varies ? Tangent(pending(operand)) : std::nullopt);
    }
    return by_kind(node, calculus::differential(node, tangents));
  }

  /// A phrase has a differential of its own, which is derived once; other functions are opened.
  Expansion of_call(const Expr& node) {
    const expr::Lambda& function = *node.as<expr::Call>()->function;
    if (notation::find_phrase(function.name) == nullptr) {
      const Expr body = expr::inlined(function, node.operands());
      return {pending(body), &rule("definition"), function.name};
    }
    std::vector<Expr> names, increments, arguments, changes;
    for (std::size_t k = 0; k < node.operands().size(); ++k) {
      const Expr& argument = node.operands()[k];
      names.push_back(parameter(function.parameters[k].as<expr::Parameter>()->name,
                                function.parameters[k].type()));
      arguments.push_back(argument);
    }
    const Expr generic = make(expr::Call{node.as<expr::Call>()->function}, names);
    std::vector<Expr> varying;
    std::vector<std::size_t> places;
    for (std::size_t k = 0; k < names.size(); ++k) {
      if (!depends(arguments[k])) continue;
      varying.push_back(names[k]);
      places.push_back(k);
    }
    Deriver inner(varying, *pending_, *lemmas_);
    std::vector<Step> steps{{inner.pending(generic)}};
    std::vector<Step> rest = inner.differential(*definition_of(generic), {generic});
    rest.front().rule = &rule("definition");
    rest.front().of = function.name;
    steps.insert(steps.end(), rest.begin(), rest.end());
    const Expr lemma = steps.back().expression;
    for (const std::size_t k : places) {
      increments.push_back(inner.pending(names[k]));
      changes.push_back(pending(arguments[k]));
    }
    if (places.size() == 1 && is_linear(generic, places[0], lemma, increments[0])) {
      return {with_operand(node, places[0], changes[0]), &rule("linearity"), function.name};
    }
    const std::string title = fmt::format("differential of {}", function.name);
    if (std::ranges::find(*lemmas_, title, &Lemma::name) == lemmas_->end()) {
      lemmas_->push_back({title, std::move(steps)});
    }
    return {applied(lemma, names, increments, arguments, changes), &rule("differential"),
            function.name};
  }

  static Expr with_operand(const Expr& node, std::size_t place, const Expr& operand) {
    std::vector<Expr> operands(node.operands().begin(), node.operands().end());
    operands[place] = operand;
    return make(node.kind(), std::move(operands));
  }

  /// True if a phrase is linear in an operand: its differential is the phrase of the increment.
  static bool is_linear(const Expr& call, std::size_t place, const Expr& differential,
                        const Expr& increment) {
    const Expr of_increment = *definition_of(with_operand(call, place, increment));
    Fingerprints prints;
    return prints(simplified(of_increment)) == prints(simplified(differential));
  }

  /// A lemma with arguments for its names and their differentials for its increments, lifted.
  static Expr applied(const Expr& lemma, std::vector<Expr> names,
                      const std::vector<Expr>& increments, std::vector<Expr> arguments,
                      const std::vector<Expr>& changes) {
    names.insert(names.end(), increments.begin(), increments.end());
    arguments.insert(arguments.end(), changes.begin(), changes.end());
    const expr::Closure closure = expr::close("differential", {}, std::move(names), lemma);
    arguments.insert(arguments.end(), closure.captured.begin(), closure.captured.end());
    return expr::inlined(*closure.function, arguments);
  }

  /// Adds the steps that simplify the last one, an idea at a time.
  void simplify(std::vector<Step>& steps, const std::vector<Expr>& recognised) {
    SimplifyOptions options{.collect = false, .identities = false};
    const auto add = [&](const Rule& by, const std::string& of) {
      const Expr before = steps.back().expression;
      const Expr after = simplified(before, options);
      if (!Fingerprints().same(after, before)) steps.push_back({after, &by, of});
    };
    add(rule("algebra"), "");
    if (!recognised.empty()) {
      options.calls = recognised;
      add(rule("definition"), recognised[0].as<expr::Call>()->function->name);
    }
    options.collect = true;
    add(rule("distributive law"), "");
  }

  std::vector<Expr> variables_;
  Pending* pending_;
  std::vector<Lemma>* lemmas_;
  std::unordered_map<const expr::Node*, Expr> differentials_;
  std::unordered_map<const expr::Node*, Expansion> expansions_;
  std::unordered_map<const expr::Node*, std::pair<Expr, bool>> dependent_;
};

/// Calls of phrases on identities opened by their definitions, so that the identities can go.
Expr with_opened_calls(const Expr& expression) {
  const auto rebuild = [&](const Expr& node, std::vector<Expr> operands) {
    const bool reached = std::ranges::any_of(operands, [](const Expr& operand) {
      const auto nodes = expr::post_order({&operand, 1});
      return std::ranges::any_of(
          nodes, [](const Expr& inner) { return inner.as<expr::Delta>() != nullptr; });
    });
    const Expr rebuilt = expr::with_operands(node, std::move(operands));
    if (!reached) return rebuilt;
    return definition_of(rebuilt).value_or(rebuilt);
  };
  return expr::rewrite({&expression, 1}, rebuild)[0];
}

/// The calls of phrases in an expression.
std::vector<Expr> phrases_in(const Expr& expression) {
  std::vector<Expr> calls;
  for (const Expr& node : expr::post_order({&expression, 1})) {
    const auto* call = node.as<expr::Call>();
    if (call != nullptr && notation::find_phrase(call->function->name) != nullptr) {
      calls.push_back(node);
    }
  }
  return calls;
}

/// From a differential in ∂X to D ⊙_{S*} ∂X*.
void canonicalize(Derivation& derivation, const Expr& increment, const Renames& stars) {
  const Expr differential = derivation.differential.back().expression;
  std::vector<Axis> starred;
  for (const auto& [from, to] : stars) starred.push_back(to);
  const Axes over(starred);
  const Expr moved = renamed(increment, stars);
  const auto add = [&](const Expr& matrix, const Rule& by) {
    const Expr whole = over.empty() ? times(matrix, moved) : contraction(over, {matrix, moved});
    const bool changed = derivation.canonical.empty() ||
                         !Fingerprints().same(whole, derivation.canonical.back().expression);
    if (changed) derivation.canonical.push_back({whole, &by});
  };
  const Expr matrix = linear_matrix(differential, increment, stars);
  if (!over.empty()) {
    const Expr unit = identity(increment.shape(), stars, increment.element());
    const Expr spelled = contraction(over, {unit, moved});
    derivation.canonical.push_back(
        {expr::substitute(differential, {{increment.identity(), spelled}}), &rule("identity")});
  }
  add(matrix, rule("associativity"));
  const Expr opened = with_opened_calls(matrix);
  SimplifyOptions options{.collect = false, .calls = phrases_in(differential), .renamed = stars};
  const Expr short_form = simplified(opened, options);
  add(short_form, rule("renaming by identity"));
  options.collect = true;
  derivation.derivative = simplified(short_form, options);
  add(derivation.derivative, rule("distributive law"));
}

}  // namespace

Derivation derive(const Expr& result, const Expr& variable) {
  require_real("what is differentiated", result);
  require_real("the variable", variable);
  Derivation derivation{{}, {}, result, {}, {}};
  Deriver deriver({variable}, derivation.pending, derivation.lemmas);
  const Expr increment = deriver.pending(variable);
  derivation.differential = deriver.differential(result, {});
  const Renames stars = derivative_axes(result.shape(), variable.shape());
  canonicalize(derivation, increment, stars);
  return derivation;
}

}  // namespace axial::calculus
