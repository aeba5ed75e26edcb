#include "axial/api/calculus.hpp"

#include "axial/calculus/derivative.hpp"

namespace axial::plain {

Tensor differential(const Tensor& y, const Tensor& x, const Tensor& increment) {
  return Tensor(calculus::differential(y.expression(), x.expression(), increment.expression()));
}

Tensor derivative(const Tensor& y, const Tensor& x) {
  return Tensor(calculus::derivative(y.expression(), x.expression()));
}

std::vector<Tensor> gradients(const Tensor& loss, const std::vector<Tensor>& variables) {
  std::vector<expr::Expr> nodes;
  for (const Tensor& variable : variables) nodes.push_back(variable.expression());
  std::vector<Tensor> results;
  for (expr::Expr& gradient : calculus::gradients(loss.expression(), nodes)) {
    results.emplace_back(std::move(gradient));
  }
  return results;
}

}  // namespace axial::plain
