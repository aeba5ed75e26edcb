#include "axial/api/evaluate.hpp"

#include "axial/api/run.hpp"
#include "axial/calculus/simplify.hpp"
#include "axial/expr/lambda.hpp"
#include "axial/expr/program.hpp"

namespace axial {

std::vector<Array> evaluate(std::span<const expr::Expr> expressions) {
  // Derivatives hold identities that need not be built where they are contracted.
  const std::vector<expr::Expr> plain = calculus::without_deltas(expr::without_calls(expressions));
  expr::Linearized linearized = expr::linearize(plain);
  return run_program(linearized.program, std::move(linearized.data));
}

}  // namespace axial
