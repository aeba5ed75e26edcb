#include "axial/calculus/derivation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "axial/base/error.hpp"
#include "axial/calculus/canonical.hpp"
#include "axial/calculus/derivative.hpp"
#include "axial/calculus/differential.hpp"
#include "axial/calculus/fingerprint.hpp"
#include "axial/calculus/formulas.hpp"
#include "axial/calculus/product.hpp"
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

template <class Record>
consteval bool cite_rules(const auto& records) {
  return std::ranges::all_of(records, [](const Record& record) {
    return std::ranges::count(rules, record.rule, &Rule::name) == 1;
  });
}
static_assert(cite_rules<Word>(elementwise_words) && cite_rules<Reduction>(reductions));

/// The rule that the record of a word names, and the word unless the rule is about it alone.
template <class Record>
Expansion by_record(const Record& word, const Rule& general, Tangent result) {
  const Rule* cited = result ? find_rule(word.rule) : &rule("piecewise constant");
  const bool says_enough = result && cited != &general;
  return {result, cited, says_enough ? "" : std::string(word.name)};
}

/// The rule that gives the differential of a node which is not a call.
Expansion by_kind(const Expr& node, Tangent result) {
  if (const auto* map = node.as<expr::Map>()) {
    return by_record(*map->word, rule("elementwise rule"), result);
  }
  if (const auto* reduce = node.as<expr::Reduce>()) {
    return by_record(*reduce->word, rule("reduction rule"), result);
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

/// softmax_ax U for each sum_ax exp U: formulas with softmax in them are shorter.
std::vector<Expr> softmaxes_in(const Expr& expression) {
  const notation::Phrase& softmax = *notation::find_phrase("softmax");
  std::vector<Expr> calls;
  for (const Expr& node : expr::post_order({&expression, 1})) {
    const auto* reduce = node.as<expr::Reduce>();
    if (reduce == nullptr || reduce->word != &reduction("sum")) continue;
    const Expr& operand = node.operands()[0];
    if (!is_word(operand, "exp")) continue;
    calls.push_back(notation::apply_phrase(softmax, softmax.computed(), {reduce->over},
                                           {operand.operands()[0]}));
  }
  return calls;
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
    if (is_word(node, "div")) return by_kind(node, of_quotient(node, tangents));
    const auto* reduce = node.as<expr::Reduce>();
    if (reduce != nullptr && !reduce->word->short_weight.empty()) {
      const Expr weight = from_table(reduce->word->short_weight, reduction_scope(*reduce, node));
      return by_kind(node, contraction(reduce->over, {weight, *tangents[0]}));
    }
    return by_kind(node, calculus::differential(node, tangents));
  }

  /// (V ⊙ ∂U - U ⊙ ∂V) / V², as the paper has it, or what is left of it.
  static Tangent of_quotient(const Expr& node, const std::vector<Tangent>& tangents) {
    const Expr above = node.operands()[0], below = node.operands()[1];
    const auto over = [](const Expr& left, const Expr& right) {
      return make(expr::Map{find_word("div")}, {left, right});
    };
    const Expr square = make(expr::Map{find_word("pow")}, {below, number(2)});
    if (!tangents[1]) return over(*tangents[0], below);
    const Expr less = times(above, *tangents[1]);
    if (!tangents[0]) return over(negative(less), square);
    return over(plus(times(below, *tangents[0]), negative(less)), square);
  }

  /// A phrase has a differential of its own, which is derived once; other functions are opened.
  Expansion of_call(const Expr& node) {
    const expr::Lambda& function = *node.as<expr::Call>()->function;
    if (notation::find_phrase(function.name) == nullptr) {
      const Expr body = expr::inlined(function, node.operands());
      return {pending(body), &rule("definition"), function.name};
    }
    const Generic generic(node, [&](const Expr& operand) { return depends(operand); });
    Deriver inner(generic.varying(), *pending_, *lemmas_);
    std::vector<Step> steps = inner.lemma(generic.call, function.name);
    const Expr lemma = steps.back().expression;
    std::vector<Expr> increments, changes;
    for (const std::size_t k : generic.places) {
      increments.push_back(inner.pending(generic.names[k]));
      changes.push_back(pending(node.operands()[k]));
    }
    if (generic.places.size() == 1 &&
        is_linear(generic.call, generic.places[0], lemma, increments[0])) {
      return {with_operand(node, generic.places[0], changes[0]), &rule("linearity"), function.name};
    }
    return {applied(lemma, generic.names, increments,
                    {node.operands().begin(), node.operands().end()}, changes),
            &rule("differential"), kept(function, generic, std::move(steps))};
  }

  /// A phrase applied to names of its own instead of operands.
  struct Generic {
    std::vector<Expr> names;
    /// The operands that vary.
    std::vector<std::size_t> places;
    Expr call;

    Generic(const Expr& node, const std::function<bool(const Expr&)>& varies) : call(node) {
      const expr::Lambda& function = *node.as<expr::Call>()->function;
      for (std::size_t k = 0; k < node.operands().size(); ++k) {
        const Expr& original = function.parameters[k];
        names.push_back(parameter(original.as<expr::Parameter>()->name, original.type()));
        if (varies(node.operands()[k])) places.push_back(k);
      }
      call = make(node.kind(), names);
    }
    std::vector<Expr> varying() const {
      std::vector<Expr> variables;
      for (const std::size_t k : places) variables.push_back(names[k]);
      return variables;
    }
  };

  /// The differential of a phrase from its definition.
  std::vector<Step> lemma(const Expr& call, const std::string& name) {
    std::vector<Step> steps{{pending(call)}};
    std::vector<Step> rest = differential(*definition_of(call), {call});
    rest.front().rule = &rule("definition");
    rest.front().of = name;
    steps.insert(steps.end(), rest.begin(), rest.end());
    return steps;
  }

  /// Keeps a lemma unless it is there already, and gives the name that it is cited by: the axes and
  /// the operands that vary are mentioned where another lemma has the shorter name.
  std::string kept(const expr::Lambda& function, const Generic& generic, std::vector<Step> steps) {
    std::string with_axes = function.name, subject = function.name + to_text(function.axes);
    for (const Axis axis : function.axes) with_axes += fmt::format("_{}", axis.name());
    std::string with_operands = with_axes + " by";
    for (const Expr& name : generic.varying()) {
      with_operands += fmt::format(" {}", name.as<expr::Parameter>()->name);
    }
    subject += with_operands;
    for (const std::string& name : {function.name, with_axes, with_operands}) {
      const std::string title = fmt::format("differential of {}", name);
      const auto found = std::ranges::find(*lemmas_, title, &Lemma::title);
      if (found != lemmas_->end() && found->subject == subject) return name;
      if (found != lemmas_->end()) continue;
      lemmas_->push_back({title, std::move(steps), subject});
      return name;
    }
    return with_operands;
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
  void simplify(std::vector<Step>& steps, std::vector<Expr> recognised) {
    SimplifyOptions options{.collect = false, .identities = false, .logistic = false};
    const auto add = [&](const Rule& by, const std::string& of) {
      const Expr before = steps.back().expression;
      const Expr after = simplified(before, options);
      if (!Fingerprints().same(after, before)) steps.push_back({after, &by, of});
    };
    const Expr apart = with_terms_apart(steps.back().expression);
    if (apart.identity() != steps.back().expression.identity()) {
      steps.push_back({apart, &rule("distributive law")});
    }
    add(rule("algebra"), "");
    options.logistic = true;
    add(rule("definition"), "sigmoid");
    if (recognised.empty()) recognised = softmaxes_in(steps.back().expression);
    if (!recognised.empty()) {
      options.calls = recognised;
      add(rule("definition"), recognised[0].as<expr::Call>()->function->name);
    }
    options.collect = true;
    add(rule("distributive law"), "");
  }

  /// (∂U - ∂V) / W as ∂U / W - ∂V / W, so that terms can be simplified one by one.
  Expr with_terms_apart(const Expr& expression) const {
    std::unordered_map<const expr::Node*, std::pair<Expr, bool>> varying;
    const auto varies = [&](const Expr& node) { return varying.at(node.identity()).second; };
    const auto rebuild = [&](const Expr& node, std::vector<Expr> operands) {
      const bool reached =
          pending_->contains(node.identity()) || std::ranges::any_of(operands, varies);
      const bool divides = is_word(node, "div") && is_sum(operands[0]) && varies(operands[0]);
      Expr result = divides ? operands[0] : expr::with_operands(node, operands);
      if (divides) {
        std::vector<Expr> terms;
        for (const Expr& term : operands[0].operands()) {
          terms.push_back(make(node.kind(), {term, operands[1]}));
        }
        result = spread(make(operands[0].kind(), std::move(terms)), node.shape());
      }
      varying.emplace(result.identity(), std::pair(result, reached));
      return result;
    };
    return expr::rewrite({&expression, 1}, rebuild)[0];
  }

  std::vector<Expr> variables_;
  Pending* pending_;
  std::vector<Lemma>* lemmas_;
  std::unordered_map<const expr::Node*, Expr> differentials_;
  std::unordered_map<const expr::Node*, Expansion> expansions_;
  std::unordered_map<const expr::Node*, std::pair<Expr, bool>> dependent_;
};

}  // namespace

Derivation derive(const Expr& result, const Expr& variable, std::vector<Lemma> known) {
  require_real("what is differentiated", result);
  require_real("the variable", variable);
  Derivation derivation{{}, {}, result, std::move(known), {}};
  Deriver deriver({variable}, derivation.pending, derivation.lemmas);
  const Expr increment = deriver.pending(variable);
  derivation.differential = deriver.differential(result, {});
  const Renames stars = derivative_axes(result.shape(), variable.shape());
  canonicalize(derivation, increment, stars);
  return derivation;
}

}  // namespace axial::calculus
