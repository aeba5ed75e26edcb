#include "axial/tensor/shape.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <mutex>
#include <unordered_map>

#include "axial/base/error.hpp"
#include "axial/base/hash.hpp"
#include "axial/base/text.hpp"

namespace axial {
namespace {

/// Axes on their way to a shape.
using FewAxes = Few<SizedAxis, 8>;

Axes names_of(const auto& items) {
  FewNames names;
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

/// The contents of all shapes, as names live in a table of theirs.
class Shape::Table {
 public:
  const Content* find(std::span<const SizedAxis> axes, std::uint64_t hash) {
    // A thread finds those that it met last without asking the others.
    thread_local std::array<const Content*, 64> near = {};
    const Content*& met = near[hash % near.size()];
    if (met == nullptr || !std::ranges::equal(met->written, axes)) met = shared(axes, hash);
    return met;
  }

 private:
  const Content* shared(std::span<const SizedAxis> axes, std::uint64_t hash) {
    const std::lock_guard lock(guard_);
    const auto [first, last] = contents_.equal_range(hash);
    for (auto each = first; each != last; ++each) {
      if (std::ranges::equal(each->second.written, axes)) return &each->second;
    }
    const Content content{{axes.begin(), axes.end()}, hash, volume_of(axes)};
    return &contents_.emplace(hash, content)->second;
  }

  std::mutex guard_;
  std::unordered_multimap<std::uint64_t, Content> contents_;
};

Shape::Shape(std::span<const SizedAxis> axes) {
  if (axes.empty()) return;
  std::uint64_t hash = 0;
  for (std::size_t k = 0; k < axes.size(); ++k) {
    for (const SizedAxis& before : axes.first(k)) {
      if (before.axis == axes[k].axis) names_of(axes);  // throws, since a name stands twice
    }
    hash = mixed(hash ^ std::hash<Axis>{}(axes[k].axis));
    hash = mixed(hash ^ static_cast<std::uint64_t>(axes[k].size));
  }
  // Never freed, since shapes of static duration may outlive it.
  static Table& table = *new Table;
  axes_ = table.find(axes, hash);
}

std::optional<std::int64_t> Shape::find(Axis axis) const {
  const SizedAxis* found = at(axis);
  if (found == nullptr) return std::nullopt;
  return found->size;
}

std::int64_t Shape::size(Axis axis) const {
  require_axis(*this, axis, "size");
  return at(axis)->size;
}

std::int64_t Shape::volume() const {
  if (axes_ == nullptr) return 1;
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
  FewAxes axes(left.written().begin(), left.written().end());
  std::ranges::copy(right.written(), std::back_inserter(axes));
  return Shape(axes);
}

bool compatible(const Shape& left, const Shape& right) {
  return std::ranges::all_of(left.written(), [&](const SizedAxis& axis) {
    const SizedAxis* other = right.at(axis.axis);
    return other == nullptr || other->size == axis.size;
  });
}

bool orthogonal(const Shape& left, const Shape& right) {
  return std::ranges::none_of(left.written(),
                              [&](const SizedAxis& axis) { return right.contains(axis.axis); });
}

Shape operator|(const Shape& left, const Shape& right) {
  for (const SizedAxis& axis : left.written()) {
    const SizedAxis* other = right.at(axis.axis);
    if (other != nullptr && other->size != axis.size) {
      throw Error(
          code("size-clash"),
          fmt::format("axis `{}` has size {} in {} and size {} in {}", axis.axis.name(), axis.size,
                      to_text(left), other->size, to_text(right)),
          fmt::format("if these are different axes, rename one: [{0} >> {0}']", axis.axis.name()));
    }
  }
  if (left.order() == 0) return right;
  const auto is_new = [&](const SizedAxis& axis) { return !left.contains(axis.axis); };
  if (std::ranges::none_of(right.written(), is_new)) return left;
  FewAxes axes(left.written().begin(), left.written().end());
  std::ranges::copy_if(right.written(), std::back_inserter(axes), is_new);
  return Shape(axes);
}

Shape operator-(const Shape& shape, const Axes& axes) {
  const bool keeps_all = std::ranges::none_of(
      shape.written(), [&](const SizedAxis& axis) { return axes.contains(axis.axis); });
  if (keeps_all) return shape;
  FewAxes kept;
  std::ranges::copy_if(shape.written(), std::back_inserter(kept),
                       [&](const SizedAxis& axis) { return !axes.contains(axis.axis); });
  return Shape(kept);
}

Shape restrict(const Shape& shape, const Axes& axes) {
  FewAxes kept;
  for (const Axis axis : axes) kept.push_back({axis, shape.size(axis)});
  return Shape(kept);
}

bool contains(const Shape& whole, const Shape& part) {
  return std::ranges::all_of(part.written(), [&](const SizedAxis& axis) {
    const SizedAxis* other = whole.at(axis.axis);
    return other != nullptr && other->size == axis.size;
  });
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
