#include "axial/tensor/shape.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "axial/base/error.hpp"
#include "axial/base/hash.hpp"
#include "axial/base/text.hpp"

namespace axial {
namespace {

Axes names_of(const auto& items) {
  std::vector<Axis> names;
  for (const auto& item : items) names.push_back(item.axis);
  return Axes(std::move(names));
}

/// How many records there are; nothing beyond 2^59: up to there, counts of bytes and offsets fit in 64
/// signed bits for every element type.
std::optional<std::int64_t> volume_of(std::span<const SizedAxis> axes) {
  constexpr std::int64_t limit = std::int64_t{1} << 59;
  if (std::ranges::find(axes, 0, &SizedAxis::size) != axes.end()) return 0;
  std::int64_t product = 1;
  for (const SizedAxis& axis : axes) {
    if (product > limit / axis.size) return std::nullopt;
    product *= axis.size;
  }
  return product;
}

[[noreturn]] void fail_unknown_axis(std::string_view activity, Axis axis, std::string_view owner,
                                    const Axes& available) {
  throw Error(code("unknown-axis"),
              fmt::format("{}: there is no axis `{}` in {}", activity, axis.name(), owner),
              nearest_name(axis.name(), available));
}

}  // namespace

Shape::Shape(std::initializer_list<SizedAxis> axes) : Shape(std::vector<SizedAxis>(axes)) {}

Shape::Shape(std::vector<SizedAxis> axes) {
  for (auto axis = axes.begin(); axis != axes.end(); ++axis) {
    if (std::ranges::find(axes.begin(), axis, axis->axis, &SizedAxis::axis) != axis) {
      names_of(axes);  // throws, since a name stands twice
    }
  }
  if (axes.empty()) return;
  std::uint64_t hash = 0;
  for (const SizedAxis& axis : axes) {
    hash = mixed(hash ^ std::hash<Axis>{}(axis.axis));
    hash = mixed(hash ^ static_cast<std::uint64_t>(axis.size));
  }
  const auto volume = volume_of(axes);
  axes_ = std::make_shared<const Content>(Content{std::move(axes), hash, volume});
}

std::optional<std::int64_t> Shape::find(Axis axis) const {
  const auto axes = written();
  const auto found = std::ranges::find(axes, axis, &SizedAxis::axis);
  if (found == axes.end()) return std::nullopt;
  return found->size;
}

std::int64_t Shape::size(Axis axis) const {
  require_axis(*this, axis, "size");
  return *find(axis);
}

std::int64_t Shape::volume() const {
  if (!axes_) return 1;
  if (axes_->volume) return *axes_->volume;
  throw Error(code("too-large"),
              fmt::format("a tensor of shape {} has more than 2^59 elements", to_text(*this)),
              "reduce or split an axis first");
}

Axes Shape::names() const { return names_of(written()); }

std::vector<SizedAxis> Shape::sorted() const {
  std::vector<SizedAxis> axes(written().begin(), written().end());
  std::ranges::sort(axes, {}, &SizedAxis::axis);
  return axes;
}

bool operator==(const Shape& left, const Shape& right) {
  return left.axes_ == right.axes_ || (left.order() == right.order() && contains(left, right));
}

Shape operator*(const Shape& left, const Shape& right) {
  if (right.order() == 0) return left;
  std::vector<SizedAxis> axes(left.written().begin(), left.written().end());
  axes.insert(axes.end(), right.written().begin(), right.written().end());
  return Shape(std::move(axes));
}

bool compatible(const Shape& left, const Shape& right) {
  return std::ranges::all_of(left.written(), [&](const SizedAxis& axis) {
    return right.find(axis.axis).value_or(axis.size) == axis.size;
  });
}

bool orthogonal(const Shape& left, const Shape& right) {
  return std::ranges::none_of(left.written(),
                              [&](const SizedAxis& axis) { return right.contains(axis.axis); });
}

Shape operator|(const Shape& left, const Shape& right) {
  for (const SizedAxis& axis : left.written()) {
    if (const auto other = right.find(axis.axis); other && *other != axis.size) {
      throw Error(
          code("size-clash"),
          fmt::format("axis `{}` has size {} in {} and size {} in {}", axis.axis.name(), axis.size,
                      to_text(left), *other, to_text(right)),
          fmt::format("if these are different axes, rename one: [{0} >> {0}']", axis.axis.name()));
    }
  }
  if (left.order() == 0) return right;
  const auto is_new = [&](const SizedAxis& axis) { return !left.contains(axis.axis); };
  if (std::ranges::none_of(right.written(), is_new)) return left;
  std::vector<SizedAxis> axes(left.written().begin(), left.written().end());
  std::ranges::copy_if(right.written(), std::back_inserter(axes), is_new);
  return Shape(std::move(axes));
}

Shape operator-(const Shape& shape, const Axes& axes) {
  const bool keeps_all = std::ranges::none_of(
      shape.written(), [&](const SizedAxis& axis) { return axes.contains(axis.axis); });
  if (keeps_all) return shape;
  std::vector<SizedAxis> kept;
  std::ranges::copy_if(shape.written(), std::back_inserter(kept),
                       [&](const SizedAxis& axis) { return !axes.contains(axis.axis); });
  return Shape(std::move(kept));
}

Shape restrict(const Shape& shape, const Axes& axes) {
  std::vector<SizedAxis> kept;
  for (const Axis axis : axes) kept.push_back({axis, shape.size(axis)});
  return Shape(std::move(kept));
}

bool contains(const Shape& whole, const Shape& part) {
  return std::ranges::all_of(
      part.written(), [&](const SizedAxis& axis) { return whole.find(axis.axis) == axis.size; });
}

std::string to_text(const Shape& shape) {
  std::vector<std::string> axes;
  for (const SizedAxis& axis : shape.sorted()) {
    axes.push_back(fmt::format("{}[{}]", axis.axis.name(), axis.size));
  }
  return fmt::format("{{{}}}", fmt::join(axes, ", "));
}

void require_axis(const Shape& shape, Axis axis, const Activity& activity) {
  if (!shape.contains(axis)) {
    fail_unknown_axis(activity.text(), axis, fmt::format("shape {}", to_text(shape)),
                      shape.names());
  }
}

std::string nearest_name(std::string_view wanted, const Axes& candidates) {
  if (candidates.empty()) return "the tensor is a scalar: it has no axes";
  std::vector<std::string_view> names;
  for (const Axis axis : candidates) names.push_back(axis.name());
  const auto near = nearest(wanted, names);
  if (near) return fmt::format("did you mean `{}`?", *near);
  return fmt::format("its axes are {}", to_text(candidates));
}

Record::Record(std::initializer_list<NamedIndex> indices)
    : Record(std::vector<NamedIndex>(indices)) {}

Record::Record(std::vector<NamedIndex> indices) : indices_(std::move(indices)) {
  names_of(indices_);  // throws if a name stands twice
  std::ranges::sort(indices_, {}, &NamedIndex::axis);
}

std::int64_t Record::operator[](Axis axis) const {
  const auto found = std::ranges::find(indices_, axis, &NamedIndex::axis);
  if (found == indices_.end()) {
    fail_unknown_axis("index", axis, fmt::format("record {}", to_text(*this)), names());
  }
  return found->position;
}

Axes Record::names() const { return names_of(indices_); }

Record operator|(const Record& left, const Record& right) {
  std::vector<NamedIndex> indices(left.begin(), left.end());
  indices.insert(indices.end(), right.begin(), right.end());
  return Record(std::move(indices));
}

Record restrict(const Record& record, const Axes& axes) {
  std::vector<NamedIndex> kept;
  for (const Axis axis : axes) kept.push_back({axis, record[axis]});
  return Record(std::move(kept));
}

std::vector<Record> records(const Shape& shape) {
  std::vector<Record> all;
  const std::int64_t volume = shape.volume();
  all.reserve(static_cast<std::size_t>(volume));
  for (std::int64_t flat = 0; flat < volume; ++flat) {
    std::vector<NamedIndex> indices;
    std::int64_t rest = flat;
    for (auto axis = shape.written().rbegin(); axis != shape.written().rend(); ++axis) {
      indices.push_back({axis->axis, rest % axis->size});
      rest /= axis->size;
    }
    all.emplace_back(std::move(indices));
  }
  return all;
}

std::string to_text(const Record& record) {
  std::vector<std::string> indices;
  for (const NamedIndex& index : record) {
    indices.push_back(fmt::format("{}({})", index.axis.name(), index.position));
  }
  return fmt::format("{{{}}}", fmt::join(indices, ", "));
}

}  // namespace axial
