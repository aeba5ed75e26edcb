// Functions and recurrences: bodies that are run once per slice or once per position.
#include <algorithm>
#include <optional>

#include "axial/expr/lambda.hpp"
#include "axial/reference/definitions.hpp"
#include "axial/reference/evaluate.hpp"

namespace axial::reference {
namespace {

/// X_s, partial indexing: the axes of `record` that X has are fixed.
Array sliced(const Array& array, const Record& record) {
  if (record.count() == 0) return array;
  Track through = track(array.shape(), array.shape() - record.names());
  for (const NamedIndex& index : record) {
    if (!array.shape().contains(index.axis)) continue;
    const Shape along = restrict(array.shape(), index.axis);
    through.start += index.position * track(array.shape(), along).strides[0];
  }
  return gather(array, array.shape() - record.names(), through);
}

/// An array of shape `outer` × `inner` whose slice at the k-th record of `outer` is slice(k).
template <class Slice>
Array assembled(ElementType type, const Shape& outer, const Shape& inner, Slice&& slice) {
  return build(type, outer * inner, [&]<class T>(T* out) {
    for (std::int64_t k = 0; k < outer.volume(); ++k) {
      const Array part = laid_out(slice(k), inner.names());
      out = std::ranges::copy(part.elements<T>(), out).out;
    }
  });
}

}  // namespace

Array apply_lifted(const expr::Lambda& function, std::span<const Array> arguments) {
  Shape extras;
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    extras = extras | (arguments[k].shape() - function.parameters[k].shape().names());
  }
  const auto at_slices = [&](const Record& record) {
    std::vector<Array> slices;
    for (std::size_t k = 0; k < arguments.size(); ++k) {
      const Axes own = function.parameters[k].shape().names();
      const Axes extra = common(record.names(), arguments[k].shape().names() - own);
      slices.push_back(sliced(arguments[k], restrict(record, extra)));
    }
    return run(function.program, std::move(slices))[0];
  };
  if (extras.order() == 0) return at_slices({});
  const std::vector<Record> all = records(extras);
  const expr::Type& result = function.body.type();
  return assembled(result.weak ? float64 : result.element, extras, result.shape,
                   [&](std::int64_t k) { return at_slices(all[static_cast<std::size_t>(k)]); });
}

Array define_scan(const expr::Scan& scan, std::span<const Array> operands, const expr::Type& type) {
  const Shape time = restrict(type.shape, scan.axis);
  const Shape state_shape = type.shape - scan.axis;
  const std::int64_t count = time.volume();
  std::vector<Array> arguments(operands.begin(), operands.end());
  std::vector<std::optional<Array>> states(static_cast<std::size_t>(count));
  for (std::int64_t step = 0; step < count; ++step) {
    const std::int64_t position = scan.reverse ? count - 1 - step : step;
    for (std::size_t k = 1; k <= static_cast<std::size_t>(scan.inputs); ++k) {
      arguments[k] = sliced(operands[k], scan.axis(position));
    }
    const Array state = apply_lifted(*scan.step, arguments);
    // Extra axes of the inputs enter the state with the first step and stay.
    arguments[0] = gather(state, state_shape, track(state.shape(), state_shape));
    states[static_cast<std::size_t>(position)] = arguments[0];
  }
  return assembled(type.element, time, state_shape,
                   [&](std::int64_t t) { return *states[static_cast<std::size_t>(t)]; });
}

}  // namespace axial::reference
