#include "axial/api/calculus.hpp"

#include "axial/calculus/derivative.hpp"
#include "axial/expr/memo.hpp"
#include "axial/expr/pattern.hpp"

namespace axial::plain {
namespace {

using expr::Expr;

/// Derivations in parameters, so that they serve every expression of the same structure.
using Derivations = expr::Memo<std::shared_ptr<const expr::Pattern>>;

/// What `derive` makes of an expression and variables; it is called only for structures that it has not
/// seen before. `memo` must be its own.
template <class Derive>
std::vector<Expr> derived(Derivations& memo, const Tensor& result,
                          std::span<const Tensor> variables, const Derive& derive) {
  std::vector<Expr> roots;
  roots.reserve(1 + variables.size());
  roots.push_back(result.expression());
  for (const Tensor& variable : variables) roots.push_back(variable.expression());
  const auto given = std::span(roots).subspan(1);
  const expr::Structure structure = expr::structure_above_variables({roots.data(), 1}, given);
  const auto& known = memo.get(structure.hash, [&] {
    std::vector<Expr> parameters;
    for (const Expr& leaf : structure.leaves) {
      parameters.push_back(expr::make(expr::Parameter{"leaf", leaf.type()}));
    }
    const auto opened = expr::with_leaves(roots, structure.leaves, parameters);
    const auto results = derive(opened[0], std::span(opened).subspan(1));
    return std::make_shared<const expr::Pattern>(parameters, results);
  });
  return known->on(structure.leaves);
}

}  // namespace

Tensor differential(const Tensor& y, const Tensor& x, const Tensor& increment) {
  return Tensor(calculus::differential(y.expression(), x.expression(), increment.expression()));
}

Tensor derivative(const Tensor& y, const Tensor& x) {
  static Derivations memo;
  const auto derive = [](const Expr& result, std::span<const Expr> variables) {
    return std::vector{calculus::derivative(result, variables[0])};
  };
  return Tensor(derived(memo, y, {&x, 1}, derive)[0]);
}

Tensor hessian(const Tensor& loss, const Tensor& x) {
  static Derivations memo;
  const auto derive = [](const Expr& result, std::span<const Expr> variables) {
    const Expr first = calculus::derivative(result, variables[0]);
    return std::vector{calculus::derivative(first, variables[0])};
  };
  return Tensor(derived(memo, loss, {&x, 1}, derive)[0]);
}

std::vector<Tensor> gradients(const Tensor& loss, const std::vector<Tensor>& variables) {
  static Derivations memo;
  std::vector<Tensor> results;
  for (Expr& gradient : derived(memo, loss, variables, calculus::gradients)) {
    results.emplace_back(std::move(gradient));
  }
  return results;
}

}  // namespace axial::plain
