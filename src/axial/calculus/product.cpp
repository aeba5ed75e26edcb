#include "axial/calculus/product.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string_view>

namespace axial::calculus {
namespace {

using expr::make;

std::string_view word_of(const Expr& expression) {
  const auto* map = expression.as<expr::Map>();
  return map == nullptr ? std::string_view{} : map->word->name;
}

bool is_whole(double value) { return std::trunc(value) == value && std::abs(value) < 1e6; }

/// The number that a literal stands for, or nothing for tensors and sizes.
std::optional<double> number_in(const Expr& expression) {
  const auto* literal = expression.as<expr::Literal>();
  if (literal == nullptr || literal->size_of) return std::nullopt;
  return literal->value.real();
}

/// True for what has no elements but 0 and 1: an identity, or [X > 0].
bool is_zero_or_one(const Expr& base) {
  if (base.as<expr::Delta>() != nullptr) return true;
  return base.as<expr::Cast>() != nullptr && base.operands()[0].element() == boolean;
}

bool is_pi(const Expr& expression) { return is_number(expression, std::numbers::pi); }

/// The number in an exact form: √4 is 2, and √2 and π are left as they are.
std::optional<double> exact_power(const Expr& base, double exponent) {
  const auto value = number_in(base);
  if (!value || is_pi(base)) return std::nullopt;
  const double power = std::pow(*value, exponent);
  const bool exact = is_whole(exponent) || *value <= 0 || is_whole(power) || is_whole(1 / power);
  return exact ? std::optional(power) : std::nullopt;
}

/// Shared parts are met again and again; what has more of them than this is left in one piece.
constexpr std::size_t max_parts = 256;

/// A power of something that is not a product, to be multiplied in.
struct Power {
  Expr base;
  double exponent;
};

/// The parts of a power of a product, or nothing if it has none. Only whole powers of a product are
/// products of powers: √(x²) is not x.
std::optional<std::vector<Power>> parts_of(const Power& power) {
  const auto& [base, exponent] = power;
  const auto operands = base.operands();
  const std::string_view word = word_of(base);
  // Numbers take the element type of whatever they meet.
  const bool typed = base.as<expr::Cast>() != nullptr && operands[0].type().weak;
  if (typed || base.as<expr::Broadcast>() != nullptr) return {{{operands[0], exponent}}};
  if (!is_whole(exponent)) return std::nullopt;
  if (word == "mul") return {{{operands[0], exponent}, {operands[1], exponent}}};
  if (word == "div") return {{{operands[0], exponent}, {operands[1], -exponent}}};
  if (word == "neg") return {{{number(-1), exponent}, {operands[0], exponent}}};
  if (word == "sqrt") return {{{operands[0], exponent / 2}}};
  if (word == "pow") {
    if (const auto inner = number_in(operands[1])) return {{{operands[0], *inner * exponent}}};
  }
  return std::nullopt;
}

Expr multiplied(const std::vector<Expr>& factors) {
  Expr product = factors[0];
  for (std::size_t k = 1; k < factors.size(); ++k) {
    product = make(expr::Map{find_word("mul")}, {product, factors[k]});
  }
  return product;
}

/// The number as a whole one where it is.
Expr plain_number(double value) {
  return is_whole(value) ? number(static_cast<std::int64_t>(value)) : number(value);
}

}  // namespace

void Product::multiply(const Factor& factor) {
  const auto equal = std::ranges::find(factors, factor.print, &Factor::print);
  if (equal == factors.end()) {
    factors.push_back(factor);
    return;
  }
  equal->exponent += factor.exponent;
  if (is_zero_or_one(equal->base) && equal->exponent > 1) equal->exponent = 1;
  if (const auto value = exact_power(equal->base, equal->exponent)) {
    coefficient *= *value;
    equal->exponent = 0;
  }
  if (equal->exponent == 0) factors.erase(equal);
}

bool is_sum(const Expr& expression) {
  const std::string_view word = word_of(expression);
  return word == "add" || word == "sub";
}

bool is_product(const Expr& expression) {
  return expression.as<expr::Map>() != nullptr && parts_of({expression, 1}).has_value();
}

Product product_of(const Expr& expression, Fingerprints& prints) {
  Product product;
  std::vector<Power> pending{{expression, 1}};
  for (std::size_t count = 0; !pending.empty(); ++count) {
    const Power power = pending.back();
    pending.pop_back();
    const auto parts = count < max_parts ? parts_of(power) : std::nullopt;
    if (const auto value = exact_power(power.base, power.exponent)) {
      product.coefficient *= *value;
    } else if (parts) {
      pending.insert(pending.end(), parts->rbegin(), parts->rend());
    } else {
      product.multiply({power.base, prints(power.base), power.exponent});
    }
  }
  return product;
}

Terms terms_of(const Expr& expression, Fingerprints& prints) {
  Terms terms;
  std::vector<std::pair<Expr, double>> pending{{expression, 1}};
  for (std::size_t count = 0; !pending.empty(); ++count) {
    const auto [part, sign] = pending.back();
    pending.pop_back();
    const auto operands = part.operands();
    const bool is_opened = count == 0 || prints.size(part) <= max_opened;
    if (is_opened && count < max_parts && is_sum(part)) {
      pending.emplace_back(operands[1], word_of(part) == "sub" ? -sign : sign);
      pending.emplace_back(operands[0], sign);
    } else if (word_of(part) == "neg" || part.as<expr::Broadcast>() != nullptr) {
      pending.emplace_back(operands[0], word_of(part) == "neg" ? -sign : sign);
    } else {
      terms.push_back(product_of(part, prints));
      terms.back().coefficient *= sign;
    }
  }
  return terms;
}

Expr expression_of(const Factor& factor) {
  const double exponent = factor.exponent;
  if (exponent == 1) return factor.base;
  if (exponent == 0.5) return make(expr::Map{find_word("sqrt")}, {factor.base});
  return make(expr::Map{find_word("pow")}, {factor.base, plain_number(exponent)});
}

namespace {

/// 2 x / √2 as √2 x, so that roots of numbers are written in one way.
Product with_reduced_roots(Product product) {
  for (Factor& factor : product.factors) {
    const auto value = number_in(factor.base);
    if (!value || is_pi(factor.base) || !is_whole(*value)) continue;
    while (factor.exponent < 0 && is_whole(product.coefficient / *value)) {
      product.coefficient /= *value;
      ++factor.exponent;
    }
  }
  return product;
}

}  // namespace

Expr expression_of(const Product& given, const expr::Type& type) {
  const Product product = with_reduced_roots(given);
  std::vector<Expr> above, below;
  const double size = std::abs(product.coefficient);
  // 0.5 x is written x / 2.
  const bool as_divisor = !is_whole(size) && is_whole(1 / size);
  if (size != 1) (as_divisor ? below : above).push_back(plain_number(as_divisor ? 1 / size : size));
  for (const Factor& factor : product.factors) {
    const bool divides = factor.exponent < 0;
    (divides ? below : above)
        .push_back(expression_of({factor.base, factor.print, std::abs(factor.exponent)}));
  }
  if (above.empty()) above.push_back(number(1));
  Expr result = multiplied(above);
  if (!below.empty()) result = make(expr::Map{find_word("div")}, {result, multiplied(below)});
  if (product.coefficient < 0) result = negative(result);
  return spread(type.weak ? result : strengthened(result, type.element), type.shape);
}

Expr expression_of(const Terms& terms, const expr::Type& type) {
  if (terms.empty()) return zeros(type);
  // A sum starts with a term that is not subtracted, if there is one.
  Terms ordered = terms;
  const auto first =
      std::ranges::find_if(ordered, [](const Product& term) { return term.coefficient > 0; });
  if (first != ordered.end()) std::rotate(ordered.begin(), first, first + 1);
  const expr::Type scalar{{}, type.element, true};
  Expr sum = expression_of(ordered[0], scalar);
  for (std::size_t k = 1; k < ordered.size(); ++k) {
    Product term = ordered[k];
    const bool subtracted = term.coefficient < 0;
    term.coefficient = std::abs(term.coefficient);
    sum =
        make(expr::Map{find_word(subtracted ? "sub" : "add")}, {sum, expression_of(term, scalar)});
  }
  return spread(type.weak ? sum : strengthened(sum, type.element), type.shape);
}

}  // namespace axial::calculus
