// Runs expressions where they run best.
#pragma once

#include <memory>
#include <span>
#include <variant>
#include <vector>

#include "axial/expr/program.hpp"
#include "axial/expr/structure.hpp"
#include "axial/plan/plan.hpp"
#include "axial/plan/stepwise.hpp"

namespace axial {

/// How expressions of one structure are computed: by generated code, step by step, or by the reference
/// evaluator. The last two give the same bits.
using Recipe = std::variant<std::shared_ptr<const plan::Plan>, plan::Stepwise, expr::Program>;

/// The expressions as a program without calls, and without identities where they are contracted, as
/// derivatives have them. Its inputs are the leaves of the structure.
expr::Program plain_program(std::span<const expr::Expr> expressions,
                            const expr::KnownStructure& structure);

/// The recipe for a program: generated code is for those that are large enough to be worth it. The
/// environment variable AXIAL_ENGINE says `always` or `never` instead; AXIAL_CACHE names the folder where compiled code is
/// kept, or is empty to keep none.
Recipe recipe(expr::Program program, expr::Inputs inputs);

/// The results of a recipe.
expr::Results run(const Recipe& recipe, expr::Inputs inputs);

}  // namespace axial
