// Small programs, one step after the other. Everything but the values is worked out beforehand, since
// for few elements that takes longer than computing them.
#pragma once

#include <memory>
#include <vector>

#include "axial/expr/program.hpp"

namespace axial::plan {

/// A program for inputs of one layout. It gives, bit for bit, what the reference evaluator gives.
class Stepwise {
 public:
  Stepwise(expr::Program program, const std::vector<Shape>& layouts);

  expr::Results run(expr::Inputs inputs) const;

 private:
  struct Steps;
  std::shared_ptr<const Steps> steps_;
};

}  // namespace axial::plan
