#include "axial/files/store.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "axial/base/text.hpp"
#include "axial/files/report.hpp"

namespace axial::files {
namespace {

[[noreturn]] void fail_arity(const Stored& stored, const Axes& order) {
  const std::string sizes =
      fmt::format("{} {} ({})", stored.sizes.size(), stored.sizes.size() == 1 ? "axis" : "axes",
                  fmt::join(stored.sizes, " × "));
  if (order.empty()) {
    throw Error(code("wrong-arity"),
                fmt::format("{}: the file does not name the axes of this tensor, which has {}",
                            stored.source, sizes),
                "give a name for each axis, in this order");
  }
  throw Error(code("wrong-arity"),
              fmt::format("{}: the tensor has {}, but the names given are {}", stored.source,
                          stored.sizes.empty() ? "no axes" : sizes, to_text(order)),
              stored.sizes.empty() ? "read it without names"
                                   : "give one name for each axis, in this order");
}

Axes alphabetical(const Shape& shape) {
  std::vector<Axis> names;
  for (const SizedAxis& axis : shape.sorted()) names.push_back(axis.axis);
  return Axes(std::move(names));
}

}  // namespace

Array named(const Stored& stored) { return named(stored, stored.axes.value_or(Axes{})); }

Array named(const Stored& stored, const Axes& order) {
  if (stored.axes && *stored.axes != order) {
    throw Error(code("unknown-axis"),
                fmt::format("{}: the file names the axes {}, not {}", stored.source,
                            to_text(*stored.axes), to_text(order)),
                "read it without giving names, then rename its axes");
  }
  const Axes& names = stored.axes ? *stored.axes : order;
  if (names.count() != std::ssize(stored.sizes)) fail_arity(stored, order);
  std::vector<SizedAxis> axes;
  for (std::size_t i = 0; i < stored.sizes.size(); ++i) {
    axes.push_back(names.written()[i][stored.sizes[i]]);
  }
  // In Fortran order the block is that of the reversed axes in C order, so nothing moves.
  if (stored.first_fastest) std::ranges::reverse(axes);
  return Array(stored.type, Shape(axes), stored.block);
}

Ordered::Ordered(const Array& tensor) : Ordered(tensor, alphabetical(tensor.shape())) {}

Ordered::Ordered(Array tensor, Axes axes) : array(std::move(tensor)), order(std::move(axes)) {
  if (order.count() > max_axes) {
    throw Error(code("too-large"),
                fmt::format("a tensor of {} axes cannot be written; the limit is {}", order.count(),
                            max_axes));
  }
  if (order == array.shape().names()) return;
  throw Error(code("unknown-axis"),
              fmt::format("a tensor of shape {} cannot be written in the order {}",
                          to_text(array.shape()), to_text(order)),
              "name every axis of the tensor once");
}

std::vector<std::int64_t> Ordered::sizes() const {
  std::vector<std::int64_t> sizes;
  for (const Axis axis : order) sizes.push_back(array.shape().size(axis));
  return sizes;
}

void require_writable(const Tensors& tensors, std::string_view reserved) {
  if (std::ssize(tensors) > max_tensors) {
    throw Error(code("too-large"),
                fmt::format("{} tensors cannot be written to one file; the limit is {}",
                            tensors.size(), max_tensors),
                "write several files");
  }
  if (!tensors.contains(std::string(reserved))) return;
  throw Error(code("bad-value"),
              fmt::format("a tensor in this format cannot be called `{}`", reserved),
              "the name is taken by the format; choose another");
}

std::vector<std::string> selected(const std::vector<std::string>& present,
                                  const ReadOptions& options) {
  if (options.only.empty()) return present;
  const std::vector<std::string_view> candidates(present.begin(), present.end());
  for (const std::string& wanted : options.only) {
    if (std::ranges::find(present, wanted) != present.end()) continue;
    const auto near = nearest(wanted, candidates);
    throw Error(code("bad-value"), fmt::format("the file has no tensor {}", shown(wanted)),
                near ? fmt::format("did you mean {}?", shown(*near))
                     : fmt::format("it has {} tensors", present.size()));
  }
  return options.only;
}

}  // namespace axial::files
