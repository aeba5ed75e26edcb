#include "axial/train/named_program.hpp"

#include "axial/api/evaluate.hpp"
#include "axial/expr/traverse.hpp"

namespace axial::train {

NamedProgram::NamedProgram(std::span<const expr::Expr> results, std::span<const NamedExpr> inputs)
    : results_(results.begin(), results.end()), inputs_(inputs.begin(), inputs.end()) {}

expr::Results NamedProgram::operator()(const std::map<std::string, Array>& values) const {
  expr::Substitution leaves;
  for (const NamedExpr& input : inputs_) {
    leaves.emplace(input.value.identity(), expr::make(expr::Leaf{values.at(input.name)}));
  }
  // The structure is the same each time, so its plan is found again.
  return evaluate(expr::substitute(results_, leaves));
}

}  // namespace axial::train
