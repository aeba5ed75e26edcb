#include "axial/api/evaluate.hpp"

#include "axial/api/run.hpp"
#include "axial/calculus/simplify.hpp"
#include "axial/expr/lambda.hpp"
#include "axial/expr/program.hpp"

namespace axial {

expr::Linearized plain_program(std::span<const expr::Expr> expressions) {
  return expr::linearize(calculus::without_deltas(expr::without_calls(expressions)));
}

std::vector<Array> evaluate(std::span<const expr::Expr> expressions) {
  expr::Linearized linearized = plain_program(expressions);
  return run_program(linearized.program, std::move(linearized.data));
}

}  // namespace axial
