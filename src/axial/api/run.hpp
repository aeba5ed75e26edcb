// Runs programs where they run best.
#pragma once

#include <span>
#include <vector>

#include "axial/expr/program.hpp"

namespace axial {

/// The expressions as a program without calls, and without identities where they are contracted, as
/// derivatives have them.
expr::Linearized plain_program(std::span<const expr::Expr> expressions);

/// The results of a program: small ones by the reference evaluator, all others by compiled code. The
/// environment variable AXIAL_ENGINE says `always` or `never` instead; AXIAL_CACHE names the folder
/// where compiled code is kept, or is empty to keep none.
std::vector<Array> run_program(const expr::Program& program, std::vector<Array> inputs);

}  // namespace axial
