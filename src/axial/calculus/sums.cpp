// Simplifying sums: like terms are united, and what all terms have in common is drawn out.
#include <algorithm>
#include <cmath>

#include "axial/calculus/simplifier.hpp"

namespace axial::calculus {
namespace {

/// A sum of more terms than this is not multiplied out.
constexpr std::size_t max_apart = 4;

}  // namespace

Terms Simplifier::drawn_apart(const Product& term) {
  const auto is_open = [](const Factor& factor) {
    const auto* rename = factor.base.as<expr::Rename>();
    return factor.exponent == 1 &&
           is_sum(rename == nullptr ? factor.base : factor.base.operands()[0]);
  };
  const auto found = std::ranges::find_if(term.factors, is_open);
  if (found == term.factors.end()) return {term};
  const auto* rename = found->base.as<expr::Rename>();
  const Terms parts =
      terms_of(rename == nullptr ? found->base : found->base.operands()[0], prints_);
  if (parts.size() > max_apart) return {term};
  Terms apart;
  for (const Product& part : parts) {
    Product whole = term;
    whole.factors.erase(whole.factors.begin() + (found - term.factors.begin()));
    whole.coefficient *= part.coefficient;
    for (const Factor& factor : part.factors) {
      const Expr base =
          rename == nullptr ? factor.base : simplified_rename(factor.base, rename->pairs);
      whole.multiply({base, prints_(base), factor.exponent});
    }
    apart.push_back(std::move(whole));
  }
  return apart;
}

Expr Simplifier::simplify_sum(const Expr& sum) {
  const Terms terms = terms_of(sum, prints_);
  const Expr plain = collected(united(terms), sum.type());
  if (terms.size() > 4 * max_apart) return plain;
  Terms apart;
  for (const Product& term : terms) std::ranges::move(drawn_apart(term), std::back_inserter(apart));
  if (apart.size() == terms.size() || apart.size() > 4 * max_apart) return plain;
  const Expr other = collected(united(apart), sum.type());
  return prints_.size(other) < prints_.size(plain) ? other : plain;
}

Terms Simplifier::united(const Terms& terms) {
  Terms sums;
  std::unordered_map<Fingerprint, std::size_t> places;
  for (Product term : terms) {
    recognise(term);
    const double coefficient = term.coefficient;
    term.coefficient = 1;
    const Fingerprint key = prints_(expression_of(term, {{}, float64, true}));
    const auto [place, is_new] = places.emplace(key, sums.size());
    if (is_new) {
      term.coefficient = coefficient;
      sums.push_back(std::move(term));
    } else {
      sums[place->second].coefficient += coefficient;
    }
  }
  std::erase_if(sums, [](const Product& term) { return term.coefficient == 0; });
  return sums;
}

Product Simplifier::drawn_out(Terms& terms) {
  Product common;
  const std::vector<Factor> candidates = terms[0].factors;
  for (const Factor& candidate : candidates) {
    double shared = candidate.exponent;
    for (const Product& term : terms) {
      const auto found = std::ranges::find(term.factors, candidate.print, &Factor::print);
      const double exponent = found == term.factors.end() ? 0 : found->exponent;
      if (exponent * shared <= 0) shared = 0;
      if (std::abs(exponent) < std::abs(shared)) shared = exponent;
    }
    if (shared == 0) continue;
    common.multiply({candidate.base, candidate.print, shared});
    for (Product& term : terms) term.multiply({candidate.base, candidate.print, -shared});
  }
  const double size = std::abs(terms[0].coefficient);
  const bool alike = std::ranges::all_of(
      terms, [&](const Product& term) { return std::abs(term.coefficient) == size; });
  if (alike) {
    common.coefficient = size;
    for (Product& term : terms) term.coefficient /= size;
  }
  return common;
}

Expr Simplifier::collected(Terms terms, const expr::Type& type) {
  if (terms.size() < 2 || !options_.collect) return expression_of(terms, type);
  Product common = drawn_out(terms);
  Shape rest;
  for (const Product& term : terms) {
    for (const Factor& factor : term.factors) rest = rest | factor.base.shape();
  }
  const Expr sum =
      inside_contraction(terms).value_or(expression_of(terms, {rest, type.element, type.weak}));
  const bool nothing_common = common.factors.empty() && common.coefficient == 1;
  if (nothing_common) return spread(sum, type.shape);
  common.multiply({sum, prints_(sum)});
  turn_sign(common);
  return expression_of(common, type);
}

Tangent Simplifier::inside_contraction(const Terms& terms) {
  Terms inner;
  const expr::Contract* first = nullptr;
  for (const Product& term : terms) {
    if (term.factors.size() != 1 || term.factors[0].exponent != 1) return std::nullopt;
    const Expr& base = term.factors[0].base;
    const auto* contract = base.as<expr::Contract>();
    if (contract == nullptr || (first != nullptr && contract->over != first->over)) {
      return std::nullopt;
    }
    first = contract;
    Product product{.coefficient = term.coefficient};
    for (const Expr& operand : base.operands()) {
      const Product part = product_of(operand, prints_);
      product.coefficient *= part.coefficient;
      for (const Factor& factor : part.factors) product.multiply(factor);
    }
    inner.push_back(std::move(product));
  }
  const Expr& sample = terms[0].factors[0].base;
  Product common = drawn_out(inner);
  if (common.factors.empty()) return std::nullopt;
  Shape rest;
  for (const Product& term : inner) {
    for (const Factor& factor : term.factors) rest = rest | factor.base.shape();
  }
  const Expr sum = expression_of(inner, {rest, sample.element()});
  common.multiply({sum, prints_(sum)});
  return contraction_of(first->over, common, sample.type());
}

}  // namespace axial::calculus
