#include "axial/api/evaluate.hpp"

#include "axial/api/run.hpp"
#include "axial/calculus/simplify.hpp"
#include "axial/expr/lambda.hpp"
#include "axial/expr/memo.hpp"
#include "axial/plan/passes.hpp"

namespace axial {

expr::Program plain_program(std::span<const expr::Expr> expressions,
                            const expr::KnownStructure& structure) {
  std::vector<expr::Expr> leaves, parameters;
  for (const expr::Expr* leaf : structure.leaves) {
    leaves.push_back(*leaf);
    parameters.push_back(expr::make(expr::Parameter{"input", leaf->type()}));
  }
  const auto bodies = expr::with_leaves(expressions, leaves, parameters);
  return expr::linearize_body(parameters,
                              plan::share(calculus::without_deltas(expr::without_calls(bodies))));
}

expr::Results evaluate(std::span<const expr::Expr> expressions) {
  static expr::Memo<std::shared_ptr<const Recipe>> recipes;
  const expr::KnownStructure structure = expr::structure_above_values(expressions);
  const auto& recipe_of = recipes.get(structure.hash, [&] {
    expr::Program program = plain_program(expressions, structure);
    return std::make_shared<const Recipe>(recipe(std::move(program), structure.values));
  });
  return run(*recipe_of, structure.values);
}

}  // namespace axial
