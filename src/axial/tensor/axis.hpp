// Names of axes, and what is written with them: `height[3]`, `height(0)`, `height & width`,
// `height >> width` (Definitions 1 and 2 of the paper).
#pragma once

#include <array>
#include <atomic>
#include <compare>
#include <concepts>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "axial/base/few.hpp"

namespace axial {

class Axes;
struct SizedAxis;
struct NamedIndex;
struct NamedRange;
template <class Indices>
struct IndexedBy;

/// The name of an axis: letters and digits, then decorations (`hidden_1`, `seq'`, `ax*`, `ax†`).
/// Two axes are the same if name and decorations are; the size is not part of it.
class Axis {
 public:
  /// Fails with bad-name unless `name` starts with a letter and only decorations follow the word.
  explicit Axis(std::string_view name);

  /// Name and decorations in canonical order: subscript, primes, stars, daggers.
  std::string_view name() const { return name_->text; }

  Axis prime() const { return decorated(Mark::prime); }
  Axis star() const { return decorated(Mark::star); }
  Axis dagger() const { return decorated(Mark::dagger); }

  /// The axis with a size, `ax[n]`. Fails with bad-size if it is negative.
  SizedAxis operator[](std::int64_t size) const;
  /// The named index `ax(i)`, counted from 0.
  NamedIndex operator()(std::int64_t position) const;
  /// The positions from `begin` up to but not including `end`, every `step`-th of them.
  NamedRange operator()(std::int64_t begin, std::int64_t end, std::int64_t step = 1) const;
  template <std::floating_point T>
  SizedAxis operator[](T size) const = delete;
  template <std::floating_point T>
  NamedIndex operator()(T position) const = delete;
  /// One position for each element of an integer tensor.
  template <class Indices>
    requires(!std::is_arithmetic_v<Indices>)
  IndexedBy<Indices> operator()(const Indices& indices) const;

  friend bool operator==(Axis, Axis) = default;
  friend std::strong_ordering operator<=>(Axis left, Axis right) {
    return left.name() <=> right.name();
  }

 private:
  friend struct std::hash<Axis>;
  friend Axis fresh(Axis axis, const Axes& taken);
  enum class Mark : std::uint8_t { prime, star, dagger };
  /// A name lives as long as the program, and remembers its decorated forms once they were asked for.
  struct Name {
    std::string_view text;
    mutable std::array<std::atomic<const Name*>, 3> decorated = {};
  };
  explicit Axis(const Name* interned) : name_(interned) {}
  Axis decorated(Mark mark) const;
  /// The only name with this text.
  static const Name* intern(std::string text);

  // Interned, so that axes are compared and copied as pointers.
  const Name* name_;
};

using FewNames = Few<Axis, 3>;

/// A set of axis names. It remembers the order in which it was written, for reshaping and for
/// naming the order of values; comparison ignores that order.
class Axes {
 public:
  Axes() = default;
  Axes(Axis axis) : names_{axis} {}  // NOLINT(google-explicit-constructor): an axis is a set of one
  /// Fails with repeated-axis if a name stands twice.
  Axes(std::initializer_list<Axis> names);
  explicit Axes(FewNames names);

  bool contains(Axis axis) const;
  bool empty() const { return names_.empty(); }
  std::int64_t count() const { return std::ssize(names_); }
  Axis operator[](std::int64_t position) const {
    return names_[static_cast<std::size_t>(position)];
  }

  /// The names in the order in which they were written.
  std::span<const Axis> written() const { return names_; }
  auto begin() const { return names_.begin(); }
  auto end() const { return names_.end(); }

  friend bool operator==(const Axes& left, const Axes& right);

 private:
  FewNames names_;
};

/// The union of two sets of names that have none in common; fails with repeated-axis otherwise.
Axes operator&(const Axes& left, const Axes& right);
/// The names in `left` that are not in `right`.
Axes operator-(const Axes& left, const Axes& right);
/// The names that are in both.
Axes common(const Axes& left, const Axes& right);

/// An axis with its size: `height[3]`.
struct SizedAxis {
  Axis axis;
  std::int64_t size;

  SizedAxis prime() const { return {axis.prime(), size}; }
  SizedAxis star() const { return {axis.star(), size}; }
  SizedAxis dagger() const { return {axis.dagger(), size}; }
  friend bool operator==(const SizedAxis&, const SizedAxis&) = default;
};

/// A named index: `height(0)`.
struct NamedIndex {
  Axis axis;
  std::int64_t position;
  friend bool operator==(const NamedIndex&, const NamedIndex&) = default;
};

/// A slice along one axis: `height(0, 2)` is the first two positions.
struct NamedRange {
  Axis axis;
  std::int64_t begin;
  std::int64_t end;
  std::int64_t step = 1;
};

/// Positions along one axis given by a tensor of integers: `vocab(words)`.
template <class Indices>
struct IndexedBy {
  Axis axis;
  Indices indices;
};

/// An axis whose size may be left open, as in the split `layer >> (heads[8] & key)`.
struct AxisPart {
  static constexpr std::int64_t open = -1;
  Axis axis;
  std::int64_t size = open;
  AxisPart(Axis name) : axis(name) {}                                // NOLINT
  AxisPart(SizedAxis sized) : axis(sized.axis), size(sized.size) {}  // NOLINT
  friend bool operator==(const AxisPart&, const AxisPart&) = default;
};

/// Parts of a split in the order written; the last varies fastest.
struct AxisParts {
  std::vector<AxisPart> parts;
};

/// A renaming `a >> b`, a flattening `(a & b) >> c` or a split `c >> (a[2] & b)`.
struct Renaming {
  std::vector<Axis> from;
  std::vector<AxisPart> to;
};

AxisParts operator&(SizedAxis left, AxisPart right);
AxisParts operator&(const Axes& left, SizedAxis right);
AxisParts operator&(AxisParts left, AxisPart right);

Renaming operator>>(Axis from, Axis to);
Renaming operator>>(Axis from, SizedAxis to);
Renaming operator>>(const Axes& from, Axis to);
Renaming operator>>(Axis from, const Axes& to);
Renaming operator>>(Axis from, AxisParts to);

/// The set as people write it: `{height, width}`, in alphabetical order.
std::string to_text(const Axes& axes);

/// A name that is neither `axis` nor in `taken`, for uses where users never see it.
Axis fresh(Axis axis, const Axes& taken);
/// True for names that `fresh` made.
bool is_fresh(Axis axis);

template <class Indices>
  requires(!std::is_arithmetic_v<Indices>)
IndexedBy<Indices> Axis::operator()(const Indices& indices) const {
  return {*this, indices};
}

}  // namespace axial

template <>
struct std::hash<axial::Axis> {
  std::size_t operator()(axial::Axis axis) const noexcept {
    return std::hash<const void*>{}(axis.name_);
  }
};
