#include "axial/calculus/simplify.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "axial/calculus/product.hpp"
#include "axial/expr/lambda.hpp"
#include "axial/expr/traverse.hpp"
#include "axial/notation/phrases.hpp"

namespace axial::calculus {
namespace {

using expr::make;

/// Every pass makes an expression smaller or leaves it, but for identities that are drawn apart;
/// real ones are done after three or four.
constexpr int max_passes = 12;

Axes axes_of(const Factor& factor) { return factor.base.shape().names(); }

/// A call that may be recognised, and the product that defines it.
struct Definition {
  Expr call;
  Product body;
};

class Simplifier {
 public:
  explicit Simplifier(const SimplifyOptions& options) : options_(options) {
    for (const Expr& call : options.calls) {
      const auto meaning = definition_of(call);
      if (!meaning) continue;
      SimplifyOptions plain = options;
      plain.calls.clear();
      const Product body = product_of(simplified(*meaning, plain), prints_);
      definitions_.push_back({call, body});
      const Expr moved = renamed(call, options.renamed);
      if (moved.identity() == call.identity()) continue;
      Product moved_body{.coefficient = body.coefficient};
      for (const Factor& factor : body.factors) {
        const Expr base = simplified_rename(factor.base, options.renamed);
        moved_body.multiply({base, prints_(base), factor.exponent});
      }
      definitions_.push_back({moved, moved_body});
    }
  }

  /// One pass from the leaves to the root.
  Expr pass(const Expr& root) {
    const std::unordered_map<const expr::Node*, const expr::Node*> users = only_users(root);
    const auto rebuild = [&](const Expr& node, std::vector<Expr> operands) {
      const Expr rebuilt = expr::with_operands(node, std::move(operands));
      // A sum inside a sum is taken apart together with it.
      const auto user = users.find(node.identity());
      const bool inner = user != users.end() && user->second != nullptr && is_sum(node) &&
                         is_sum_node(*user->second);
      return inner ? rebuilt : simplify_node(rebuilt);
    };
    return expr::rewrite({&root, 1}, rebuild)[0];
  }

  bool same(const Expr& left, const Expr& right) { return prints_.same(left, right); }

 private:
  static bool is_sum_node(const expr::Node& node) {
    const auto* map = std::get_if<expr::Map>(&node.kind);
    return map != nullptr && (map->word->name == "add" || map->word->name == "sub");
  }

  /// For each node its user, or null if it has several.
  static std::unordered_map<const expr::Node*, const expr::Node*> only_users(const Expr& root) {
    std::unordered_map<const expr::Node*, const expr::Node*> users;
    for (const Expr& node : expr::post_order({&root, 1})) {
      for (const Expr& operand : node.operands()) {
        const auto [entry, is_new] = users.emplace(operand.identity(), node.identity());
        if (!is_new) entry->second = nullptr;
      }
    }
    return users;
  }

  Expr simplify_node(const Expr& node) {
    if (!is_real(node.element())) return node;
    if (const auto* rename = node.as<expr::Rename>()) return simplify_rename(*rename, node);
    const auto* contract = node.as<expr::Contract>();
    const auto* reduce = node.as<expr::Reduce>();
    if (reduce != nullptr && reduce->word->name == "sum") return contracted(reduce->over, node);
    if (contract != nullptr) return contracted(contract->over, node);
    if (!options_.algebra) return node;
    if (is_sum(node)) {
      return shorter(collected(united(terms_of(node, prints_)), node.type()), node);
    }
    if (is_product(node)) {
      Product product = product_of(node, prints_);
      recognise(product);
      return rebuilt(product, node);
    }
    return recognised(node);
  }

  /// -(A - B) as B - A: the sign of a product goes into a factor that is a sum with a term to turn.
  void turn_sign(Product& product) {
    if (product.coefficient >= 0) return;
    for (Factor& factor : product.factors) {
      if (factor.exponent != 1 || !is_sum(factor.base)) continue;
      Terms terms = terms_of(factor.base, prints_);
      const auto subtracted = [](const Product& term) { return term.coefficient < 0; };
      if (std::ranges::none_of(terms, subtracted)) continue;
      for (Product& term : terms) term.coefficient = -term.coefficient;
      factor.base = expression_of(terms, factor.base.type());
      factor.print = prints_(factor.base);
      product.coefficient = -product.coefficient;
      return;
    }
  }

