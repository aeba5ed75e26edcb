// Values: a dense block of elements whose layout is the written order of its shape (Definition 4).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "axial/tensor/element.hpp"
#include "axial/tensor/shape.hpp"
#include "axial/tensor/walk.hpp"

namespace axial {

/// An immutable tensor in memory. Copies share the block. The last axis of `shape().written()`
/// varies fastest; which order that is must never show in a result.
class Array {
 public:
  /// Wraps a block of `shape.volume()` elements that `owner` keeps alive.
  Array(ElementType type, Shape shape, std::shared_ptr<const void> block);

  ElementType type() const { return type_; }
  const Shape& shape() const { return shape_; }
  std::int64_t volume() const { return volume_; }
  const std::byte* bytes() const { return static_cast<const std::byte*>(block_.get()); }

  /// The elements in the order of the layout; T must be the element type.
  template <Element T>
  std::span<const T> elements() const {
    if (type_ != element_type_of<T>()) bug("elements read as another type");
    return {static_cast<const T*>(block_.get()), static_cast<std::size_t>(volume_)};
  }

  /// The element at an offset of the layout, as a double (rounded beyond 2^53).
  double real(std::int64_t offset) const;
  /// The element of an integer or boolean array at an offset of the layout.
  std::int64_t whole(std::int64_t offset) const;

  /// The offset of a record. Fails with unknown-axis or index-out-of-range.
  std::int64_t offset(const Record& record) const;

  /// The same block under other names or sizes of the same volume.
  Array reinterpreted(Shape shape) const;

 private:
  ElementType type_;
  Shape shape_;
  std::int64_t volume_;
  std::shared_ptr<const void> block_;
};

/// Uninitialised memory for the elements of a shape. Fails with too-large, giving the sizes.
std::shared_ptr<void> allocate(ElementType type, const Shape& shape);

/// A new array whose elements `fill` writes through a pointer to T.
template <Element T, class Fill>
Array build(const Shape& shape, Fill&& fill) {
  std::shared_ptr<void> block = allocate(element_type_of<T>(), shape);
  fill(static_cast<T*>(block.get()));
  return Array(element_type_of<T>(), shape, std::move(block));
}

/// A new array of the given type; `fill` is called with a pointer to the C++ type of the elements.
template <class Fill>
Array build(ElementType type, const Shape& shape, Fill&& fill) {
  return visit_element(type, [&]<class T>() { return build<T>(shape, fill); });
}

/// An array that holds one number.
Array scalar(Number number, ElementType type);

/// The way through an array laid out as `layout` while `walked` is walked: axes that the array does
/// not have are broadcast.
Track track(const Shape& layout, const Shape& walked);

/// A new array whose elements are those of `source` that `track` passes while `shape` is walked.
Array gather(const Array& source, const Shape& shape, const Track& track);

/// The same tensor, laid out in the order of `axes`, which must be its names.
Array laid_out(const Array& array, const Axes& axes);

/// Fails with index-out-of-range, naming axis, value and size, unless 0 ≤ position < size.
void require_in_range(Axis axis, std::int64_t position, std::int64_t size);

}  // namespace axial
