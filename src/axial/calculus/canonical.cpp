#include "axial/calculus/canonical.hpp"

#include <algorithm>

#include "axial/calculus/derivative.hpp"
#include "axial/calculus/fingerprint.hpp"
#include "axial/calculus/simplify.hpp"
#include "axial/expr/lambda.hpp"
#include "axial/expr/traverse.hpp"
#include "axial/notation/phrases.hpp"

namespace axial::calculus {
namespace {

bool has_identity(const Expr& expression) {
  const auto nodes = expr::post_order({&expression, 1});
  return std::ranges::any_of(nodes,
                             [](const Expr& node) { return node.as<expr::Delta>() != nullptr; });
}

/// Calls of phrases on identities opened by their definitions, so that the identities can go.
Expr with_opened_calls(const Expr& expression, std::string& name) {
  const auto rebuild = [&](const Expr& node, std::vector<Expr> operands) {
    const bool reached =
        node.as<expr::Call>() != nullptr && std::ranges::any_of(operands, has_identity);
    const Expr rebuilt = expr::with_operands(node, std::move(operands));
    const auto meaning = reached ? definition_of(rebuilt) : std::nullopt;
    if (meaning) name = node.as<expr::Call>()->function->name;
    return meaning.value_or(rebuilt);
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

/// The names of phrases, once for each use.
std::vector<std::string> used_phrases(const Expr& expression) {
  std::vector<std::string> names;
  const auto note = [&](const Expr& node) {
    if (const auto* call = node.as<expr::Call>()) names.push_back(call->function->name);
  };
  for (const Expr& node : expr::post_order({&expression, 1})) {
    for (const Expr& operand : node.operands()) note(operand);
  }
  note(expression);
  return names;
}

/// From a differential in ∂X to D ⊙_{S*} ∂X*, an idea at a time.
class Canonical {
 public:
  Canonical(Derivation& derivation, const Expr& increment, const Renames& stars)
      : derivation_(&derivation), moved_(renamed(increment, stars)) {
    for (const auto& [from, to] : stars) over_ = over_ & to;
    const Expr differential = derivation.differential.back().expression;
    if (!over_.empty()) {
      const Expr unit = identity(increment.shape(), stars, increment.element());
      const Expr spelled = contraction(over_, {unit, moved_});
      derivation.canonical.push_back(
          {expr::substitute(differential, {{increment.identity(), spelled}}), &rule("identity")});
    }
    Expr matrix = linear_matrix(differential, increment, stars);
    add(matrix, rule("associativity"));
    std::string opened;
    matrix = with_opened_calls(matrix, opened);
    if (!opened.empty()) add(matrix, rule("definition"), opened);
    SimplifyOptions options{.algebra = false, .collect = false, .renamed = stars};
    matrix = simplified(matrix, options);
    add(matrix, rule("renaming by identity"));
    options.algebra = true;
    matrix = simplified(matrix, options);
    add(matrix, rule("algebra"));
    options.calls = phrases_in(differential);
    const Expr recognised = simplified(matrix, options);
    add(recognised, rule("definition"), recognised_name(matrix, recognised));
    options.collect = true;
    derivation.derivative = simplified(recognised, options);
    add(derivation.derivative, rule("distributive law"));
  }

 private:
  void add(const Expr& matrix, const Rule& by, std::string of = "") {
    const Expr whole = over_.empty() ? times(matrix, moved_) : contraction(over_, {matrix, moved_});
    std::vector<Step>& steps = derivation_->canonical;
    if (steps.empty() || !Fingerprints().same(whole, steps.back().expression)) {
      steps.push_back({whole, &by, std::move(of)});
    }
  }

  /// The phrase that is used more often than before.
  static std::string recognised_name(const Expr& before, const Expr& after) {
    std::vector<std::string> names = used_phrases(before);
    for (std::string& name : used_phrases(after)) {
      const auto found = std::ranges::find(names, name);
      if (found == names.end()) return std::move(name);
      names.erase(found);
    }
    return "";
  }

  Derivation* derivation_;
  Expr moved_;
  Axes over_;
};

}  // namespace

void canonicalize(Derivation& derivation, const Expr& increment, const Renames& stars) {
  Canonical(derivation, increment, stars);
}

}  // namespace axial::calculus
