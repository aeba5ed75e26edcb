#include "axial/expr/operand_checks.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "axial/base/error.hpp"

namespace axial::expr {

void require_arity(const Activity& name, std::span<const Expr> operands, std::int64_t count) {
  if (std::ssize(operands) == count) return;
  throw Error(code("wrong-arity"),
              fmt::format("`{}` takes {} operand{}, but is given {}", name.text(), count,
                          count == 1 ? "" : "s", operands.size()));
}

namespace {

std::string describe(Takes takes) {
  if (takes == Takes::reals) return "real numbers (float32, float64)";
  if (takes == Takes::booleans) return "truth values (bool)";
  if (takes == Takes::numbers) return "numbers (float32, float64, int32, int64)";
  return "any elements";
}

}  // namespace

void require_accepted(const Activity& name, Takes takes, const Expr& operand,
                      std::string_view integer_hint) {
  const ElementType element = operand.element();
  if (operand.type().weak || accepts(takes, element)) return;
  throw Error(code("element-type"),
              fmt::format("`{}` takes {}, but the tensor of shape {} holds {}", name.text(),
                          describe(takes), to_text(operand.shape()), to_text(element)),
              is_integer(element) && !integer_hint.empty() ? std::string(integer_hint)
              : takes == Takes::booleans                   ? "compare first: X != 0"
              : element == boolean && takes != Takes::reals
                  ? "convert first: to(int64, X), or to(float32, X)"
                  : "convert first: to(float32, X)");
}

ElementType shared_element(const Activity& name, std::span<const Expr> operands) {
  for (const Expr& operand : operands) {
    if (operand.element() != operands[0].element()) {
      throw Error(code("element-type"),
                  fmt::format("`{}` mixes element types: {} in {} and {} in {}", name.text(),
                              to_text(operands[0].element()), to_text(operands[0].shape()),
                              to_text(operand.element()), to_text(operand.shape())),
                  fmt::format("convert one of them: to({}, X)", to_text(operands[0].element())));
    }
  }
  return operands[0].element();
}

Shape united(const Activity& name, std::span<const Expr> operands) {
  if (operands.empty()) return {};
  Shape shape = operands[0].shape();
  try {
    for (const Expr& operand : operands.subspan(1)) {
      if (!contains(shape, operand.shape())) shape = shape | operand.shape();
    }
  } catch (const Error& error) {
    throw error.within(fmt::format("`{}`", name.text()));
  }
  return shape;
}

bool all_weak(std::span<const Expr> operands) {
  return std::ranges::all_of(operands, [](const Expr& operand) { return operand.type().weak; });
}

}  // namespace axial::expr
