// Recognising what a call stands for, so that exp X / Σ_ax exp X reads softmax_ax X again.
#include <algorithm>
#include <cmath>

#include "axial/calculus/simplifier.hpp"

namespace axial::calculus {
namespace {

using expr::make;

Expr sigmoid(const Expr& of) { return make(expr::Map{find_word("sigmoid")}, {of}); }

/// 1 - X.
Expr complement(const Expr& of) { return make(expr::Map{find_word("sub")}, {number(1), of}); }

/// The exp U of 1 + exp U, or nothing for other sums.
Tangent exponential_in(const Terms& terms) {
  if (terms.size() != 2 || terms[0].coefficient != 1 || terms[1].coefficient != 1) {
    return std::nullopt;
  }
  const Product& other = terms[terms[0].factors.empty() ? 1 : 0];
  const bool has_one = terms[0].factors.empty() || terms[1].factors.empty();
  if (!has_one || other.factors.size() != 1 || other.factors[0].exponent != 1) return std::nullopt;
  const Expr& base = other.factors[0].base;
  return is_word(base, "exp") ? Tangent(base) : std::nullopt;
}

}  // namespace

Expr Simplifier::recognised(const Expr& node) {
  for (const Definition& definition : definitions_) {
    const auto& factors = definition.body.factors;
    if (factors.size() == 1 && factors[0].exponent == 1 && definition.body.coefficient == 1 &&
        factors[0].print == prints_(node)) {
      return definition.call;
    }
  }
  return node;
}

void Simplifier::recognise(Product& product) {
  recognise_sigmoids(product);
  for (const Definition& definition : definitions_) {
    while (recognise_among(definition, product)) {
    }
    for (std::size_t k = 0; k < product.factors.size(); ++k) {
      while (k < product.factors.size() && recognise_inside(definition, product, k)) {
      }
    }
  }
}

bool Simplifier::holds(const Product& product, const Factor& wanted) {
  const auto found = std::ranges::find(product.factors, wanted.print, &Factor::print);
  return found != product.factors.end() && found->exponent * wanted.exponent > 0 &&
         std::abs(found->exponent) >= std::abs(wanted.exponent);
}

bool Simplifier::recognise_power(const Definition& definition, Product& product) {
  const Factor& wanted = definition.body.factors[0];
  const auto found = std::ranges::find(product.factors, wanted.print, &Factor::print);
  if (found == product.factors.end()) return false;
  if (std::abs(found->exponent) != std::abs(wanted.exponent)) return false;
  const double exponent = found->exponent / wanted.exponent;
  product.factors.erase(found);
  product.coefficient /= std::pow(definition.body.coefficient, exponent);
  product.multiply({definition.call, prints_(definition.call), exponent});
  return true;
}

void Simplifier::divide(Product& product, const Factor& factor) {
  product.multiply({factor.base, factor.print, -factor.exponent});
}

bool Simplifier::recognise_among(const Definition& definition, Product& product) {
  const auto& wanted = definition.body.factors;
  if (wanted.size() == 1) return recognise_power(definition, product);
  const bool all = !wanted.empty() && std::ranges::all_of(wanted, [&](const Factor& factor) {
    return holds(product, factor);
  });
  if (!all) return false;
  for (const Factor& factor : wanted) divide(product, factor);
  product.coefficient /= definition.body.coefficient;
  product.multiply({definition.call, prints_(definition.call)});
  return true;
}

bool Simplifier::recognise_inside(const Definition& definition, Product& product, std::size_t k) {
  const Factor factor = product.factors[k];
  const auto* contract = factor.base.as<expr::Contract>();
  if (contract == nullptr || factor.exponent != 1) return false;
  if (definition.body.factors.size() == 1) return false;
  Product inner;
  for (const Expr& operand : factor.base.operands()) {
    const Product part = product_of(operand, prints_);
    inner.coefficient *= part.coefficient;
    for (const Factor& one : part.factors) inner.multiply(one);
  }
  Product outer = product;
  outer.factors.erase(outer.factors.begin() + static_cast<std::ptrdiff_t>(k));
  bool some_inside = false;
  for (const Factor& wanted : definition.body.factors) {
    const bool inside = holds(inner, wanted);
    const bool outside = common(axes_of(wanted), contract->over).empty() && holds(outer, wanted);
    if (!inside && !outside) return false;
    some_inside = some_inside || inside;
    divide(inside ? inner : outer, wanted);
  }
  if (!some_inside) return false;
  inner.multiply({definition.call, prints_(definition.call)});
  const Expr sum = contraction_of(contract->over, inner, factor.base.type());
  outer.multiply({sum, prints_(sum)});
  product = std::move(outer);
  return true;
}

Expr Simplifier::turned(const Expr& expression) {
  Product product = product_of(expression, prints_);
  product.coefficient = -product.coefficient;
  turn_sign(product);
  return expression_of(product, expression.type());
}

void Simplifier::recognise_sigmoids(Product& product) {
  if (!options_.algebra || !options_.logistic) return;
  while (recognise_logistic(product) || unite_logistic(product)) {
  }
}

bool Simplifier::recognise_logistic(Product& product) {
  for (std::size_t k = 0; k < product.factors.size(); ++k) {
    const Factor divisor = product.factors[k];
    if (divisor.exponent > -1 || !is_sum(divisor.base)) continue;
    const auto exponential = exponential_in(terms_of(divisor.base, prints_));
    if (!exponential) continue;
    const Factor above{*exponential, prints_(*exponential)};
    const Expr& argument = exponential->operands()[0];
    const bool is_above = holds(product, above);
    if (is_above) divide(product, above);
    divide(product, {divisor.base, divisor.print, -1});
    const Expr logistic = sigmoid(is_above ? argument : turned(argument));
    product.multiply({logistic, prints_(logistic)});
    return true;
  }
  return false;
}

bool Simplifier::unite_logistic(Product& product) {
  for (std::size_t k = 0; k < product.factors.size(); ++k) {
    const Factor one = product.factors[k];
    if (one.exponent < 1 || !is_word(one.base, "sigmoid")) continue;
    const Expr argument = one.base.operands()[0];
    const bool is_negative = product_of(argument, prints_).coefficient < 0;
    const Expr opposite = sigmoid(turned(argument)), rest = complement(one.base);
    const Factor reflected{opposite, prints_(opposite)}, remaining{rest, prints_(rest)};
    const Expr power = make(expr::Map{find_word("exp")}, {opposite.operands()[0]});
    const Factor exponential{power, prints_(power)};
    if (holds(product, exponential)) {
      divide(product, {one.base, one.print});
      divide(product, exponential);
      product.multiply(reflected);
      return true;
    }
    const bool has_reflected = holds(product, reflected);
    if (!has_reflected && !(is_negative && holds(product, remaining))) continue;
    divide(product, {one.base, one.print});
    divide(product, has_reflected ? reflected : remaining);
    const Expr kept = is_negative ? opposite : one.base;
    const Expr kept_rest = complement(kept);
    product.multiply({kept, prints_(kept)});
    product.multiply({kept_rest, prints_(kept_rest)});
    return true;
  }
  return false;
}

}  // namespace axial::calculus
