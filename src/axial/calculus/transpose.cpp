#include "axial/calculus/transpose.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "axial/base/error.hpp"
#include "axial/calculus/formulas.hpp"
#include "axial/calculus/recurrence.hpp"
#include "axial/expr/traverse.hpp"

namespace axial::calculus {
namespace {

using expr::make;

/// A node that is linear in its active operands, and the cotangent that reached it.
struct Linear {
  const Expr& node;
  const std::vector<bool>& active;
  const Expr& cotangent;

  const Expr& operand(std::size_t k) const { return node.operands()[k]; }
};

/// What each operand is given back; nothing for those that are not active.
using Shares = std::vector<Tangent>;

/// The cotangent of an operand that was repeated along axes it lacks: their sum.
Expr collected(const Expr& cotangent, const Expr& operand) {
  const Axes extra = cotangent.shape().names() - operand.shape().names();
  return spread(total(extra, cotangent), operand.shape());
}

template <class Constant>
Shares shares_of(const Constant&, const Linear&) {
  bug("a constant is not linear in anything");
}

/// A word that is linear in an operand has a partial derivative that does not depend on it.
Shares shares_of(const expr::Map& map, const Linear& linear) {
  const notation::Scope scope = word_scope(linear.node);
  Shares shares(linear.active.size());
  for (std::size_t k = 0; k < shares.size(); ++k) {
    if (!linear.active[k]) continue;
    const Expr partial = from_table(map.word->partials[k], scope);
    shares[k] = collected(times(partial, linear.cotangent), linear.operand(k));
  }
  return shares;
}

Shares shares_of(const expr::Reduce&, const Linear& linear) {
  return {spread(linear.cotangent, linear.operand(0).shape())};
}

/// ⟨w, U ⊙_ax V⟩ = ⟨Σ w ⊙ U, V⟩, summed over whatever V lacks.
Shares shares_of(const expr::Contract&, const Linear& linear) {
  Shares shares(linear.active.size());
  for (std::size_t k = 0; k < shares.size(); ++k) {
    if (!linear.active[k]) continue;
    std::vector<Expr> factors;
    Shape all;
    for (std::size_t other = 0; other < shares.size(); ++other) {
      if (other != k) factors.push_back(linear.operand(other));
    }
    factors.push_back(linear.cotangent);
    for (const Expr& factor : factors) all = all | factor.shape();
    const Axes extra = all.names() - linear.operand(k).shape().names();
    shares[k] = spread(contraction(extra, std::move(factors)), linear.operand(k).shape());
  }
  return shares;
}

Shares shares_of(const expr::Rename& rename, const Linear& linear) {
  return {renamed(linear.cotangent, reversed(rename.pairs))};
}

Shares shares_of(const expr::Reshape& reshape, const Linear& linear) {
  const Shape before = restrict(linear.operand(0).shape(), reshape.from);
  return {make(expr::Reshape{reshape.to.names(), before}, {linear.cotangent})};
}

Shares shares_of(const expr::Index& index, const Linear& linear) {
  const Shape& source = linear.operand(0).shape();
  const Axes over = linear.operand(1).shape().names() - (source - index.axis).names();
  const expr::Scatter scatter{over, index.axis[source.size(index.axis)]};
  return {make(scatter, {linear.cotangent, linear.operand(1)}), std::nullopt};
}

/// ⟨w, Σ_over X ⊙ [I = n]⟩ = ⟨w_{axis(I)}, X⟩.
Shares shares_of(const expr::Scatter& scatter, const Linear& linear) {
  const Expr picked = make(expr::Index{scatter.axis.axis}, {linear.cotangent, linear.operand(1)});
  return {collected(picked, linear.operand(0)), std::nullopt};
}

Shares shares_of(const expr::Window& window, const Linear& linear) {
  const std::int64_t size = linear.operand(0).shape().size(window.axis);
  const expr::Fold fold{window.axis[size], window.kernel.axis, window.stride, window.dilation};
  return {make(fold, {linear.cotangent})};
}

Shares shares_of(const expr::Fold& fold, const Linear& linear) {
  const Axis axis = fold.axis.axis;
  const std::int64_t kernel = linear.operand(0).shape().size(fold.kernel);
  const std::int64_t count = linear.operand(0).shape().size(axis);
  const expr::Window window{axis, fold.kernel[kernel], fold.stride, fold.dilation};
  // Positions behind the last window are in no sum.
  return {make(expr::Slice{axis, 0, count}, {make(window, {linear.cotangent})})};
}

Shares shares_of(const expr::Slice& slice, const Linear& linear) {
  const std::int64_t size = linear.operand(0).shape().size(slice.axis);
  if (slice.step == 1) {
    const std::int64_t after = size - slice.begin - slice.count;
    return {make(expr::Pad{slice.axis, slice.begin, after, 0}, {linear.cotangent})};
  }
  const auto whole = [](std::int64_t value) {
    return make(expr::Literal{.value = value, .element = int64, .weak = false});
  };
  const Expr counted = make(expr::Iota{slice.axis[slice.count]});
  const Expr positions = plus(whole(slice.begin), times(whole(slice.step), counted));
  return {make(expr::Scatter{slice.axis, slice.axis[size]}, {linear.cotangent, positions})};
}

Shares shares_of(const expr::Pad& pad, const Linear& linear) {
  const std::int64_t size = linear.operand(0).shape().size(pad.axis);
  return {make(expr::Slice{pad.axis, pad.before, size}, {linear.cotangent})};
}

Shares shares_of(const expr::Concat& concat, const Linear& linear) {
  Shares shares(linear.active.size());
  std::int64_t begin = 0;
  for (std::size_t k = 0; k < shares.size(); ++k) {
    const std::int64_t size = linear.operand(k).shape().size(concat.axis);
    if (linear.active[k]) {
      const Expr part = make(expr::Slice{concat.axis, begin, size}, {linear.cotangent});
      shares[k] = collected(part, linear.operand(k));
    }
    begin += size;
  }
  return shares;
}

Shares shares_of(const expr::Broadcast&, const Linear& linear) {
  return {collected(linear.cotangent, linear.operand(0))};
}

Shares shares_of(const expr::Cast&, const Linear& linear) {
  return {make(expr::Cast{linear.operand(0).element()}, {linear.cotangent})};
}

Shares shares_of(const expr::Along& along, const Linear& linear) {
  notation::Scope scope = primitive_scope(along, linear.node);
  scope.tensors.insert_or_assign("w", linear.cotangent);
  Shares shares(linear.active.size());
  for (std::size_t k = 0; k < shares.size(); ++k) {
    if (!linear.active[k]) continue;
    const Expr share = from_table(along.word->transposes[k], scope);
    shares[k] = collected(share, linear.operand(k));
  }
  return shares;
}

Shares shares_of(const expr::Scan& scan, const Linear& linear) {
  return scan_transpose(scan, linear.node, linear.active, linear.cotangent);
}

}  // namespace

std::vector<Tangent> transpose(std::span<const Expr> roots, std::span<const Expr> cotangents,
                               std::span<const Expr> variables) {
  std::unordered_set<const expr::Node*> active;
  for (const Expr& variable : variables) active.insert(variable.identity());
  const auto is_active = [&](const Expr& node) { return active.contains(node.identity()); };
  const std::vector<Expr> order = expr::post_order(roots, std::not_fn(is_active));
  for (const Expr& node : order) {
    if (std::ranges::any_of(node.operands(), is_active)) active.insert(node.identity());
  }
  std::unordered_map<const expr::Node*, Tangent> reached;
  for (std::size_t k = 0; k < roots.size(); ++k) {
    Tangent& cotangent = reached[roots[k].identity()];
    cotangent = plus(cotangent, cotangents[k]);
  }
  std::unordered_set<const expr::Node*> ends;
  for (const Expr& variable : variables) ends.insert(variable.identity());
  for (auto node = order.rbegin(); node != order.rend(); ++node) {
    const Tangent cotangent = reached[node->identity()];
    if (!cotangent || !is_active(*node) || ends.contains(node->identity())) continue;
    std::vector<bool> active_operands;
    for (const Expr& operand : node->operands()) active_operands.push_back(is_active(operand));
    const Linear linear{*node, active_operands, *cotangent};
    const Shares shares =
        std::visit([&](const auto& kind) { return shares_of(kind, linear); }, node->kind());
    for (std::size_t k = 0; k < shares.size(); ++k) {
      if (!shares[k]) continue;
      Tangent& sum = reached[node->operands()[k].identity()];
      sum = plus(sum, shares[k]);
    }
  }
  std::vector<Tangent> results;
  for (const Expr& variable : variables) results.push_back(reached[variable.identity()]);
  return results;
}

}  // namespace axial::calculus
