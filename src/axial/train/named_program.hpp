// Expressions that are run again and again with other values for their leaves.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "axial/expr/program.hpp"
#include "axial/train/objective.hpp"

namespace axial::train {

class NamedProgram {
 public:
  /// The program of `results`; the leaves of `inputs` get their values when it runs.
  NamedProgram(std::span<const expr::Expr> results, std::span<const NamedExpr> inputs);

  /// The results for these values, by the names of the inputs. Every input needs one.
  expr::Results operator()(const std::map<std::string, Array>& values) const;

 private:
  std::vector<expr::Expr> results_;
  std::vector<NamedExpr> inputs_;
};

}  // namespace axial::train
