// An expression as a list of steps: structure apart from data, so that what is compiled for a
// structure can be used again for other values.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "axial/expr/node.hpp"

namespace axial::expr {

/// One operation. Operands are numbered: first the inputs of the program, then its steps.
struct Step {
  Kind kind;
  std::vector<std::int64_t> operands;
  Type type;
};

/// What to compute from which inputs; two expressions that differ only in their data have equal
/// programs.
struct Program {
  std::vector<Type> inputs;
  std::vector<Step> steps;
  std::vector<std::int64_t> results;

  /// The type of a value: of an input, or of what a step computes.
  const Type& type_of(std::int64_t value) const;
};

/// The values of a program's inputs, which somebody else keeps.
using Inputs = std::span<const Array* const>;
std::vector<const Array*> pointers_to(std::span<const Array> inputs);

/// What a program gives, in the order of its results.
using Results = Few<Array, 2>;

/// A program and the values of its inputs: leaves, and whatever was computed before.
struct Linearized {
  Program program;
  std::vector<Array> data;
};

/// The roots as one program. Fails with needs-value if a free variable occurs.
Linearized linearize(std::span<const Expr> roots);

/// Closed bodies as one program whose inputs are `parameters`.
Program linearize_body(std::span<const Expr> parameters, std::span<const Expr> bodies);

/// One step as text, its operands by number.
std::string to_text(const Step& step);

/// The program as text, one step per line: equal exactly if the structures are.
std::string to_text(const Program& program);

}  // namespace axial::expr
