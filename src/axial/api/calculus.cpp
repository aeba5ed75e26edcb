#include "axial/api/calculus.hpp"

#include "axial/calculus/derivative.hpp"
#include "axial/expr/memo.hpp"

namespace axial::plain {
namespace {

using expr::Expr;

/// A derivation whose leaves are parameters, so that it serves every expression of the same structure.
struct Derived {
  std::vector<Expr> parameters;
  std::vector<Expr> results;
};

/// What `derive` makes of an expression and variables; it is called only for structures that it has not
/// seen before. `memo` must be its own.
template <class Derive>
std::vector<Expr> derived(expr::Memo<std::shared_ptr<const Derived>>& memo, const Tensor& result,
                          const std::vector<Tensor>& variables, const Derive& derive) {
  std::vector<Expr> roots{result.expression()};
  for (const Tensor& variable : variables) roots.push_back(variable.expression());
  const auto given = std::span(roots).subspan(1);
  const expr::Structure structure = expr::structure_above_variables({roots.data(), 1}, given);
  const auto known = memo.get(structure.hash, [&] {
    Derived made;
    for (const Expr& leaf : structure.leaves) {
      made.parameters.push_back(expr::make(expr::Parameter{"leaf", leaf.type()}));
    }
    const auto opened = expr::with_leaves(roots, structure.leaves, made.parameters);
    made.results = derive(opened[0], std::span(opened).subspan(1));
    return std::make_shared<const Derived>(std::move(made));
  });
  return expr::with_leaves(known->results, known->parameters, structure.leaves);
}

}  // namespace

Tensor differential(const Tensor& y, const Tensor& x, const Tensor& increment) {
  return Tensor(calculus::differential(y.expression(), x.expression(), increment.expression()));
}

Tensor derivative(const Tensor& y, const Tensor& x) {
  static expr::Memo<std::shared_ptr<const Derived>> memo;
  const auto derive = [](const Expr& result, std::span<const Expr> variables) {
    return std::vector{calculus::derivative(result, variables[0])};
  };
  return Tensor(derived(memo, y, {x}, derive)[0]);
}

std::vector<Tensor> gradients(const Tensor& loss, const std::vector<Tensor>& variables) {
  static expr::Memo<std::shared_ptr<const Derived>> memo;
  std::vector<Tensor> results;
  for (Expr& gradient : derived(memo, loss, variables, calculus::gradients)) {
    results.emplace_back(std::move(gradient));
  }
  return results;
}

}  // namespace axial::plain