  /// The node itself if it is what the product would become, so that nothing changes for nothing.
  Expr rebuilt(Product product, const Expr& node) {
    if (options_.collect) turn_sign(product);
    return shorter(expression_of(product, node.type()), node);
  }

  /// What was made of a node, or the node if that is as short.
  Expr shorter(const Expr& made, const Expr& node) {
    const bool unchanged =
        prints_(made) == prints_(node) && prints_.size(made) >= prints_.size(node);
    return unchanged ? node : made;
  }

  static Expr simplify_rename(const expr::Rename& rename, const Expr& node) {
    const Expr& operand = node.operands()[0];
    if (const auto* inner = operand.as<expr::Rename>()) {
      Renames pairs = inner->pairs;
      for (const auto& [from, to] : rename.pairs) {
        const auto earlier = std::ranges::find(inner->pairs, from, &std::pair<Axis, Axis>::second);
        if (earlier == inner->pairs.end()) {
          pairs.emplace_back(from, to);
        } else {
          pairs[static_cast<std::size_t>(earlier - inner->pairs.begin())].second = to;
        }
      }
      return renamed(operand.operands()[0], pairs);
    }
    if (const auto* delta = operand.as<expr::Delta>()) {
      expr::Delta identity = *delta;
      for (const auto& [from, to] : rename.pairs) {
        (from == delta->row.axis ? identity.row.axis : identity.column) = to;
      }
      return make(identity);
    }
    return renamed(operand, rename.pairs);
  }

