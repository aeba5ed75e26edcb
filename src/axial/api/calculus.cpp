#include "axial/api/calculus.hpp"

#include <algorithm>
#include <iterator>

#include "axial/calculus/derivative.hpp"
#include "axial/expr/lambda.hpp"
#include "axial/expr/memo.hpp"
#include "axial/expr/pattern.hpp"

namespace axial::plain {
namespace {

using expr::Expr;

/// An expression that is differentiated, and variables: as such, and with parameters in place of all
/// leaves, so that what is derived serves every expression of the same structure.
class Differentiated {
 public:
  Differentiated(const Tensor& result, std::span<const Tensor> variables) {
    roots_.push_back(result.expression());
    for (const Tensor& variable : variables) roots_.push_back(variable.expression());
    structure_ = expr::structure_above_variables({roots_.begin(), 1}, rest(roots_));
  }

  const expr::StructureHash& hash() const { return structure_.hash; }
  const auto& leaves() const { return structure_.leaves; }

  /// Calls make(parameters, result, variables).
  template <class Make>
  auto opened(const Make& make) const {
    std::vector<Expr> parameters;
    for (const Expr& leaf : structure_.leaves) {
      parameters.push_back(expr::make(expr::Parameter{"leaf", leaf.type()}));
    }
    const auto opened = expr::with_leaves(roots_, structure_.leaves, parameters);
    return make(parameters, opened[0], rest(opened));
  }

 private:
  static std::span<const Expr> rest(std::span<const Expr> roots) { return roots.subspan(1); }

  expr::Operands roots_;
  expr::Structure structure_;
};

using Derivatives = expr::Memo<std::shared_ptr<const expr::Closure>>;

/// What `derive` makes of an expression and a variable, as a function of its leaves; it is called only for
/// structures that it has not seen before. `memo` must be its own.
template <class Derive>
Tensor derived(Derivatives& memo, const std::string& name, const Tensor& result,
               const Tensor& variable, const Derive& derive) {
  const Differentiated given(result, {&variable, 1});
  const auto& [function, constants] = *memo.get(given.hash(), [&] {
    return given.opened([&](const auto& parameters, const Expr& body, const auto& variables) {
      return std::make_shared<const expr::Closure>(
          expr::close(name, {}, parameters, derive(body, variables[0])));
    });
  });
  expr::Operands arguments(given.leaves().begin(), given.leaves().end());
  std::ranges::copy(constants, std::back_inserter(arguments));
  return Tensor(expr::make(expr::Call{function}, std::move(arguments)));
}

}  // namespace

Tensor differential(const Tensor& y, const Tensor& x, const Tensor& increment) {
  return Tensor(calculus::differential(y.expression(), x.expression(), increment.expression()));
}

Tensor derivative(const Tensor& y, const Tensor& x) {
  static Derivatives memo;
  return derived(memo, "derivative", y, x, calculus::derivative);
}

Tensor hessian(const Tensor& loss, const Tensor& x) {
  static Derivatives memo;
  return derived(memo, "hessian", loss, x, [](const Expr& result, const Expr& variable) {
    return calculus::derivative(calculus::derivative(result, variable), variable);
  });
}

std::vector<Tensor> gradients(const Tensor& loss, const std::vector<Tensor>& variables) {
  // What gradients share stays shared, so they are no functions of their own.
  static expr::Memo<std::shared_ptr<const expr::Pattern>> memo;
  const Differentiated given(loss, variables);
  const auto& pattern = memo.get(given.hash(), [&] {
    return given.opened([](const auto& parameters, const Expr& body, const auto& opened) {
      return std::make_shared<const expr::Pattern>(parameters, calculus::gradients(body, opened));
    });
  });
  std::vector<Tensor> results;
  for (Expr& gradient : pattern->on(given.leaves())) results.emplace_back(std::move(gradient));
  return results;
}

}  // namespace axial::plain
