#include "axial/calculus/simplify.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "axial/calculus/simplifier.hpp"
#include "axial/expr/lambda.hpp"
#include "axial/expr/traverse.hpp"
#include "axial/notation/phrases.hpp"

namespace axial::calculus {
namespace {

using expr::make;

/// Every pass makes an expression smaller or leaves it, but for identities that are drawn apart;
/// real ones are done after three or four.
constexpr int max_passes = 12;

/// A rename is moved into products of at most so many nodes.
constexpr double max_moved = 100;

}  // namespace

Simplifier::Simplifier(const SimplifyOptions& options) : options_(options) {
  for (const Expr& call : options.calls) {
    const auto meaning = definition_of(call);
    if (!meaning) continue;
    SimplifyOptions plain = options;
    plain.calls.clear();
    const Product body = product_of(simplified(*meaning, plain), prints_);
    definitions_.push_back({call, body});
    add_renamed(call, body, options.renamed);
    // Where identities along other axes are gone, only those of the phrase are renamed.
    Renames own;
    std::ranges::copy_if(options.renamed, std::back_inserter(own), [&](const auto& pair) {
      return call.as<expr::Call>()->function->axes.contains(pair.first);
    });
    if (own != options.renamed) add_renamed(call, body, own);
  }
}

void Simplifier::add_renamed(const Expr& call, const Product& body, const Renames& pairs) {
  const Expr moved = renamed(call, pairs);
  if (moved.identity() == call.identity()) return;
  Product moved_body{.coefficient = body.coefficient};
  for (const Factor& factor : body.factors) {
    const Expr base = simplified_rename(factor.base, pairs);
    moved_body.multiply({base, prints_(base), factor.exponent});
  }
  definitions_.push_back({moved, moved_body});
}

std::vector<Expr> Simplifier::pass(std::span<const Expr> roots) {
  const std::unordered_map<const expr::Node*, const expr::Node*> users = only_users(roots);
  const auto enter = [](const Expr& node) { return !node.is_known(); };
  const auto rebuild = [&](const Expr& node, std::vector<Expr> operands) {
    if (!enter(node)) return node;
    const Expr rebuilt = expr::with_operands(node, std::move(operands));
    // A sum inside a sum is taken apart together with it.
    const auto user = users.find(node.identity());
    const bool inner = user != users.end() && user->second != nullptr && is_sum(node) &&
                       is_sum_node(*user->second) && prints_.size(rebuilt) <= max_opened;
    return inner ? rebuilt : simplify_node(rebuilt);
  };
  return expr::rewrite(roots, rebuild, enter);
}

bool Simplifier::is_sum_node(const expr::Node& node) {
  const auto* map = std::get_if<expr::Map>(&node.kind);
  return map != nullptr && (map->word->name == "add" || map->word->name == "sub");
}

std::unordered_map<const expr::Node*, const expr::Node*> Simplifier::only_users(
    std::span<const Expr> roots) {
  std::unordered_map<const expr::Node*, const expr::Node*> users;
  for (const Expr& node : expr::post_order(roots)) {
    for (const Expr& operand : node.operands()) {
      const auto [entry, is_new] = users.emplace(operand.identity(), node.identity());
      if (!is_new) entry->second = nullptr;
    }
  }
  return users;
}

Expr Simplifier::simplify_node(const Expr& node) {
  if (!is_real(node.element())) return node;
  if (const auto* rename = node.as<expr::Rename>()) return simplify_rename(*rename, node);
  const auto* contract = node.as<expr::Contract>();
  const auto* reduce = node.as<expr::Reduce>();
  if (reduce != nullptr && reduce->word->name == "sum") return contracted(reduce->over, node);
  if (contract != nullptr) return contracted(contract->over, node);
  if (!options_.algebra) return node;
  if (is_sum(node)) return shorter(simplify_sum(node), node);
  if (options_.brackets) {
    if (const auto product = as_truth(node)) return *product;
  }
  if (const auto product = drawn_from_windows(node)) return *product;
  if (is_product(node)) {
    Product product = product_of(node, prints_);
    recognise(product);
    return rebuilt(product, node);
  }
  return recognised(node);
}

Tangent Simplifier::as_truth(const Expr& node) {
  if (!is_word(node, "where")) return std::nullopt;
  const auto operands = node.operands();
  const auto product = [&](const Expr& condition, const Expr& value) {
    const Expr truth = make(expr::Cast{node.element()}, {condition});
    return spread(make(expr::Map{find_word("mul")}, {truth, value}), node.shape());
  };
  if (is_number(operands[2], 0)) return product(operands[0], operands[1]);
  if (is_number(operands[1], 0)) {
    return product(make(expr::Map{find_word("not")}, {operands[0]}), operands[2]);
  }
  return std::nullopt;
}

Tangent Simplifier::drawn_from_windows(const Expr& node) {
  std::optional<Axis> axis;
  if (const auto* window = node.as<expr::Window>()) axis = window->axis;
  if (const auto* index = node.as<expr::Index>()) axis = index->axis;
  if (const auto* slice = node.as<expr::Slice>()) axis = slice->axis;
  const auto* pad = node.as<expr::Pad>();
  if (pad != nullptr && pad->value.real() == 0) axis = pad->axis;
  if (!axis || !is_product(node.operands()[0])) return std::nullopt;
  const Product product = product_of(node.operands()[0], prints_);
  Product outside{.coefficient = product.coefficient}, inside;
  for (const Factor& factor : product.factors) {
    (axes_of(factor).contains(*axis) ? inside : outside).multiply(factor);
  }
  const bool is_plain = outside.factors.empty() && outside.coefficient == 1;
  if (is_plain || inside.factors.empty()) return std::nullopt;
  std::vector<Expr> operands(node.operands().begin(), node.operands().end());
  operands[0] = expression_of(inside, {{}, node.element()});
  const Expr rest = make(node.kind(), std::move(operands));
  outside.multiply({rest, prints_(rest)});
  return expression_of(outside, node.type());
}

void Simplifier::turn_sign(Product& product) {
  if (product.coefficient >= 0) return;
  for (Factor& factor : product.factors) {
    if (factor.exponent != 1) continue;
    const auto base = turned_sum(factor.base);
    if (!base) continue;
    factor.base = *base;
    factor.print = prints_(factor.base);
    product.coefficient = -product.coefficient;
    return;
  }
}

Tangent Simplifier::turned_sum(const Expr& expression) {
  if (expression.as<expr::Contract>() != nullptr) {
    std::vector<Expr> operands(expression.operands().begin(), expression.operands().end());
    for (Expr& operand : operands) {
      const auto turned = is_sum(operand) ? turned_sum(operand) : std::nullopt;
      if (!turned) continue;
      operand = *turned;
      return make(expression.kind(), std::move(operands));
    }
  }
  if (!is_sum(expression)) return std::nullopt;
  Terms terms = terms_of(expression, prints_);
  const auto subtracted = [](const Product& term) { return term.coefficient < 0; };
  if (std::ranges::none_of(terms, subtracted)) return std::nullopt;
  for (Product& term : terms) term.coefficient = -term.coefficient;
  return expression_of(terms, expression.type());
}

Expr Simplifier::rebuilt(Product product, const Expr& node) {
  if (options_.collect) turn_sign(product);
  return shorter(expression_of(product, node.type()), node);
}

Expr Simplifier::shorter(const Expr& made, const Expr& node) {
  const bool unchanged = prints_(made) == prints_(node) && prints_.size(made) >= prints_.size(node);
  return unchanged ? node : made;
}

Expr Simplifier::simplify_rename(const expr::Rename& rename, const Expr& node) {
  const Expr& operand = node.operands()[0];
  // An identity among the factors must be reached. What is shared would be copied, hence the limit.
  const bool opened = (is_sum(operand) || is_product(operand)) && prints_.size(operand) < max_moved;
  if (options_.identities && opened && has_identity(operand)) {
    std::vector<Expr> parts;
    for (const Expr& part : operand.operands()) {
      parts.push_back(simplified_rename(part, rename.pairs));
    }
    return make(operand.kind(), std::move(parts));
  }
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

Expr Simplifier::simplified_rename(const Expr& expression, const Renames& pairs) {
  const Expr made = renamed(expression, pairs);
  const auto* rename = made.as<expr::Rename>();
  return rename != nullptr ? simplify_rename(*rename, made) : made;
}

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

namespace {

std::vector<Expr> simplified(std::span<const Expr> expressions, const SimplifyOptions& options) {
  Simplifier simplifier(options);
  std::vector<Expr> current(expressions.begin(), expressions.end());
  for (int pass = 0; pass < max_passes; ++pass) {
    std::vector<Expr> next = simplifier.pass(current);
    const bool unchanged = std::ranges::equal(
        next, current,
        [&](const Expr& left, const Expr& right) { return simplifier.same(left, right); });
    if (unchanged) break;
    current = std::move(next);
  }
  return current;
}

}  // namespace

Expr simplified(const Expr& expression, const SimplifyOptions& options) {
  return simplified({&expression, 1}, options)[0];
}

std::vector<Expr> without_deltas(std::span<const Expr> expressions) {
  const auto nodes =
      expr::post_order(expressions, [](const Expr& node) { return !node.is_known(); });
  const auto is_identity = [](const Expr& node) { return node.as<expr::Delta>() != nullptr; };
  if (std::ranges::none_of(nodes, is_identity)) return {expressions.begin(), expressions.end()};
  return simplified(expressions, {.algebra = false, .collect = false});
}

Expr without_deltas(const Expr& expression) { return without_deltas({&expression, 1})[0]; }

}  // namespace axial::calculus