  /// Like terms added up.
  Terms united(const Terms& terms) {
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

  /// The factors that all terms have, which are taken from them.
  Product drawn_out(Terms& terms) {
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

  Expr collected(Terms terms, const expr::Type& type) {
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

  /// Σ_ax A ⊙ B - Σ_ax A ⊙ C as Σ_ax A ⊙ (B - C), or nothing if the terms are of another form.
  Tangent inside_contraction(const Terms& terms) {
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

  /// Σ_over of the product of a node's operands.
  Expr contracted(const Axes& over, const Expr& node) {
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
    return shorter(contraction_of(over, product, node.type()), node);
  }

  void remember_sizes(const Shape& shape) {
    for (const SizedAxis& axis : shape.written()) sizes_.insert_or_assign(axis.axis, axis.size);
  }

  /// True if an identity is a factor of the expression, or of a term of it.
  bool has_identity(const Expr& root) {
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

  Expr contraction_of(Axes over, Product product, const expr::Type& type) {
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
    if (options_.algebra && inside.size() == 1 && vanishes(met, inside[0])) return zeros(type);
    if (!met.empty()) {
      const Expr sum = summed_product(met, inside, type.element);
      outside.multiply({sum, prints_(sum)});
    }
    recognise(outside);
    if (options_.collect) turn_sign(outside);
    return expression_of(outside, type);
  }

  /// True if the terms of a sum cancel when they are summed: deviations from a mean do.
  bool vanishes(const Axes& over, const Factor& factor) {
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

  /// Σ_over of factors all of which have some axis of it.
  Expr summed_product(const Axes& over, const std::vector<Factor>& factors, ElementType element) {
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

  /// A ⊙_ax I_{ax,ax'} = A_{ax→ax'}, for one identity; false if there is none.
  bool eliminate_identity(Axes& over, Product& product) {
    for (std::size_t k = 0; k < product.factors.size(); ++k) {
      const auto* delta = product.factors[k].base.as<expr::Delta>();
      if (delta == nullptr || product.factors[k].exponent != 1) continue;
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

  static Expr simplified_rename(const Expr& expression, const Renames& pairs) {
    const Expr made = renamed(expression, pairs);
    const auto* rename = made.as<expr::Rename>();
    return rename != nullptr ? simplify_rename(*rename, made) : made;
  }

  /// Draws a sum apart in which an identity can be eliminated: A ⊙_ax (I_{ax,ax'} - B).
  Tangent distributed(const Axes& over, const Product& product, const expr::Type& type) {
    for (std::size_t k = 0; k < product.factors.size(); ++k) {
      const Factor& factor = product.factors[k];
      if (factor.exponent != 1 || !is_sum(factor.base)) continue;
      const Terms parts = terms_of(factor.base, prints_);
      const bool worthwhile = std::ranges::any_of(parts, [&](const Product& part) {
        return std::ranges::any_of(part.factors, [&](const Factor& one) {
          const auto* delta = one.base.as<expr::Delta>();
          return delta != nullptr &&
                 (over.contains(delta->row.axis) || over.contains(delta->column));
        });
      });
      if (!worthwhile) continue;
      for (const Factor& other : product.factors) remember_sizes(other.base.shape());
      Product rest = product;
      rest.factors.erase(rest.factors.begin() + static_cast<std::ptrdiff_t>(k));
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

  /// A node that is a definition as a whole.
  Expr recognised(const Expr& node) {
    for (const Definition& definition : definitions_) {
      const auto& factors = definition.body.factors;
      if (factors.size() == 1 && factors[0].exponent == 1 && definition.body.coefficient == 1 &&
          factors[0].print == prints_(node)) {
        return definition.call;
      }
    }
    return node;
  }

  /// Puts calls in place of what defines them. Part of a definition may stand inside a contraction
  /// and the rest before it: (Σ_ax exp X ⊙ A) / Σ_ax exp X = softmax_ax X ⊙_ax A.
  void recognise(Product& product) {
    for (const Definition& definition : definitions_) {
      while (recognise_among(definition, product)) {
      }
      for (std::size_t k = 0; k < product.factors.size(); ++k) {
        while (k < product.factors.size() && recognise_inside(definition, product, k)) {
        }
      }
    }
  }

  /// True if the factor is there with at least this exponent.
  static bool holds(const Product& product, const Factor& wanted) {
    const auto found = std::ranges::find(product.factors, wanted.print, &Factor::print);
    return found != product.factors.end() && found->exponent * wanted.exponent > 0 &&
           std::abs(found->exponent) >= std::abs(wanted.exponent);
  }

  /// A definition of one factor, such as √(Σ_ax X²), which may also divide.
  bool recognise_power(const Definition& definition, Product& product) {
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

  static void divide(Product& product, const Factor& factor) {
    product.multiply({factor.base, factor.print, -factor.exponent});
  }

  bool recognise_among(const Definition& definition, Product& product) {
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

  bool recognise_inside(const Definition& definition, Product& product, std::size_t k) {
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

  SimplifyOptions options_;
  Fingerprints prints_;
  std::vector<Definition> definitions_;
  /// Whether there is an identity among the factors and terms of nodes, which are kept alive.
  std::unordered_map<const expr::Node*, std::pair<Expr, bool>> identity_inside_;
  /// Sizes of axes that are summed although nothing varies along them.
  std::unordered_map<Axis, std::int64_t> sizes_;
};

}  // namespace

Tangent definition_of(const Expr& call) {
  const auto* node = call.as<expr::Call>();
  if (node == nullptr) return std::nullopt;
  const notation::Phrase* phrase = notation::find_phrase(node->function->name);
  if (phrase == nullptr) return std::nullopt;
  const std::vector<Axes> axes = phrase->signature.axes.empty()
                                     ? std::vector<Axes>{}
                                     : std::vector<Axes>{node->function->axes};
  const Expr meaning = notation::apply_phrase(*phrase, phrase->meaning, axes,
                                              {call.operands().begin(), call.operands().end()});
  return expr::inlined(*meaning.as<expr::Call>()->function, meaning.operands());
}

Expr simplified(const Expr& expression, const SimplifyOptions& options) {
  Simplifier simplifier(options);
  Expr current = expression;
  for (int pass = 0; pass < max_passes; ++pass) {
    const Expr next = simplifier.pass(current);
    if (simplifier.same(next, current)) return current;
    current = next;
  }
  return current;
}

Expr without_deltas(const Expr& expression) {
  return simplified(expression, {.algebra = false, .collect = false});
}

}  // namespace axial::calculus
