// Expressions made into a program once and run again and again with other values for their leaves.
#pragma once

#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "axial/expr/program.hpp"
#include "axial/train/objective.hpp"

namespace axial::train {

class NamedProgram {
 public:
  /// The program of `results`; the leaves of `inputs` get their values when it runs.
  NamedProgram(std::span<const expr::Expr> results, std::span<const NamedExpr> inputs);

  /// The results for these values, by the names of the inputs. Every input needs one.
  std::vector<Array> operator()(const std::map<std::string, Array>& values) const;

 private:
  expr::Program program_;
  std::vector<Array> data_;
  /// Which input of the program has which name.
  std::vector<std::pair<std::size_t, std::string>> places_;
};

}  // namespace axial::train
