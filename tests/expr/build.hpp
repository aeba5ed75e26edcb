// Short ways to build expressions in tests.
#pragma once

#include <string>
#include <vector>

#include "axial/expr/node.hpp"

namespace axial::expr {

/// A leaf that holds 1, 2, 3, … in the written order of the shape.
inline Expr leaf(const Shape& shape, ElementType type = float32) {
  return make(Leaf{build(type, shape, [&]<class T>(T* out) {
    for (std::int64_t i = 0; i < shape.volume(); ++i) out[i] = static_cast<T>(i + 1);
  })});
}

/// A plain number.
inline Expr number(Number value) { return make(Literal{.value = value}); }

inline Expr variable(std::string name, const Shape& shape, ElementType type = float32) {
  return make(Parameter{std::move(name), {shape, type}});
}

/// A word applied to operands.
template <class... Operands>
Expr map(const Word& word, const Operands&... operands) {
  return make(Map{&word}, {operands...});
}

}  // namespace axial::expr
