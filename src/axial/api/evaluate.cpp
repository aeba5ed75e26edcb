#include "axial/api/evaluate.hpp"

#include "axial/expr/lambda.hpp"
#include "axial/expr/program.hpp"
#include "axial/reference/evaluate.hpp"

namespace axial {

std::vector<Array> evaluate(std::span<const expr::Expr> expressions) {
  expr::Linearized linearized = expr::linearize(expr::without_calls(expressions));
  return reference::run(linearized.program, std::move(linearized.data));
}

}  // namespace axial
