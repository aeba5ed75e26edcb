#include "support/composer.hpp"

#include <algorithm>
#include <unordered_set>

#include "axial/expr/traverse.hpp"

namespace axial::support {
namespace {

using expr::Expr;
using expr::make;

/// Few names, so that axes of different tensors meet often.
const Axes& all_names() {
  static const Axes names{Axis("a"), Axis("b"), Axis("c"), Axis("d"), Axis("a'"), Axis("b'")};
  return names;
}

constexpr std::int64_t max_order = 4;

Axes united(const Axes& left, const Axes& right) { return left & (right - left); }

}  // namespace

Composer::Composer(Generator& generator, const ExpressionOptions& options,
                   std::vector<Bounded> start, int depth)
    : generator_(generator),
      options_(options),
      pool_(std::move(start)),
      started_with_(pool_.size()),
      depth_(depth) {}

Bounded Composer::compose(int count) {
  if (pool_.empty()) pool_.push_back(*leaf_rule());
  const auto& all = rules(options_.functions && depth_ < 2);
  for (int made = 0; made < count;) {
    const auto next = (this->*generator_.pick(all).apply)();
    if (!next) continue;
    pool_.push_back(kept_small(tamed(*next)));
    ++made;
  }
  return with_the_rest(pool_.back());
}

Bounded Composer::with_the_rest(Bounded result) {
  std::unordered_set<const expr::Node*> found;
  for (const Expr& node : expr::post_order({&result.expression, 1})) found.insert(node.identity());
  for (std::size_t k = 0; k < pool_.size(); ++k) {
    const bool optional = k >= started_with_ && generator_.chance(0.5);
    if (optional || found.contains(pool_[k].expression.identity())) continue;
    const Shape shared =
        restrict(result.shape(), common(result.shape().names(), pool_[k].shape().names()));
    result = tamed(mapped(word("add"), {result, conformed(pool_[k], shared)}));
  }
  return result;
}

Bounded Composer::operand() {
  const std::int64_t last = std::ssize(pool_) - 1;
  const std::int64_t first = generator_.chance(0.7) ? std::max<std::int64_t>(0, last - 3) : 0;
  const auto chosen = static_cast<std::size_t>(generator_.integer(first, last));
  return pool_[chosen];
}

Bounded Composer::operand_with_axis() {
  Bounded x = operand();
  if (x.shape().order() > 0) return x;
  return {
      make(expr::Broadcast{random_shape(generator_.pick(all_names().written()))}, {x.expression}),
      x.bound};
}

std::optional<Axis> Composer::free_axis(const Axes& taken) {
  const Axes free = all_names() - taken;
  if (free.empty()) return {};
  return generator_.pick(free.written());
}

Axes Composer::some_axes(const Bounded& x) {
  const Axes names = x.shape().names();
  const Axes chosen = generator_.subset(names);
  return chosen.empty() ? Axes(generator_.pick(names.written())) : chosen;
}

Shape Composer::random_shape(const Axes& names) { return generator_.shape(names, options_.sizes); }

Bounded Composer::without_axis(const Bounded& x, Axis axis) {
  if (generator_.chance(0.5)) return tamed(reduced(reduction("sum"), axis, x));
  const std::int64_t position = generator_.integer(0, x.shape().size(axis) - 1);
  return {make(expr::Index{axis}, {x.expression, make(expr::Literal{.value = position})}), x.bound};
}

Bounded Composer::without_axes(Bounded x, const Axes& axes) {
  const Axes superfluous = common(x.shape().names(), axes);
  for (const Axis axis : superfluous) x = without_axis(x, axis);
  return x;
}

Bounded Composer::fitted(Bounded x, const Shape& shape) {
  const Shape given = x.shape();
  for (const SizedAxis& axis : given.written()) {
    if (shape.find(axis.axis).value_or(axis.size) == axis.size) continue;
    const auto other = free_axis(united(x.shape().names(), shape.names()));
    if (other && generator_.chance(0.5)) {
      x = {make(expr::Rename{{{axis.axis, *other}}}, {x.expression}), x.bound};
    } else {
      x = without_axis(x, axis.axis);
    }
  }
  return x;
}

Bounded Composer::conformed(Bounded x, const Shape& shape) {
  const Shape given = x.shape();
  for (const SizedAxis& axis : given.written()) {
    if (shape.find(axis.axis) != axis.size) x = without_axis(x, axis.axis);
  }
  if (contains(x.shape(), shape)) return x;
  return {make(expr::Broadcast{shape}, {x.expression}), x.bound};
}

Bounded Composer::kept_small(Bounded x) {
  while (x.shape().order() > max_order || x.shape().volume() > options_.max_volume) {
    x = without_axis(x, generator_.pick(x.shape().written()).axis);
  }
  return x;
}

Bounded Composer::body(std::vector<Bounded> parameters) {
  if (generator_.chance(0.5)) parameters.push_back(operand());
  Composer inner(generator_, options_, std::move(parameters), depth_ + 1);
  return inner.compose(static_cast<int>(generator_.integer(1, 5)));
}

Expr random_expression(Generator& generator, const ExpressionOptions& options) {
  std::vector<Bounded> start;
  for (const Expr& variable : options.variables) start.push_back({variable, 2});
  Composer composer(generator, options, std::move(start), 0);
  const Bounded result = composer.compose(options.operations);
  return options.shape ? composer.conformed(result, *options.shape).expression : result.expression;
}

}  // namespace axial::support
