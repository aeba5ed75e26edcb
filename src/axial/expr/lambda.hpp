// Functions of expressions, and lifting by substitution without capture.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "axial/expr/node.hpp"
#include "axial/expr/program.hpp"
#include "axial/expr/structure.hpp"

namespace axial::expr {

/// A closed function: its body mentions its own parameters and no data.
struct Lambda {
  std::string name;
  /// The axes that it was instantiated with, as in softmax_seq; for display.
  Axes axes;
  std::vector<Expr> parameters;
  Expr body;
  /// The body as steps.
  Program program;
  StructureHash structure;
};

/// A function together with the values that its body took from outside; they are passed after the
/// ordinary arguments.
struct Closure {
  Function function;
  std::vector<Expr> captured;
};

/// Closes `body` over `parameters`: whatever does not depend on them becomes a further parameter.
Closure close(std::string name, Axes axes, std::vector<Expr> parameters, const Expr& body);

/// The function of `parameters` given by `body`, applied to arguments; lifted as the paper says.
Expr call(std::string name, Axes axes, std::vector<Expr> parameters, const Expr& body,
          Operands arguments);

/// The body of a function with arguments in place of its parameters. Extra axes of the arguments
/// never meet axes that the body uses: they carry fresh names inside.
Expr inlined(const Lambda& function, std::span<const Expr> arguments);

/// The same expressions with every Call inlined, also inside the steps of scans. What they share
/// stays shared.
std::vector<Expr> without_calls(std::span<const Expr> expressions);
Expr without_calls(const Expr& expression);

}  // namespace axial::expr
