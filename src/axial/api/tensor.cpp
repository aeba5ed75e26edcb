#include "axial/api/tensor.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ostream>

#include "axial/api/evaluate.hpp"
#include "axial/base/error.hpp"
#include "axial/tensor/print.hpp"

namespace axial {

Tensor::Tensor(Array values) : Tensor(expr::make(expr::Leaf{std::move(values)})) {}

Tensor::Tensor(expr::Expr expression) : held_(std::move(expression)) {}

Tensor Tensor::from_number(Number number) {
  return Tensor(expr::make(expr::Literal{.value = number}));
}

Array Tensor::computed() const {
  while (true) {
    // Another thread that lets go of the same expression may make it forget the value at once.
    if (const auto value = expression().known_value()) return *value;
    evaluate_together({this, 1});
  }
}

Array Tensor::array() const { return Tensor(expr::strengthened(expression(), type())).computed(); }

namespace {

/// Computes expressions and lets them remember their values.
void compute(std::span<const expr::Expr> unknown) {
  expr::Results values = evaluate(unknown);
  for (std::size_t k = 0; k < unknown.size(); ++k) unknown[k].remember(std::move(values[k]));
}

}  // namespace

void evaluate_together(std::span<const Tensor> tensors) {
  if (tensors.size() == 1) {
    // Small programs ask for one tensor at a time, which needs no list.
    const expr::Expr& only = tensors[0].expression();
    if (!only.is_known()) compute({&only, 1});
    return;
  }
  std::vector<expr::Expr> unknown;
  for (const Tensor& tensor : tensors) {
    if (!tensor.expression().is_known()) unknown.push_back(tensor.expression());
  }
  if (!unknown.empty()) compute(unknown);
}

double Tensor::item() const {
  if (shape().order() != 0) {
    throw Error(code("unexpected-axis"),
                fmt::format("item() needs a scalar, but the tensor has shape {}", to_text(shape())),
                "index or reduce the axes first, or ask for values()");
  }
  return computed().real(0);
}

namespace {

expr::Expr indexed(const expr::Expr& source, const NamedIndex& index) {
  require_axis(source.shape(), index.axis, "index");
  require_in_range(index.axis, index.position, source.shape().size(index.axis));
  const expr::Expr position = expr::make(expr::Literal{.value = index.position});
  return expr::make(expr::Index{index.axis}, {source, position});
}

expr::Expr sliced(const expr::Expr& source, const NamedRange& range) {
  require_axis(source.shape(), range.axis, "slice");
  const std::int64_t size = source.shape().size(range.axis);
  if (range.begin < 0 || range.end > size || range.begin > range.end || range.step < 1) {
    throw Error(
        code("index-out-of-range"),
        fmt::format("the slice {}({}, {}, {}) does not fit axis `{}` of size {}", range.axis.name(),
                    range.begin, range.end, range.step, range.axis.name(), size),
        "a slice runs from begin up to but not including end, with a step of 1 or more");
  }
  const std::int64_t length = range.end - range.begin;
  const std::int64_t count = length == 0 ? 0 : (length - 1) / range.step + 1;
  return expr::make(expr::Slice{range.axis, range.begin, count, range.step}, {source});
}

bool is_rename(const Renaming& renaming) {
  return renaming.from.size() == 1 && renaming.to.size() == 1;
}

void require_size(const expr::Expr& source, Axis from, const AxisPart& to) {
  require_axis(source.shape(), from,
               fmt::format("rename `{}` to `{}`", from.name(), to.axis.name()));
  const std::int64_t size = source.shape().size(from);
  if (to.size != AxisPart::open && to.size != size) {
    throw Error(code("size-clash"),
                fmt::format("renaming `{}` to `{}[{}]`: it has size {} in {}", from.name(),
                            to.axis.name(), to.size, size, to_text(source.shape())),
                "leave the size out: a rename keeps it");
  }
}

/// The shape of the parts of a reshape, an open size computed from the others.
Shape completed(const expr::Expr& source, const Renaming& reshaping) {
  for (const Axis axis : reshaping.from) require_axis(source.shape(), axis, "reshape");
  const std::int64_t volume = restrict(source.shape(), Axes(reshaping.from)).volume();
  std::int64_t open = 0;
  std::vector<SizedAxis> sized;
  for (const AxisPart& part : reshaping.to) {
    if (part.size == AxisPart::open) {
      ++open;
    } else {
      sized.push_back({part.axis, part.size});
    }
  }
  const std::int64_t known = Shape(sized).volume();
  if (open > 1 || (open == 1 && (known == 0 || volume % known != 0))) {
    std::vector<std::string> parts;
    for (const AxisPart& part : reshaping.to) {
      parts.push_back(part.size == AxisPart::open
                          ? fmt::format("`{}`", part.axis.name())
                          : fmt::format("`{}[{}]`", part.axis.name(), part.size));
    }
    throw Error(
        code("size-clash"),
        fmt::format("the {} positions of `{}` in {} cannot be split into {}", volume,
                    reshaping.from[0].name(), to_text(source.shape()), fmt::join(parts, " and ")),
        "give all sizes but one, and let their product divide the number of positions");
  }
  std::vector<SizedAxis> axes;
  for (const AxisPart& part : reshaping.to) {
    axes.push_back(part.axis[part.size == AxisPart::open ? volume / known : part.size]);
  }
  return Shape(axes);
}

}  // namespace

namespace {

/// Fails with lifting-clash if the outcome would depend on which of several tensors indexes first.
void require_independent(std::span<const TensorIndex> indices) {
  for (const TensorIndex& by : indices) {
    for (const TensorIndex& other : indices) {
      if (by.axis == other.axis || !by.indices->shape().contains(other.axis)) continue;
      throw Error(code("lifting-clash"),
                  fmt::format("the indices along `{}`, of shape {}, have the axis `{}`, which is "
                              "indexed in the same subscript",
                              by.axis.name(), to_text(by.indices->shape()), other.axis.name()),
                  "say which comes first: X[a(I)][b(J)]");
    }
  }
}

/// Renamings happen at once, so that [a >> b, b >> a] exchanges two names.
expr::Expr renamed(const expr::Expr& source, std::span<const Renaming> renamings) {
  expr::Rename rename;
  for (const Renaming& renaming : renamings) {
    if (!is_rename(renaming)) continue;
    require_size(source, renaming.from[0], renaming.to[0]);
    rename.pairs.emplace_back(renaming.from[0], renaming.to[0].axis);
  }
  return rename.pairs.empty() ? source : expr::make(std::move(rename), {source});
}

}  // namespace

Tensor Tensor::select(const std::vector<Subscript>& parts) const {
  expr::Expr result = expression();
  std::vector<TensorIndex> by_tensors;
  std::vector<Renaming> renamings;
  std::vector<Axis> subscripted;
  for (const Subscript& part : parts) {
    std::visit(
        [&](const auto& one) {
          if constexpr (requires { one.axis; }) subscripted.push_back(one.axis);
        },
        part);
  }
  static_cast<void>(Axes(std::move(subscripted)));  // throws if an axis is indexed twice
  for (const Subscript& part : parts) {
    if (const auto* index = std::get_if<NamedIndex>(&part)) result = indexed(result, *index);
    if (const auto* range = std::get_if<NamedRange>(&part)) result = sliced(result, *range);
    if (const auto* by = std::get_if<TensorIndex>(&part)) by_tensors.push_back(*by);
    if (const auto* renaming = std::get_if<Renaming>(&part)) renamings.push_back(*renaming);
  }
  require_independent(by_tensors);
  for (const TensorIndex& by : by_tensors) {
    result = expr::make(expr::Index{by.axis}, {result, by.indices->expression()});
  }
  result = renamed(result, renamings);
  for (const Renaming& reshaping : renamings) {
    if (is_rename(reshaping)) continue;
    const Shape to = completed(result, reshaping);
    result = expr::make(expr::Reshape{Axes(reshaping.from), to}, {result});
  }
  return Tensor(std::move(result));
}

void require_names(const Tensor& tensor, const Axes& names, std::string_view activity) {
  const Shape shape = tensor.shape();
  for (const Axis axis : names) require_axis(shape, axis, activity);
  const Axes unexpected = shape.names() - names;
  if (!unexpected.empty()) {
    throw Error(code("unexpected-axis"),
                fmt::format("{}: the tensor of shape {} has axes {} beyond {}", activity,
                            to_text(shape), to_text(unexpected), to_text(names)),
                "index or reduce them first");
  }
}

std::ostream& operator<<(std::ostream& out, const Tensor& tensor) {
  return out << to_text(tensor.array());
}

}  // namespace axial
