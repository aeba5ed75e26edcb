#include "axial/tensor/array.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "axial/tensor/memory.hpp"

namespace axial {

Array::Array(ElementType type, Shape shape, std::shared_ptr<const void> block)
    : type_(type), shape_(std::move(shape)), volume_(shape_.volume()), block_(std::move(block)) {}

double Array::real(std::int64_t offset) const {
  return visit_element(type_, [&]<class T>() {
    return static_cast<double>(static_cast<const T*>(block_.get())[offset]);
  });
}

std::int64_t Array::whole(std::int64_t offset) const {
  if (is_real(type_)) bug("a real element read as a whole number");
  return visit_element(type_, [&]<class T>() {
    return static_cast<std::int64_t>(static_cast<const T*>(block_.get())[offset]);
  });
}

std::int64_t Array::offset(const Record& record) const {
  for (const NamedIndex& index : record) require_axis(shape_, index.axis, "index");
  std::int64_t offset = 0;
  for (const SizedAxis& axis : shape_.written()) {
    const std::int64_t position = record[axis.axis];
    require_in_range(axis.axis, position, axis.size);
    offset = offset * axis.size + position;
  }
  return offset;
}

Array Array::reinterpreted(Shape shape) const {
  if (shape.volume() != volume_) bug("an array reinterpreted with another volume");
  return Array(type_, std::move(shape), block_);
}

std::shared_ptr<void> allocate(ElementType type, const Shape& shape) {
  const auto bytes = static_cast<std::size_t>(shape.volume() * facts(type).bytes);
  std::shared_ptr<void> block = take_block(bytes);
  if (block == nullptr) {
    throw Error(code("too-large"),
                fmt::format("no memory for a {} tensor of shape {}: it takes {} bytes",
                            to_text(type), to_text(shape), bytes),
                "use a smaller size or element type, or work on slices");
  }
  return block;
}

Array scalar(Number number, ElementType type) {
  return build(type, Shape{}, [&]<class T>(T* element) {
    *element = is_real(type) ? static_cast<T>(number.real()) : static_cast<T>(number.whole());
  });
}

Track track(const Shape& layout, const Shape& walked) {
  Track result{std::vector<std::int64_t>(static_cast<std::size_t>(walked.order()), 0)};
  std::int64_t stride = 1;
  for (auto axis = layout.written().rbegin(); axis != layout.written().rend(); ++axis) {
    const auto found = std::ranges::find(walked.written(), axis->axis, &SizedAxis::axis);
    if (found != walked.written().end()) {
      result.strides[static_cast<std::size_t>(found - walked.written().begin())] = stride;
    }
    stride *= axis->size;
  }
  return result;
}

Array gather(const Array& source, const Shape& shape, const Track& track) {
  return build(source.type(), shape, [&]<class T>(T* out) {
    const T* elements = source.elements<T>().data();
    walk(shape, {track}, [&](const std::int64_t* offsets) { *out++ = elements[offsets[0]]; });
  });
}

Array laid_out(const Array& array, const Axes& axes) {
  for (const Axis axis : axes) require_axis(array.shape(), axis, "order of values");
  const Shape shape = restrict(array.shape(), axes);
  if (shape.order() != array.shape().order()) {
    const Axes missing = array.shape().names() - axes;
    throw Error(code("unknown-axis"),
                fmt::format("the order {} does not name the axes {} of shape {}", to_text(axes),
                            to_text(missing), to_text(array.shape())),
                "name every axis of the tensor once");
  }
  if (shape.is_written_as(array.shape())) return array;
  return gather(array, shape, track(array.shape(), shape));
}

void require_in_range(Axis axis, std::int64_t position, std::int64_t size) {
  if (position >= 0 && position < size) return;
  throw Error(
      code("index-out-of-range"),
      fmt::format("index {} is out of range for axis `{}` of size {}", position, axis.name(), size),
      size == 0 ? "the axis is empty" : fmt::format("indices count from 0: 0 to {}", size - 1));
}

}  // namespace axial
