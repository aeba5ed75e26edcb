// Shapes and records, and their algebra (Definitions 2 and 3 of the paper).
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "axial/base/activity.hpp"
#include "axial/tensor/axis.hpp"

namespace axial {

/// A set of axes with sizes. It remembers the order in which it was written, which only matters
/// for the layout of values; equality and text ignore that order. Copies cost nothing.
class Shape {
 public:
  Shape() = default;
  Shape(SizedAxis axis) : Shape(std::span(&axis, 1)) {}  // NOLINT(google-explicit-constructor)
  /// Fails with repeated-axis if a name stands twice.
  Shape(std::initializer_list<SizedAxis> axes) : Shape(std::span(axes)) {}
  explicit Shape(std::span<const SizedAxis> axes);
  explicit Shape(const std::vector<SizedAxis>& axes) : Shape(std::span(axes)) {}

  /// How many axes there are; 0 for a scalar.
  std::int64_t order() const { return std::ssize(written()); }
  bool contains(Axis axis) const { return at(axis) != nullptr; }
  /// The size of `axis`, or nothing if the shape does not have it.
  std::optional<std::int64_t> find(Axis axis) const;
  /// The axis with its size, or null if the shape does not have it.
  const SizedAxis* at(Axis axis) const {
    for (const SizedAxis& each : written()) {
      if (each.axis == axis) return &each;
    }
    return nullptr;
  }
  /// The size of `axis`. Fails with unknown-axis.
  std::int64_t size(Axis axis) const;
  /// How many records the shape has, |rec S|. Fails with too-large beyond 2^59.
  std::int64_t volume() const;

  Axes names() const;
  /// The axes in the order in which they were written; the last varies fastest in memory.
  std::span<const SizedAxis> written() const {
    return axes_ != nullptr ? std::span(axes_->written) : std::span<const SizedAxis>();
  }
  /// True if both have the same axes in the same order.
  bool is_written_as(const Shape& other) const { return axes_ == other.axes_; }
  /// A number for the axes as written; others have another one in all likelihood.
  std::uint64_t hash() const { return axes_ != nullptr ? axes_->hash : 0; }
  /// The axes in alphabetical order.
  std::vector<SizedAxis> sorted() const;

  friend bool operator==(const Shape& left, const Shape& right);

 private:
  struct Content {
    std::vector<SizedAxis> written;
    std::uint64_t hash;
    std::optional<std::int64_t> volume;
  };
  class Table;
  /// All that are written alike have the same content, which lives as long as the program; null for a
  /// scalar.
  const Content* axes_ = nullptr;
};

/// The shape with the axes of both; fails with repeated-axis if they have a name in common.
Shape operator*(const Shape& left, const Shape& right);

/// True if no name has two different sizes in the two shapes.
bool compatible(const Shape& left, const Shape& right);
/// True if the shapes have no name in common.
bool orthogonal(const Shape& left, const Shape& right);
/// S ∪ T. Fails with size-clash if the shapes are not compatible.
Shape operator|(const Shape& left, const Shape& right);
/// S ∖ axes; names that are not there are passed over.
Shape operator-(const Shape& shape, const Axes& axes);
/// The axes of `shape` that are in `axes`, in the order of `axes`. Fails with unknown-axis.
Shape restrict(const Shape& shape, const Axes& axes);
/// True if every axis of `part` is in `whole`, with the same size.
bool contains(const Shape& whole, const Shape& part);

/// The shape as people write it: `{height[3], width[3]}`, in alphabetical order.
std::string to_text(const Shape& shape);

/// Fails with unknown-axis, naming `activity` and the shape, unless `shape` has `axis`.
void require_axis(const Shape& shape, Axis axis, const Activity& activity);

/// The name that `wanted` was most likely meant to be, as a hint; empty if nothing is near.
std::string nearest_name(std::string_view wanted, const Axes& candidates);

/// A record: a set of named indices with distinct names, kept in alphabetical order.
class Record {
 public:
  Record() = default;
  Record(NamedIndex index) : indices_{index} {}  // NOLINT(google-explicit-constructor)
  /// Fails with repeated-axis if a name stands twice.
  Record(std::initializer_list<NamedIndex> indices);
  explicit Record(std::vector<NamedIndex> indices);

  std::int64_t count() const { return std::ssize(indices_); }
  /// The position along `axis`. Fails with unknown-axis.
  std::int64_t operator[](Axis axis) const;
  Axes names() const;
  auto begin() const { return indices_.begin(); }
  auto end() const { return indices_.end(); }
  friend bool operator==(const Record&, const Record&) = default;

 private:
  std::vector<NamedIndex> indices_;
};

/// s ∪ t. Fails with repeated-axis if the records have a name in common.
Record operator|(const Record& left, const Record& right);
/// t|_S, the indices of `record` whose names are in `axes`. Fails with unknown-axis.
Record restrict(const Record& record, const Axes& axes);
/// rec S: every record of the shape, the last axis written varying fastest.
std::vector<Record> records(const Shape& shape);
/// The record as people write it: `{height(0), width(2)}`.
std::string to_text(const Record& record);

}  // namespace axial
