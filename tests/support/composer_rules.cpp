// The rules of the composer, one for each kind of node; bodies of functions are in a file of their
// own.
#include <algorithm>
#include <array>
#include <numeric>

#include "support/composer.hpp"

namespace axial::support {
namespace {

using expr::Expr;
using expr::make;
using Result = std::optional<Bounded>;

/// The words that make or take reals; all of them, or the smooth ones.
const std::vector<const Word*>& usable_words(bool smooth) {
  static const auto select = [](bool only_smooth) {
    std::vector<const Word*> words;
    for (const Word& word : elementwise_words) {
      if (!only_smooth || is_smooth(word)) words.push_back(&word);
    }
    return words;
  };
  static const std::vector<const Word*> all = select(false), smooth_ones = select(true);
  return smooth ? smooth_ones : all;
}

const std::vector<const Reduction*>& usable_reductions(bool smooth) {
  static const auto select = [](bool only_smooth) {
    std::vector<const Reduction*> found;
    for (const Reduction& reduction : reductions) {
      if (!only_smooth || is_smooth(*reduction.combine)) found.push_back(&reduction);
    }
    return found;
  };
  static const std::vector<const Reduction*> all = select(false), smooth_ones = select(true);
  return smooth ? smooth_ones : all;
}

/// The factors of a number, in ascending order.
std::vector<std::int64_t> prime_factors(std::int64_t number) {
  std::vector<std::int64_t> factors;
  for (std::int64_t factor = 2; number > 1; ++factor) {
    for (; number % factor == 0; number /= factor) factors.push_back(factor);
  }
  return factors;
}

}  // namespace

Result Composer::leaf_rule() {
  const Shape shape =
      random_shape(generator_.subset(Axes{Axis("a"), Axis("b"), Axis("c"), Axis("a'")}));
  return leaf(generator_.array(shape));
}

Result Composer::map_rule() {
  const Word& word = *generator_.pick(usable_words(options_.smooth));
  std::vector<Bounded> operands{operand()};
  Shape all = operands[0].shape();
  while (std::ssize(operands) < word.arity()) {
    operands.push_back(fitted(operand(), all));
    all = all | operands.back().shape();
  }
  if (word.arity() > 1 && generator_.chance(0.2)) {
    const double value = generator_.real(word.domain.low, word.domain.high);
    operands.back() = {make(expr::Literal{.value = value}), std::abs(value)};
  }
  return mapped(word, operands);
}

Result Composer::reduce_rule() {
  const Bounded x = operand_with_axis();
  return reduced(*generator_.pick(usable_reductions(options_.smooth)), some_axes(x), x);
}

Result Composer::contract_rule() {
  std::vector<Bounded> factors{operand_with_axis()};
  Shape all = factors[0].shape();
  Axes shared = all.names();
  const std::int64_t count = generator_.integer(2, 3);
  while (std::ssize(factors) < count) {
    factors.push_back(fitted(operand(), all));
    all = all | factors.back().shape();
    shared = common(shared, factors.back().shape().names());
  }
  return contracted(generator_.subset(count == 2 ? shared : all.names(), 0.7), factors);
}

Result Composer::rename_rule() {
  const Bounded x = operand_with_axis();
  const Axes from = some_axes(x);
  Axes taken = x.shape().names() - from;
  expr::Rename rename;
  for (const Axis axis : from) {
    const auto name = free_axis(taken);
    if (!name) return {};
    taken = taken & *name;
    rename.pairs.emplace_back(axis, *name);
  }
  return Bounded{make(std::move(rename), {x.expression}), x.bound};
}

Result Composer::reshape_rule() {
  const Bounded x = operand_with_axis();
  const Axes from = some_axes(x);
  std::vector<std::int64_t> sizes(static_cast<std::size_t>(generator_.integer(1, 3)), 1);
  for (const std::int64_t factor : prime_factors(restrict(x.shape(), from).volume())) {
    sizes[static_cast<std::size_t>(generator_.integer(0, std::ssize(sizes) - 1))] *= factor;
  }
  Axes taken = x.shape().names() - from;
  std::vector<SizedAxis> to;
  for (const std::int64_t size : sizes) {
    const auto name = free_axis(taken);
    if (!name) return {};
    taken = taken & *name;
    to.push_back((*name)[size]);
  }
  return Bounded{make(expr::Reshape{from, Shape(to)}, {x.expression}), x.bound};
}

Expr Composer::random_indices(const Bounded& source, Axis axis) {
  const std::int64_t size = source.shape().size(axis);
  const Shape rest = source.shape() - axis;
  if (generator_.chance(0.2)) {
    return make(expr::Literal{.value = generator_.integer(0, size - 1)});
  }
  if (!options_.smooth && generator_.chance(0.4)) {
    const Interval range{0, static_cast<double>(size) - 0.01};
    const Expr position = within(fitted(operand(), rest), range).expression;
    // Whole numbers may be held as reals.
    return generator_.chance(0.5) ? make(expr::Cast{int64}, {position})
                                  : make(expr::Map{&word("floor")}, {position});
  }
  const Axes kept = generator_.subset(rest.names());
  const Axes added = generator_.subset(Axes{Axis("a"), Axis("b"), Axis("c")} - rest.names());
  const Shape shape = restrict(rest, kept) * random_shape(added);
  return make(expr::Leaf{generator_.array(shape, 0, static_cast<double>(size) - 1, int64)});
}

Result Composer::index_rule() {
  const Bounded x = operand_with_axis();
  const Axis axis = generator_.pick(x.shape().written()).axis;
  return Bounded{make(expr::Index{axis}, {x.expression, random_indices(x, axis)}), x.bound};
}

Result Composer::window_rule() {
  const Bounded x = operand_with_axis();
  const auto [axis, size] = generator_.pick(x.shape().written());
  const auto kernel = free_axis(x.shape().names());
  if (!kernel) return {};
  const std::int64_t width = generator_.integer(1, std::min<std::int64_t>(size, 3));
  const std::int64_t dilation = width == 1 ? 1 : generator_.integer(1, (size - 1) / (width - 1));
  const std::int64_t stride = generator_.integer(1, 3);
  const bool exact = (size - 1 - dilation * (width - 1)) % stride == 0 && generator_.chance(0.5);
  return Bounded{
      make(expr::Window{axis, (*kernel)[width], stride, dilation, exact}, {x.expression}), x.bound};
}

Result Composer::fold_rule() {
  const Bounded x = operand_with_axis();
  if (x.shape().order() < 2) return {};
  const std::vector<SizedAxis> axes = generator_.shuffled(
      std::vector<SizedAxis>(x.shape().written().begin(), x.shape().written().end()));
  const std::int64_t stride = generator_.integer(1, 3), dilation = generator_.integer(1, 3);
  const std::int64_t reach = (axes[0].size - 1) * stride + (axes[1].size - 1) * dilation;
  const SizedAxis whole = axes[0].axis[reach + generator_.integer(1, 3)];
  return tamed({make(expr::Fold{whole, axes[1].axis, stride, dilation}, {x.expression}),
                x.bound * static_cast<double>(std::min(axes[0].size, axes[1].size))});
}

Result Composer::scatter_rule() {
  const Bounded x = operand_with_axis();
  const Axes over = some_axes(x);
  const auto name = free_axis(x.shape().names() - over);
  if (!name) return {};
  const std::int64_t positions = generator_.integer(1, 3);
  const Shape indexed = restrict(x.shape(), generator_.subset(x.shape().names()));
  const Expr indices =
      make(expr::Leaf{generator_.array(indexed, 0, static_cast<double>(positions) - 1, int64)});
  return tamed({make(expr::Scatter{over, (*name)[positions]}, {x.expression, indices}),
                x.bound * static_cast<double>(restrict(x.shape(), over).volume())});
}

Result Composer::slice_rule() {
  const Bounded x = operand_with_axis();
  const auto [axis, size] = generator_.pick(x.shape().written());
  const std::int64_t begin = generator_.integer(0, size - 1);
  const std::int64_t step = generator_.pick(std::array<std::int64_t, 4>{1, 2, -1, -2});
  const std::int64_t room = (step > 0 ? size - 1 - begin : begin) / std::abs(step) + 1;
  const expr::Slice slice{axis, begin, generator_.integer(1, room), step};
  return Bounded{make(slice, {x.expression}), x.bound};
}

Result Composer::pad_rule() {
  const Bounded x = operand_with_axis();
  const Axis axis = generator_.pick(x.shape().written()).axis;
  const double value = generator_.real(-2, 2);
  const expr::Pad pad{axis, generator_.integer(0, 2), generator_.integer(0, 2), value};
  return Bounded{make(pad, {x.expression}), std::max(x.bound, std::abs(value))};
}

Result Composer::concat_rule() {
  const Bounded first = operand_with_axis();
  const Axis axis = generator_.pick(first.shape().written()).axis;
  std::vector<Expr> parts{first.expression};
  Shape rest = first.shape() - axis;
  double bound = first.bound;
  for (std::int64_t more = generator_.integer(0, 2); more > 0; --more) {
    Bounded part = fitted(operand(), rest);
    if (!part.shape().contains(axis)) part = conformed(part, part.shape() * random_shape(axis));
    rest = rest | (part.shape() - axis);
    bound = std::max(bound, part.bound);
    parts.push_back(part.expression);
  }
  return Bounded{make(expr::Concat{axis}, std::move(parts)), bound};
}

Result Composer::broadcast_rule() {
  const Bounded x = operand();
  const auto added = free_axis(x.shape().names());
  if (!added) return {};
  const Axes repeated = generator_.subset(x.shape().names());
  const Shape along = restrict(x.shape(), repeated) * random_shape(*added);
  return Bounded{make(expr::Broadcast{along}, {x.expression}), x.bound};
}

Result Composer::delta_rule() {
  const Axis row = *free_axis({});
  return Bounded{make(expr::Delta{row[generator_.pick(options_.sizes)], *free_axis(row), float64}),
                 1};
}

Result Composer::iota_rule() {
  const SizedAxis axis = (*free_axis({}))[generator_.pick(options_.sizes)];
  const bool whole = generator_.chance(0.5);
  const Expr positions = make(expr::Iota{axis, whole ? int64 : float64});
  return Bounded{whole ? make(expr::Cast{float64}, {positions}) : positions,
                 static_cast<double>(axis.size - 1)};
}

Result Composer::cast_rule() {
  const Bounded x = operand();
  if (options_.smooth) return Bounded{make(expr::Cast{float64}, {x.expression}), x.bound};
  const ElementType type = generator_.pick(std::array{float32, float64, int32, int64, boolean});
  const Expr cast = make(expr::Cast{type}, {x.expression});
  return Bounded{make(expr::Cast{float64}, {cast}), std::max(x.bound * 1.0001, 1.0)};
}

/// A matrix that dominates its diagonal, so that it has an inverse.
Bounded Composer::matrix(SizedAxis row, Axis column) {
  const Bounded x = squashed(fitted(operand(), row * column[row.size]));
  const double weight = static_cast<double>(row.size) + 1;
  const Bounded delta = {make(expr::Delta{row, column, float64}), 1};
  const Expr diagonal = contracted({}, {delta, number(weight)}).expression;
  return {make(expr::Map{&word("add")}, {x.expression, diagonal}), weight + 1};
}

/// The k-th argument of a primitive on the axes `over`, fitting to the arguments before it.
Bounded Composer::argument_of(const Primitive& word, int k, const Axes& over, const Shape& beside,
                              std::int64_t size) {
  if (word.letters(k).size() == 2) return matrix(over[0][size], over[1]);
  const Axis own = over[word.letters(k)[0] - 'a'];
  const Bounded x = without_axes(fitted(operand(), beside | own[size]), over - own);
  return conformed(x, x.shape() | own[size]);
}

Result Composer::along_rule() {
  const auto all = primitives();
  const Primitive& word = all[static_cast<std::size_t>(generator_.integer(0, std::ssize(all) - 1))];
  if (options_.smooth && word.gives != Gives::same) return {};
  Axes over = *free_axis({});
  if (word.axes() == 2) over = over & *free_axis(over);
  const std::int64_t size = generator_.pick(options_.sizes);
  std::vector<Expr> operands;
  Shape beside;
  for (int k = 0; k < word.arity(); ++k) {
    const Bounded argument = argument_of(word, k, over, beside, size);
    beside = beside | argument.shape();
    operands.push_back(argument.expression);
  }
  const Expr result = make(expr::Along{&word, over}, std::move(operands));
  if (word.gives == Gives::same) return squashed({result, 1});
  return Bounded{make(expr::Cast{float64}, {result}), static_cast<double>(size)};
}

const std::vector<Composer::Rule>& Composer::rules(bool functions) {
  static const std::vector<Rule> simple = {
      {"leaf", &Composer::leaf_rule},
      {"map", &Composer::map_rule},
      {"map", &Composer::map_rule},
      {"reduce", &Composer::reduce_rule},
      {"contract", &Composer::contract_rule},
      {"rename", &Composer::rename_rule},
      {"reshape", &Composer::reshape_rule},
      {"index", &Composer::index_rule},
      {"window", &Composer::window_rule},
      {"fold", &Composer::fold_rule},
      {"scatter", &Composer::scatter_rule},
      {"slice", &Composer::slice_rule},
      {"pad", &Composer::pad_rule},
      {"concat", &Composer::concat_rule},
      {"broadcast", &Composer::broadcast_rule},
      {"delta", &Composer::delta_rule},
      {"iota", &Composer::iota_rule},
      {"cast", &Composer::cast_rule},
      {"along", &Composer::along_rule},
  };
  static const std::vector<Rule> all = [] {
    std::vector<Rule> more = simple;
    for (int times = 0; times < 2; ++times) {
      more.push_back({"scan", &Composer::scan_rule});
      more.push_back({"call", &Composer::call_rule});
    }
    return more;
  }();
  return functions ? all : simple;
}

}  // namespace axial::support
