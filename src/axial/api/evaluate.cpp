#include "axial/api/evaluate.hpp"

#include "axial/expr/lambda.hpp"
#include "axial/expr/program.hpp"
#include "axial/reference/evaluate.hpp"

namespace axial {

std::vector<Array> evaluate(std::span<const expr::Expr> expressions) {
  std::vector<expr::Expr> inlined;
  for (const expr::Expr& expression : expressions) {
    inlined.push_back(expr::without_calls(expression));
  }
  expr::Linearized linearized = expr::linearize(inlined);
  return reference::run(linearized.program, std::move(linearized.data));
}

}  // namespace axial
