#include "axial/plan/symmetry.hpp"

#include <algorithm>

namespace axial::plan {
namespace {

using Pairs = std::vector<std::pair<Axis, Axis>>;

/// A value that is multiplied elementwise, and what its axes are called in the product.
struct Factor {
  std::int64_t value;
  Pairs axes;
  friend bool operator==(const Factor&, const Factor&) = default;
  friend auto operator<=>(const Factor&, const Factor&) = default;
};

class Factors {
 public:
  explicit Factors(const expr::Program& program) : program_(program) {}

  /// Adds the factors of a value whose axes are called as `axes` says.
  void add(std::int64_t value, const Pairs& axes) {
    const expr::Step* step = step_of(value);
    const auto* rename = step != nullptr ? std::get_if<expr::Rename>(&step->kind) : nullptr;
    if (rename != nullptr) {
      add(step->operands[0], before(*rename, axes));
    } else if (step != nullptr && multiplies(*step) && factors_.size() < most) {
      for (const std::int64_t operand : step->operands) add(operand, axes);
    } else {
      factors_.push_back({value, restricted(value, axes)});
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
  const Shape& shape_of(std::int64_t value) const {
    const expr::Step* step = step_of(value);
    return step != nullptr ? step->type.shape
                           : program_.inputs[static_cast<std::size_t>(value)].shape;
  }

  static bool multiplies(const expr::Step& step) {
    const auto* contract = std::get_if<expr::Contract>(&step.kind);
    const auto* map = std::get_if<expr::Map>(&step.kind);
    return (contract != nullptr && contract->over.empty()) ||
           (map != nullptr && map->word == &word("mul"));
  }

  /// What the axes were called before they were renamed.
  static Pairs before(const expr::Rename& rename, Pairs axes) {
    for (auto& [axis, name] : axes) {
      const auto found = std::ranges::find(rename.pairs, axis, &std::pair<Axis, Axis>::second);
      if (found != rename.pairs.end()) axis = found->first;
    }
    return axes;
  }

  Pairs restricted(std::int64_t value, const Pairs& axes) const {
    Pairs own;
    std::ranges::copy_if(axes, std::back_inserter(own),
                         [&](const auto& pair) { return shape_of(value).contains(pair.first); });
    std::ranges::sort(own);
    return own;
  }

  const expr::Program& program_;
  std::vector<Factor> factors_;
};

Pairs unrenamed(const Shape& shape) {
  Pairs axes;
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

Axis swapped(Axis axis, const Pairs& pairs) {
  for (const auto& [left, right] : pairs) {
    if (axis == left) return right;
    if (axis == right) return left;
  }
  return axis;
}

/// The factors after axes have changed places, in one order.
std::vector<Factor> with_swapped(std::vector<Factor> factors, const Pairs& pairs) {
  for (Factor& factor : factors) {
    for (auto& [axis, name] : factor.axes) name = swapped(name, pairs);
  }
  std::ranges::sort(factors);
  return factors;
}

}  // namespace

Pairs symmetric_axes(const expr::Program& program, const expr::Step& contraction) {
  const auto shape_of = [&](std::int64_t value) {
    const std::int64_t step = value - std::ssize(program.inputs);
    return step < 0 ? program.inputs[static_cast<std::size_t>(value)].shape
                    : program.steps[static_cast<std::size_t>(step)].type.shape;
  };
  const Shape left = shape_of(contraction.operands[0]), right = shape_of(contraction.operands[1]);
  const Shape rows = left - right.names(), columns = right - left.names();
  if (rows.order() == 0 || rows.order() != columns.order()) return {};
  Factors factors(program);
  factors.add(contraction.operands[0], unrenamed(left));
  factors.add(contraction.operands[1], unrenamed(right));
  Pairs pairs;
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
  return is_symmetric ? pairs : Pairs{};
}

}  // namespace axial::plan
