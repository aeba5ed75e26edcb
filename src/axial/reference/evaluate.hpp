// The slow, obvious evaluator: the definitions of the paper, literally. It is what every faster way
// of computing is compared with.
#pragma once

#include <vector>

#include "axial/expr/program.hpp"

namespace axial::reference {

/// The results of a program for the given inputs. Real numbers are computed in double precision and
/// rounded to the element type once per step; integers are exact. Fails with an Error for indices
/// out of range, impossible conversions and singular matrices.
std::vector<Array> run(const expr::Program& program, std::vector<Array> inputs);

/// The value of an expression without free variables.
Array evaluate(const expr::Expr& expression);

}  // namespace axial::reference
