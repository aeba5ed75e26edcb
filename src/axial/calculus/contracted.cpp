// Simplifying contractions: what does not depend on the axes is drawn out, and identities go.
#include <algorithm>

#include "axial/calculus/simplifier.hpp"
#include "axial/expr/traverse.hpp"

namespace axial::calculus {

using expr::make;

namespace {

/// How axes of a renamed tensor were called before.
Axes before_rename(const Axes& axes, const Renames& pairs) {
  std::vector<Axis> names;
  for (const Axis axis : axes) {
    const auto pair = std::ranges::find(pairs, axis, &std::pair<Axis, Axis>::second);
    names.push_back(pair == pairs.end() ? axis : pair->first);
  }
  return Axes(std::move(names));
}

}  // namespace

Expr Simplifier::contracted(const Axes& over, const Expr& node) {
  const auto holds_identity = [&](const Expr& operand) { return has_identity(operand); };
  if (!options_.algebra && std::ranges::none_of(node.operands(), holds_identity)) return node;
  Product product;
  for (const Expr& operand : node.operands()) {
    remember_sizes(operand.shape());
    // Without algebra a product is only taken apart to reach its identities.
    const bool opened = options_.algebra || has_identity(operand);
    Product part;
    if (opened) {
      part = product_of(operand, prints_);
    } else {
      part.factors.push_back({operand, prints_(operand)});
    }
    product.coefficient *= part.coefficient;
    for (const Factor& factor : part.factors) {
      if (options_.algebra) {
        product.multiply(factor);
      } else {
        product.factors.push_back(factor);
      }
    }
  }
  recognise_sigmoids(product);
  return shorter(contraction_of(over, product, node.type()), node);
}

void Simplifier::remember_sizes(const Shape& shape) {
  for (const SizedAxis& axis : shape.written()) sizes_.insert_or_assign(axis.axis, axis.size);
}

bool Simplifier::has_identity(const Expr& root) {
  const auto is_opened = [](const Expr& node) {
    return is_sum(node) || is_product(node) || node.as<expr::Broadcast>() != nullptr;
  };
  const auto enter = [&](const Expr& node) {
    return is_opened(node) && !identity_inside_.contains(node.identity());
  };
  for (const Expr& node : expr::post_order({&root, 1}, enter)) {
    bool found = node.as<expr::Delta>() != nullptr;
    for (const Expr& operand : node.operands()) {
      if (is_opened(node)) found = found || identity_inside_.at(operand.identity()).second;
    }
    identity_inside_.emplace(node.identity(), std::pair(node, found));
  }
  return identity_inside_.at(root.identity()).second;
}

Expr Simplifier::contraction_of(Axes over, Product product, const expr::Type& type) {
  if (options_.identities) {
    while (eliminate_identity(over, product)) {
    }
    if (const auto terms = distributed(over, product, type)) return *terms;
  }
  Product outside{.coefficient = product.coefficient};
  std::vector<Factor> inside;
  Axes met;
  for (const Factor& factor : product.factors) {
    const Axes summed = common(over, axes_of(factor));
    if (summed.empty()) {
      outside.multiply(factor);
    } else {
      inside.push_back(factor);
      met = met & (summed - met);
    }
  }
  for (const Axis axis : over - met) {
    const expr::Literal size{.value = sizes_.at(axis), .size_of = axis};
    const Expr literal = make(size);
    outside.multiply({literal, prints_(literal)});
  }
  const bool alone = options_.algebra && inside.size() == 1;
  if (alone && vanishes(met, inside[0])) return zeros(type);
  if (!met.empty() && !(alone && sums_to_one(met, inside[0]))) {
    const Expr sum = summed_product(met, inside, type.element);
    outside.multiply({sum, prints_(sum)});
  }
  recognise(outside);
  if (options_.collect) turn_sign(outside);
  return expression_of(outside, type);
}

bool Simplifier::sums_to_one(const Axes& over, const Factor& factor) {
  if (factor.exponent != 1 || !(over - axes_of(factor)).empty()) return false;
  Expr base = factor.base;
  Axes summed = over;
  if (const auto* rename = base.as<expr::Rename>()) {
    summed = before_rename(over, rename->pairs);
    base = base.operands()[0];
  }
  const auto meaning = definition_of(base);
  const bool fits = meaning && (summed - meaning->shape().names()).empty();
  if (!fits || !is_product(*meaning)) return false;
  const Expr sum = make(expr::Reduce{find_reduction("sum"), summed}, {*meaning});
  const Product result = product_of(contracted(summed, sum), prints_);
  return result.factors.empty() && result.coefficient == 1;
}

bool Simplifier::sheds(const Axes& over, const Product& rest, const Product& term) {
  const auto lacks = [&](const Factor& factor) { return common(over, axes_of(factor)).empty(); };
  if (!options_.algebra || !std::ranges::all_of(term.factors, lacks)) return false;
  const auto weight = std::ranges::find_if_not(rest.factors, lacks);
  if (weight == rest.factors.end() || !sums_to_one(over, *weight)) return false;
  return std::all_of(std::next(weight), rest.factors.end(), lacks);
}

bool Simplifier::vanishes(const Axes& over, const Factor& factor) {
  if (factor.exponent != 1 || !is_sum(factor.base)) return false;
  Terms sums;
  for (const Product& term : terms_of(factor.base, prints_)) {
    if (term.factors.size() != 1 || term.factors[0].exponent != 1) return false;
    const Expr& base = term.factors[0].base;
    const Expr opened = definition_of(base).value_or(base);
    const Expr spelled = spread(opened, restrict(factor.base.shape(), over));
    const Expr sum = make(expr::Reduce{find_reduction("sum"), over}, {spelled});
    sums.push_back(product_of(contracted(over, sum), prints_));
    sums.back().coefficient *= term.coefficient;
  }
  return united(sums).empty();
}

Expr Simplifier::summed_product(const Axes& over, const std::vector<Factor>& factors,
                                ElementType element) {
  std::vector<Expr> operands;
  Product below;
  for (const Factor& factor : factors) {
    if (factor.exponent < 0) {
      below.multiply({factor.base, factor.print, -factor.exponent});
    } else {
      operands.push_back(strengthened(expression_of(factor), element));
    }
  }
  if (!below.factors.empty()) {
    const Expr above = operands.empty() ? number(1) : operands.back();
    if (!operands.empty()) operands.pop_back();
    const Expr divisor = expression_of(below, {{}, element, true});
    operands.push_back(make(expr::Map{find_word("div")}, {above, divisor}));
  }
  return contraction(over, std::move(operands));
}

bool Simplifier::eliminate_identity(Axes& over, Product& product) {
  for (std::size_t k = 0; k < product.factors.size(); ++k) {
    // Powers of an identity are the identity.
    const auto* delta = product.factors[k].base.as<expr::Delta>();
    if (delta == nullptr || product.factors[k].exponent <= 0) continue;
    for (const auto& [gone, kept] :
         {std::pair(delta->row.axis, delta->column), std::pair(delta->column, delta->row.axis)}) {
      if (!over.contains(gone)) continue;
      Product renamed_factors{.coefficient = product.coefficient};
      bool possible = true, reached = false;
      for (std::size_t other = 0; other < product.factors.size(); ++other) {
        if (other == k) continue;
        Factor factor = product.factors[other];
        const Axes axes = axes_of(factor);
        if (axes.contains(gone)) {
          // I_{gone,kept} is 1 wherever this identity is.
          if (factor.base.as<expr::Delta>() != nullptr && axes.contains(kept) &&
              factor.exponent > 0) {
            continue;
          }
          if (axes.contains(kept)) possible = false;
          if (!possible) break;
          factor.base = simplified_rename(factor.base, {{gone, kept}});
          factor.print = prints_(factor.base);
        }
        reached = reached || axes_of(factor).contains(kept);
        renamed_factors.factors.push_back(factor);
      }
      if (!possible) continue;
      // Nothing is left along the kept axis if it is summed and no factor has it.
      if (over.contains(kept) && !reached) sizes_.insert_or_assign(kept, delta->row.size);
      over = over - gone;
      product = std::move(renamed_factors);
      return true;
    }
  }
  return false;
}

Tangent Simplifier::distributed(const Axes& over, const Product& product, const expr::Type& type) {
  for (std::size_t k = 0; k < product.factors.size(); ++k) {
    const Factor& factor = product.factors[k];
    if (factor.exponent != 1 || !is_sum(factor.base)) continue;
    const Terms parts = terms_of(factor.base, prints_);
    Product rest = product;
    rest.factors.erase(rest.factors.begin() + static_cast<std::ptrdiff_t>(k));
    const auto has_summed_identity = [&](const Factor& one) {
      const auto* delta = one.base.as<expr::Delta>();
      return delta != nullptr && (over.contains(delta->row.axis) || over.contains(delta->column));
    };
    const bool worthwhile = std::ranges::any_of(parts, [&](const Product& part) {
      return std::ranges::any_of(part.factors, has_summed_identity) || sheds(over, rest, part);
    });
    if (!worthwhile) continue;
    for (const Factor& other : product.factors) remember_sizes(other.base.shape());
    Expr sum = zeros(type);
    for (std::size_t part = 0; part < parts.size(); ++part) {
      Product whole = rest;
      whole.coefficient *= parts[part].coefficient;
      for (const Factor& one : parts[part].factors) whole.multiply(one);
      const Expr term = contraction_of(over, whole, type);
      sum = part == 0 ? term : plus(sum, term);
    }
    return options_.algebra ? collected(united(terms_of(sum, prints_)), type) : sum;
  }
  return std::nullopt;
}

}  // namespace axial::calculus
