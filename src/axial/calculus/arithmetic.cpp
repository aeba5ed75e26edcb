#include "axial/calculus/arithmetic.hpp"

#include <algorithm>

namespace axial::calculus {
namespace {

using expr::make;

/// where(c, 1, 0) ⊙ X as where(c, X, 0), or nothing if `factor` is of another form.
Tangent chosen(const Expr& factor, const Expr& other) {
  if (!is_word(factor, "where")) return std::nullopt;
  const auto operands = factor.operands();
  const Expr zero = number(0);
  if (is_number(operands[1], 1) && is_number(operands[2], 0)) {
    return make(expr::Map{find_word("where")}, {operands[0], other, zero});
  }
  if (is_number(operands[1], 0) && is_number(operands[2], 1)) {
    return make(expr::Map{find_word("where")}, {operands[0], zero, other});
  }
  return std::nullopt;
}

/// The product of the sizes of axes.
Expr volume(const Shape& shape) {
  Expr product = number(1);
  for (const SizedAxis& axis : shape.written()) {
    product = times(product, make(expr::Literal{.value = axis.size, .size_of = axis.axis}));
  }
  return product;
}

Axes united(const Axes& left, const Axes& right) { return left & (right - left); }

}  // namespace

Expr number(Number value) { return make(expr::Literal{.value = value}); }

bool is_number(const Expr& expression, double value) {
  const auto* literal = expression.as<expr::Literal>();
  return literal != nullptr && !literal->size_of && literal->value.real() == value;
}

bool is_word(const Expr& expression, std::string_view name) {
  const auto* map = expression.as<expr::Map>();
  return map != nullptr && map->word->name == name;
}

Expr zeros(const expr::Type& type) {
  const Expr zero = make(expr::Literal{.value = 0, .element = type.element, .weak = false});
  return spread(zero, type.shape);
}

Expr plus(const Expr& left, const Expr& right) {
  if (is_word(right, "neg")) {
    return make(expr::Map{find_word("sub")}, {left, right.operands()[0]});
  }
  return make(expr::Map{find_word("add")}, {left, right});
}

Tangent plus(const Tangent& left, const Tangent& right) {
  if (!left) return right;
  if (!right) return left;
  return plus(*left, *right);
}

Expr negative(const Expr& expression) {
  if (is_word(expression, "neg")) return expression.operands()[0];
  return make(expr::Map{find_word("neg")}, {expression});
}

Expr times(const Expr& left, const Expr& right) {
  for (const auto& [factor, other] : {std::pair(left, right), std::pair(right, left)}) {
    if (is_number(factor, 1)) return other;
    if (is_number(factor, -1)) return negative(other);
    if (is_word(factor, "neg")) return negative(times(factor.operands()[0], other));
    if (is_word(factor, "div") && is_number(factor.operands()[0], 1)) {
      return make(expr::Map{find_word("div")}, {other, factor.operands()[1]});
    }
    if (const auto selection = chosen(factor, other)) return *selection;
  }
  return make(expr::Map{find_word("mul")}, {left, right});
}

Expr contraction(const Axes& over, std::vector<Expr> factors) {
  if (over.empty()) {
    Expr product = factors[0];
    for (std::size_t k = 1; k < factors.size(); ++k) product = times(product, factors[k]);
    return product;
  }
  std::erase_if(factors, [](const Expr& factor) { return is_number(factor, 1); });
  if (factors.size() == 1) return total(over, factors[0]);
  if (factors.size() == 2) {
    // What only one factor has can be summed before they meet.
    Axes shared = common(factors[0].shape().names(), factors[1].shape().names());
    shared = common(over, shared);
    for (Expr& factor : factors) {
      factor = total(common(over, factor.shape().names()) - shared, factor);
    }
    if (shared.empty()) return times(factors[0], factors[1]);
    return make(expr::Contract{shared}, std::move(factors));
  }
  return make(expr::Contract{over}, std::move(factors));
}

Expr total(const Axes& over, const Expr& expression) {
  if (over.empty()) return expression;
  const auto operands = expression.operands();
  if (is_word(expression, "mul")) return contraction(over, {operands.begin(), operands.end()});
  if (is_word(expression, "neg")) return negative(total(over, operands[0]));
  if (const auto* contract = expression.as<expr::Contract>()) {
    return contraction(united(contract->over, over), {operands.begin(), operands.end()});
  }
  if (const auto* rename = expression.as<expr::Rename>()) {
    std::vector<Axis> summed;
    for (const Axis axis : over) {
      const auto pair = std::ranges::find(rename->pairs, axis, &std::pair<Axis, Axis>::second);
      summed.push_back(pair == rename->pairs.end() ? axis : pair->first);
    }
    return renamed(total(Axes(std::move(summed)), operands[0]), rename->pairs);
  }
  if (expression.as<expr::Broadcast>() != nullptr) {
    const Axes repeated = over - operands[0].shape().names();
    if (!repeated.empty()) {
      const Shape sizes = restrict(expression.shape(), repeated);
      const Expr rest = total(over - repeated, operands[0]);
      return spread(times(volume(sizes), rest), expression.shape() - over);
    }
  }
  return make(expr::Reduce{find_reduction("sum"), over}, {expression});
}

Expr spread(const Expr& expression, const Shape& shape) {
  if (contains(expression.shape(), shape)) return expression;
  return make(expr::Broadcast{shape}, {expression});
}

Expr renamed(const Expr& expression, const Renames& pairs) {
  Renames applicable;
  std::ranges::copy_if(pairs, std::back_inserter(applicable), [&](const auto& pair) {
    return expression.shape().contains(pair.first) && pair.first != pair.second;
  });
  return applicable.empty() ? expression : make(expr::Rename{std::move(applicable)}, {expression});
}

Renames reversed(Renames pairs) {
  for (auto& [from, to] : pairs) std::swap(from, to);
  return pairs;
}

}  // namespace axial::calculus
