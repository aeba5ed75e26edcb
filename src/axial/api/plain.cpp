#include "axial/api/plain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "axial/base/error.hpp"
#include "axial/notation/elaborate.hpp"

namespace axial::plain {
namespace {

expr::Operands expressions(std::span<const Tensor> tensors) {
  expr::Operands all;
  for (const Tensor& tensor : tensors) all.push_back(tensor.expression());
  return all;
}

Tensor made(expr::Kind kind, std::span<const Tensor> operands) {
  return Tensor(expr::make(std::move(kind), expressions(operands)));
}
Tensor made(expr::Kind kind, const Tensor& operand) { return made(std::move(kind), {&operand, 1}); }

/// The positions that hold the largest elements along `best`, largest first; of equal elements, the
/// first comes first.
Tensor descending(Axis axis, SizedAxis best, const Tensor& x) {
  require_axis(x.shape(), axis, "top_k");
  if (best.axis != axis && x.shape().contains(best.axis)) {
    throw Error(code("rename-clash"),
                fmt::format("top_k along `{}`: {} already has an axis `{}`", axis.name(),
                            to_text(x.shape()), best.axis.name()),
                "choose a new name for the axis of the largest elements");
  }
  const std::int64_t size = x.size(axis);
  if (best.size > size) {
    throw Error(code("bad-size"),
                fmt::format("top_k: there are no {} largest elements along axis `{}` of size {}",
                            best.size, axis.name(), size),
                "ask for at most as many as the axis has positions");
  }
  // Counted from the end, since the order is stable: read backwards, it turns equal elements round.
  const Tensor from_end = primitive("order", axis, {reverse(axis, x)});
  const Tensor largest = reverse(axis, from_end[axis(size - best.size, size)])[axis >> best.axis];
  return plain::apply(word("sub"), std::array<Tensor, 2>{size - 1, largest});
}

}  // namespace

Tensor apply(const Word& word, expr::Operands operands) {
  return Tensor(expr::make(expr::Map{&word}, std::move(operands)));
}
Tensor apply(const Word& word, std::span<const Tensor> operands) {
  return plain::apply(word, expressions(operands));
}

Tensor reduce(const Reduction& reduction, const Axes& over, const Tensor& x) {
  return made(expr::Reduce{&reduction, over}, x);
}

Tensor contract(const Axes& over, expr::Operands factors) {
  if (!over.empty()) return Tensor(expr::make(expr::Contract{over}, std::move(factors)));
  expr::Expr product = factors[0];
  for (std::size_t k = 1; k < factors.size(); ++k) {
    product = expr::make(expr::Map{&word("mul")}, {product, factors[k]});
  }
  return Tensor(std::move(product));
}

Tensor primitive(std::string_view name, const Axes& over, const std::vector<Tensor>& operands) {
  return Tensor(notation::apply_function(name, {over}, expressions(operands)));
}

Tensor phrase(std::string_view name, const std::vector<Axes>& axes,
              const std::vector<Tensor>& arguments) {
  return Tensor(notation::apply_function(name, axes, expressions(arguments)));
}

Tensor index(Axis axis, const Tensor& source, const Tensor& indices) {
  return made(expr::Index{axis}, std::array{source, indices});
}

Tensor unroll(Axis axis, SizedAxis kernel, const Tensor& x, const WindowOptions& options) {
  const Tensor padded =
      options.padding == 0 ? x : pad(axis, options.padding, options.padding, x, options.value);
  return made(expr::Window{axis, kernel, options.stride, options.dilation}, padded);
}

Tensor pool(Axis axis, SizedAxis kernel, const Tensor& x) {
  return made(expr::Window{axis, kernel, kernel.size, 1, true}, x);
}

Tensor concat(Axis axis, const std::vector<Tensor>& parts) {
  return made(expr::Concat{axis}, parts);
}

Tensor stack(Axis axis, const std::vector<Tensor>& parts) {
  std::vector<Tensor> layers;
  for (const Tensor& part : parts) {
    if (part.shape().contains(axis)) {
      throw Error(code("rename-clash"),
                  fmt::format("stack along `{}`: {} already has that axis", axis.name(),
                              to_text(part.shape())),
                  "choose a new name for the stacked axis, or use concat");
    }
    layers.push_back(broadcast(part, axis[1]));
  }
  return concat(axis, layers);
}

Tensor pad(Axis axis, std::int64_t before, std::int64_t after, const Tensor& x, Number value) {
  return made(expr::Pad{axis, before, after, value}, x);
}

Tensor reverse(Axis axis, const Tensor& x) {
  require_axis(x.shape(), axis, "reverse");
  const std::int64_t size = x.size(axis);
  return made(expr::Slice{axis, size - 1, size, -1}, x);
}

Tensor top_k(Axis axis, SizedAxis best, const Tensor& x) {
  return index(axis, x, descending(axis, best, x));
}

Tensor top_k_indices(Axis axis, SizedAxis best, const Tensor& x) {
  return descending(axis, best, x);
}

Tensor to(ElementType type, const Tensor& x) {
  const auto* number = x.expression().as<expr::Literal>();
  const bool is_exact = number != nullptr && number->weak && number->value.fits(type);
  return is_exact ? Tensor(expr::strengthened(x.expression(), type)) : made(expr::Cast{type}, x);
}

Tensor broadcast(const Tensor& x, const Shape& along) { return made(expr::Broadcast{along}, x); }

}  // namespace axial::plain
