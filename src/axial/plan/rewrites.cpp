// Passes that say the same thing in a way that is quicker to compute.
#include <algorithm>

#include "axial/expr/traverse.hpp"
#include "axial/plan/passes.hpp"

namespace axial::plan {
namespace {

using expr::Expr;
using expr::make;

/// Windows that lie side by side: every element of the axis belongs to just one.
bool is_tiling(const expr::Fold& fold, const Shape& windows) {
  return fold.dilation == 1 && fold.stride == windows.size(fold.kernel) &&
         fold.axis.size == fold.stride * windows.size(fold.axis.axis);
}

/// The contraction whose windows are folded, if the kernel's axis is in one operand only and the
/// folded axis in the other.
struct Parts {
  Expr windows;
  Expr kernel;
};
std::optional<Parts> convolved(const expr::Fold& fold, const Expr& operand) {
  const auto* contract = operand.as<expr::Contract>();
  if (contract == nullptr || operand.operands().size() != 2 || fold.stride != 1)
    return std::nullopt;
  const auto only_in = [](Axis axis, const Expr& inside, const Expr& outside) {
    return inside.shape().contains(axis) && !outside.shape().contains(axis);
  };
  for (const std::size_t k : {0, 1}) {
    const Expr& windows = operand.operands()[k];
    const Expr& kernel = operand.operands()[1 - k];
    if (only_in(fold.axis.axis, windows, kernel) && only_in(fold.kernel, kernel, windows)) {
      return Parts{windows, kernel};
    }
  }
  return std::nullopt;
}

/// An expression with positions added to the ends of an axis. Windows along other axes stay outside,
/// so that they need not be built.
Expr padded(const Expr& expression, const expr::Pad& pad) {
  const auto* window = expression.as<expr::Window>();
  if (window == nullptr || window->axis == pad.axis || window->kernel.axis == pad.axis) {
    return make(pad, {expression});
  }
  return make(*window, {padded(expression.operands()[0], pad)});
}

/// Σ over i + d·j = n of A_i ⊙ B_j is a window over A, padded, against B from its end.
Expr as_window(const expr::Fold& fold, const expr::Contract& contract, const Parts& parts) {
  const Axis axis = fold.axis.axis;
  const std::int64_t count = parts.kernel.shape().size(fold.kernel);
  const std::int64_t reach = (count - 1) * fold.dilation;
  const std::int64_t after = fold.axis.size - parts.windows.shape().size(axis);
  const Expr padded = make(expr::Pad{axis, reach, after, 0}, {parts.windows});
  const Expr windows = make(expr::Window{axis, fold.kernel[count], 1, fold.dilation}, {padded});
  const Expr backwards = make(expr::Slice{fold.kernel, count - 1, count, -1}, {parts.kernel});
  return make(expr::Contract{contract.over & fold.kernel}, {windows, backwards});
}

/// How the records of a total are cut: `rows` are totals of their own first. An axis that must be cut
/// itself becomes `rows` and what is left of it.
struct Cut {
  Axis rows;
  std::optional<SizedAxis> cut_from;
  std::int64_t count = 0;
};

/// How to cut a total of elements of a shape over some axes; nothing if it would not pay or no size fits.
std::optional<Cut> cut_of(const Shape& shape, const Axes& over) {
  constexpr std::int64_t few = 16, many = 1 << 16, least = 8, most = 256, too_many = 1 << 13;
  const std::int64_t total = restrict(shape, over).volume();
  if ((shape - over).volume() > few || total < many) return std::nullopt;
  // The axis that was written first lies farthest apart in memory as a rule, so rows are whole blocks.
  for (const SizedAxis& axis : shape.written()) {
    const bool is_row = over.contains(axis.axis) && axis.size >= least && axis.size <= too_many &&
                        total / axis.size >= least;
    if (is_row) return Cut{axis.axis, std::nullopt, axis.size};
  }
  const SizedAxis longest =
      *std::ranges::max_element(restrict(shape, over).written(), {}, &SizedAxis::size);
  for (std::int64_t count = most; count >= least; --count) {
    if (longest.size % count == 0) {
      return Cut{fresh(longest.axis, shape.names()), longest, count};
    }
  }
  return std::nullopt;
}

/// The expression with the axis cut that must be: below what is computed element by element, so that
/// this need not be kept.
Expr cut(const Expr& expression, const Cut& how) {
  if (!how.cut_from) return expression;
  const SizedAxis rest = how.cut_from->axis[how.cut_from->size / how.count];
  const auto is_elementwise = [](const Expr& node) {
    return node.as<expr::Map>() != nullptr || node.as<expr::Cast>() != nullptr;
  };
  const auto rebuild = [&](const Expr& node, Expressions operands) {
    if (is_elementwise(node)) return expr::with_operands(node, std::move(operands));
    if (!node.shape().contains(rest.axis)) return node;
    return make(expr::Reshape{rest.axis, how.rows[how.count] * rest}, {node});
  };
  return expr::rewrite({&expression, 1}, rebuild, is_elementwise)[0];
}

}  // namespace

Expressions unfold(std::span<const Expr> roots) {
  return expr::rewrite(roots, [](const Expr& node, Expressions operands) {
    const auto* fold = node.as<expr::Fold>();
    if (fold == nullptr) return expr::with_operands(node, std::move(operands));
    const Axis axis = fold->axis.axis;
    if (is_tiling(*fold, operands[0].shape())) {
      return make(expr::Reshape{axis & fold->kernel, fold->axis}, {operands[0]});
    }
    if (const auto parts = convolved(*fold, operands[0])) {
      return as_window(*fold, *operands[0].as<expr::Contract>(), *parts);
    }
    return expr::with_operands(node, std::move(operands));
  });
}

Expressions pad_first(std::span<const Expr> roots) {
  return expr::rewrite(roots, [](const Expr& node, Expressions operands) {
    const auto* pad = node.as<expr::Pad>();
    return pad != nullptr ? padded(operands[0], *pad)
                          : expr::with_operands(node, std::move(operands));
  });
}

Expressions split_logsumexp(std::span<const Expr> roots) {
  return expr::rewrite(roots, [](const Expr& node, Expressions operands) {
    const auto* reduce = node.as<expr::Reduce>();
    if (reduce == nullptr || reduce->word != &reduction("logsumexp") || node.type().weak) {
      return expr::with_operands(node, std::move(operands));
    }
    const auto map = [](const Word& word, Expressions arguments) {
      return make(expr::Map{&word}, std::move(arguments));
    };
    const Expr& x = operands[0];
    const Expr zero = make(expr::Literal{0, x.element(), false});
    const Expr largest = make(expr::Reduce{&reduction("max"), reduce->over}, {x});
    // Around an infinite element the differences would not be numbers.
    const Expr centre = map(word("where"), {map(word("is_finite"), {largest}), largest, zero});
    const Expr powers = map(word("exp"), {map(word("sub"), {x, centre})});
    const Expr total = make(expr::Reduce{&reduction("sum"), reduce->over}, {powers});
    return map(word("add"), {map(word("log"), {total}), centre});
  });
}

Expressions split_totals(std::span<const Expr> roots) {
  return expr::rewrite(roots, [](const Expr& node, Expressions operands) {
    const auto* reduce = node.as<expr::Reduce>();
    const auto* contract = node.as<expr::Contract>();
    if ((reduce == nullptr && contract == nullptr) || node.type().weak) {
      return expr::with_operands(node, std::move(operands));
    }
    const Axes& over = reduce != nullptr ? reduce->over : contract->over;
    Shape all;
    for (const Expr& operand : operands) all = all | operand.shape();
    const auto how = cut_of(all, over);
    if (!how) return expr::with_operands(node, std::move(operands));
    for (Expr& operand : operands) operand = cut(operand, *how);
    const Axes inside = over - how->rows;
    const Reduction* word = reduce != nullptr ? reduce->word : &reduction("sum");
    const Expr rows = reduce != nullptr ? make(expr::Reduce{word, inside}, std::move(operands))
                                        : make(expr::Contract{inside}, std::move(operands));
    return make(expr::Reduce{word, how->rows}, {rows});
  });
}

}  // namespace axial::plan
