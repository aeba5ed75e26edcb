#include "axial/plan/symmetry.hpp"

#include <algorithm>

namespace axial::plan {
namespace {

/// A value that is multiplied elementwise, and what its axes are called in the product.
struct Factor {
  std::int64_t value;
  AxisPairs axes;
  friend bool operator==(const Factor&, const Factor&) = default;
  friend auto operator<=>(const Factor&, const Factor&) = default;
};

class Factors {
 public:
  explicit Factors(const expr::Program& program) : program_(program) {}

  /// Adds the factors of a value. Its axes are called as `named` says, which may tell of others, too.
  void add(std::int64_t value, const AxisPairs& named) {
    // Else an axis of the other factor would pass for that which a renamed one was before.
    const AxisPairs axes = restricted(value, named);
    const expr::Step* step = step_of(value);
    const auto* rename = step != nullptr ? std::get_if<expr::Rename>(&step->kind) : nullptr;
    if (rename != nullptr) {
      add(step->operands[0], before(*rename, axes));
    } else if (step != nullptr && multiplies(*step) && factors_.size() < most) {
      for (const std::int64_t operand : step->operands) add(operand, axes);
    } else {
      factors_.push_back({value, axes});
    }
  }

  const std::vector<Factor>& list() const { return factors_; }

 private:
  /// Products of products could have any number of factors.
  static constexpr std::size_t most = 16;

  const expr::Step* step_of(std::int64_t value) const {
    const std::int64_t step = value - std::ssize(program_.inputs);
    return step < 0 ? nullptr : &program_.steps[static_cast<std::size_t>(step)];
  }

  static bool multiplies(const expr::Step& step) {
    const auto* contract = std::get_if<expr::Contract>(&step.kind);
    const auto* map = std::get_if<expr::Map>(&step.kind);
    return (contract != nullptr && contract->over.empty()) ||
           (map != nullptr && map->word == &word("mul"));
  }

  /// What the axes were called before they were renamed.
  static AxisPairs before(const expr::Rename& rename, AxisPairs axes) {
    for (auto& [axis, name] : axes) {
      const auto found = std::ranges::find(rename.pairs, axis, &std::pair<Axis, Axis>::second);
      if (found != rename.pairs.end()) axis = found->first;
    }
    return axes;
  }

  AxisPairs restricted(std::int64_t value, const AxisPairs& axes) const {
    AxisPairs own;
    std::ranges::copy_if(axes, std::back_inserter(own), [&](const auto& pair) {
      return program_.type_of(value).shape.contains(pair.first);
    });
    std::ranges::sort(own);
    return own;
  }

  const expr::Program& program_;
  std::vector<Factor> factors_;
};

AxisPairs unrenamed(const Shape& shape) {
  AxisPairs axes;
  for (const SizedAxis& axis : shape.written()) axes.emplace_back(axis.axis, axis.axis);
  return axes;
}

/// The axis of the other factor in the place where this one has `axis`, if they are the same value.
std::optional<Axis> counterpart(const Factor& factor, Axis axis, const Factor& other) {
  if (factor.value != other.value) return std::nullopt;
  const auto place = std::ranges::find(factor.axes, axis, &std::pair<Axis, Axis>::second);
  if (place == factor.axes.end()) return std::nullopt;
  return other.axes[static_cast<std::size_t>(place - factor.axes.begin())].second;
}

/// The factors after axes have changed places, in one order.
std::vector<Factor> with_swapped(std::vector<Factor> factors, const AxisPairs& pairs) {
  for (Factor& factor : factors) {
    for (auto& [axis, name] : factor.axes) name = opposite(name, pairs);
  }
  std::ranges::sort(factors);
  return factors;
}

}  // namespace

Axis opposite(Axis axis, const AxisPairs& pairs) {
  for (const auto& [left, right] : pairs) {
    if (axis == left) return right;
    if (axis == right) return left;
  }
  return axis;
}

AxisPairs symmetric_axes(const expr::Program& program, const expr::Step& contraction) {
  const Shape left = program.type_of(contraction.operands[0]).shape;
  const Shape right = program.type_of(contraction.operands[1]).shape;
  const Shape rows = left - right.names(), columns = right - left.names();
  if (rows.order() == 0 || rows.order() != columns.order()) return {};
  Factors factors(program);
  factors.add(contraction.operands[0], unrenamed(left));
  factors.add(contraction.operands[1], unrenamed(right));
  AxisPairs pairs;
  for (const SizedAxis& row : rows.written()) {
    std::optional<Axis> found;
    for (const Factor& factor : factors.list()) {
      for (const Factor& other : factors.list()) {
        const auto column = counterpart(factor, row.axis, other);
        if (!found && column && columns.find(*column) == row.size) found = column;
      }
    }
    if (!found) return {};
    pairs.emplace_back(row.axis, *found);
  }
  const bool is_symmetric = with_swapped(factors.list(), {}) == with_swapped(factors.list(), pairs);
  return is_symmetric ? pairs : AxisPairs{};
}

}  // namespace axial::plan
