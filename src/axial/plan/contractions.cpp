// The order in which many operands are contracted, by cost.
#include <algorithm>
#include <bit>
#include <limits>

#include "axial/expr/traverse.hpp"
#include "axial/plan/passes.hpp"

namespace axial::plan {
namespace {

using expr::Expr;

/// Up to this many operands every order is looked at.
constexpr std::size_t few = 8;

/// The axes among `over` that no operand but these two has: they are summed with this pair.
Axes summed_with(const Expr& a, const Expr& b, const Axes& over, std::span<const Expr> others) {
  Axes axes;
  for (const Axis axis : over) {
    const auto has = [&](const Expr& operand) { return operand.shape().contains(axis); };
    if ((has(a) || has(b)) && std::ranges::none_of(others, has)) axes = axes & axis;
  }
  return axes;
}

/// The product of two, summed over axes of either.
Expr pair(Expr a, Expr b, const Axes& over) {
  // Axes of one operand alone are summed before.
  const auto reduced = [&](const Expr& operand, const Expr& other) {
    const Axes alone = common(over, operand.shape().names()) - other.shape().names();
    if (alone.count() == 0) return operand;
    return expr::make(expr::Reduce{&reduction("sum"), alone}, {operand});
  };
  const Expr left = reduced(a, b);
  const Expr right = reduced(b, a);
  const Axes both = common(over, common(a.shape().names(), b.shape().names()));
  return expr::make(expr::Contract{both}, {left, right});
}

double volume(const Shape& shape) { return static_cast<double>(shape.volume()); }

/// Contracts the operands pair by pair, always the pair that costs least next.
Expr greedy(Expressions operands, const Axes& over) {
  Axes left = over;
  while (operands.size() > 1) {
    std::size_t best_i = 0, best_j = 1;
    double best = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < operands.size(); ++i) {
      for (std::size_t j = i + 1; j < operands.size(); ++j) {
        const double cost = volume(operands[i].shape() | operands[j].shape());
        if (cost < best) {
          best = cost;
          best_i = i;
          best_j = j;
        }
      }
    }
    const Expr a = operands[best_i];
    const Expr b = operands[best_j];
    operands.erase(operands.begin() + static_cast<std::ptrdiff_t>(best_j));
    operands.erase(operands.begin() + static_cast<std::ptrdiff_t>(best_i));
    const Axes now = summed_with(a, b, left, operands);
    left = left - now;
    operands.push_back(pair(a, b, now));
  }
  return operands[0];
}

/// Tries every way to split each subset of the operands in two.
class Exact {
 public:
  Exact(const Expressions& operands, const Axes& over) : operands_(operands), over_(over) {}

  Expr best() {
    const std::uint32_t all = (std::uint32_t{1} << operands_.size()) - 1;
    entries_.resize(all + 1);
    for (std::uint32_t set = 1; set <= all; ++set) enter(set);
    return build(all);
  }

 private:
  struct Entry {
    Shape shape;
    double cost = std::numeric_limits<double>::infinity();
    std::uint32_t left = 0;
  };

  /// The shape of the product of a subset, summed over what no other operand has.
  Shape shape_of(std::uint32_t set) const {
    Shape inside;
    Shape outside;
    for (std::size_t k = 0; k < operands_.size(); ++k) {
      if ((set >> k & 1) != 0) {
        inside = inside | operands_[k].shape();
      } else {
        outside = outside | operands_[k].shape();
      }
    }
    return inside - (over_ - outside.names());
  }

  void enter(std::uint32_t set) {
    Entry& entry = entries_[set];
    entry.shape = shape_of(set);
    if (std::has_single_bit(set)) {
      entry.cost = 0;
      return;
    }
    for (std::uint32_t left = (set - 1) & set; left != 0; left = (left - 1) & set) {
      const std::uint32_t right = set ^ left;
      if (left < right) continue;
      const double cost = entries_[left].cost + entries_[right].cost +
                          volume(entries_[left].shape | entries_[right].shape);
      if (cost < entry.cost) {
        entry.cost = cost;
        entry.left = left;
      }
    }
  }

  Expr build(std::uint32_t set) const {
    if (std::has_single_bit(set)) {
      const Expr& operand = operands_[static_cast<std::size_t>(std::countr_zero(set))];
      const Axes alone = operand.shape().names() - entries_[set].shape.names();
      if (alone.count() == 0) return operand;
      return expr::make(expr::Reduce{&reduction("sum"), alone}, {operand});
    }
    const Expr a = build(entries_[set].left);
    const Expr b = build(set ^ entries_[set].left);
    const Axes all = (a.shape() | b.shape()).names();
    return pair(a, b, all - entries_[set].shape.names());
  }

  const Expressions& operands_;
  const Axes& over_;
  std::vector<Entry> entries_;
};

}  // namespace

Expressions order_contractions(std::span<const Expr> roots) {
  return expr::rewrite(roots, [](const Expr& node, Expressions operands) {
    const auto* contract = node.as<expr::Contract>();
    if (contract == nullptr || operands.size() < 3) {
      return expr::with_operands(node, std::move(operands));
    }
    return operands.size() <= few ? Exact(operands, contract->over).best()
                                  : greedy(std::move(operands), contract->over);
  });
}

}  // namespace axial::plan
