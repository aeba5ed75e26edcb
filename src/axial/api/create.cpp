#include "axial/api/create.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "axial/api/identity.hpp"
#include "axial/base/error.hpp"

namespace axial {

Tensor tensor(const Shape& shape, std::span<const Number> values, ElementType type) {
  if (std::ssize(values) != shape.volume()) {
    throw Error(
        code("wrong-count"),
        fmt::format("a tensor of shape {} is given the wrong number of values: {} instead of {}",
                    to_text(shape), values.size(), shape.volume()),
        "give one value for each element, the last axis written varying fastest");
  }
  const auto misfit =
      std::ranges::find_if(values, [&](const Number& number) { return !number.fits(type); });
  if (misfit != values.end()) {
    throw Error(
        code("bad-value"),
        fmt::format("the value {} does not fit in a tensor of {}", to_text(*misfit), to_text(type)),
        "name a type that holds it, such as float64");
  }
  return Tensor(build(type, shape, [&]<class T>(T* out) {
    std::ranges::transform(values, out, [](const Number& number) {
      return std::floating_point<T> ? static_cast<T>(number.real())
                                    : static_cast<T>(number.whole());
    });
  }));
}

Tensor full(const Shape& shape, Number value, ElementType type) {
  if (!value.fits(type)) {
    throw Error(
        code("bad-value"),
        fmt::format("the value {} does not fit in a tensor of {}", to_text(value), to_text(type)),
        "name a type that holds it, such as float64");
  }
  const expr::Expr number = expr::make(expr::Literal{.value = value});
  return Tensor(expr::make(expr::Broadcast{shape}, {expr::strengthened(number, type)}));
}

Tensor iota(SizedAxis axis, ElementType type) { return Tensor(expr::make(expr::Iota{axis, type})); }

Tensor identity(SizedAxis row, Axis column, ElementType type) {
  return Tensor(expr::make(expr::Delta{row, column, type}));
}

Tensor identity(SizedAxis row, SizedAxis column, ElementType type) {
  if (row.size != column.size) {
    throw Error(code("size-clash"),
                fmt::format("an identity is square, but axis `{}` has size {} and axis `{}` has "
                            "size {}",
                            row.axis.name(), row.size, column.axis.name(), column.size),
                "give both axes the same size");
  }
  return identity(row, column.axis, type);
}

Tensor sized(const OpenIdentity& identity, const std::vector<Tensor>& context) {
  for (const Tensor& tensor : context) {
    for (const Axis axis : {identity.row, identity.column}) {
      if (const auto size = tensor.shape().find(axis)) {
        return axial::identity(identity.row[*size], identity.column, tensor.type());
      }
    }
  }
  throw Error(
      code("bad-size"),
      fmt::format("the size of the identity over {{{}, {}}} is not known: no tensor that it "
                  "is used with has one of these axes",
                  identity.row.name(), identity.column.name()),
      fmt::format("give it: identity({}[n], {})", identity.row.name(), identity.column.name()));
}

bool identical(const Tensor& left, const Tensor& right) {
  if (left.shape() != right.shape() || left.type() != right.type()) return false;
  const Axes order = left.shape().names();
  const Array a = laid_out(left.array(), order), b = laid_out(right.array(), order);
  return visit_element(a.type(), [&]<class T>() {
    return std::ranges::equal(a.elements<T>(), b.elements<T>(),
                              [](T x, T y) { return x == y || (x != x && y != y); });
  });
}

}  // namespace axial
