#include "axial/document/sizes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "axial/tensor/array.hpp"

namespace axial::document {
namespace {

using notation::Form;
using notation::Tree;

constexpr int attempts = 400;
constexpr std::int64_t smallest = 2;

std::optional<SizeKey> key_of_part(const Tree& tree, const Labels& labels) {
  if (tree.form == Form::size) return axis_key(tree.text);
  if (tree.form != Form::name) return std::nullopt;
  return key_of(*labelled_name(tree), labels);
}

}  // namespace

SizeKey axis_key(std::string_view axis) { return fmt::format("|{}|", axis); }

std::optional<std::int64_t> size_value(const Tree& formula, const Labels& labels,
                                       const KnownSize& known) {
  if (formula.form == Form::number && formula.number.is_whole()) return formula.number.whole();
  if (const auto key = key_of_part(formula, labels)) return known(*key);
  if (formula.form != Form::apply || formula.children.empty() || formula.children.size() > 2) {
    return std::nullopt;
  }
  const auto left = size_value(formula.children[0], labels, known);
  if (!left) return std::nullopt;
  if (formula.text == "neg") return -*left;
  if (formula.children.size() != 2) return std::nullopt;
  const auto right = size_value(formula.children[1], labels, known);
  if (!right) return std::nullopt;
  std::int64_t result = 0;
  if (formula.text == "add" && !__builtin_add_overflow(*left, *right, &result)) return result;
  if (formula.text == "sub" && !__builtin_sub_overflow(*left, *right, &result)) return result;
  if (formula.text == "mul" && !__builtin_mul_overflow(*left, *right, &result)) return result;
  if (formula.text == "div" && *right != 0 && *right != -1 && *left % *right == 0) {
    return *left / *right;
  }
  return std::nullopt;
}

std::optional<Solution> solve(const Tree& formula, std::int64_t value, const Labels& labels,
                              const KnownSize& known) {
  if (const auto key = key_of_part(formula, labels)) {
    if (known(*key)) return std::nullopt;
    return Solution{*key, value};
  }
  if (formula.form != Form::apply || formula.children.size() != 2) return std::nullopt;
  const auto left = size_value(formula.children[0], labels, known);
  const auto right = size_value(formula.children[1], labels, known);
  if (left.has_value() == right.has_value()) return std::nullopt;
  const Tree& unknown = formula.children[left ? 1 : 0];
  const auto further = [&](std::int64_t wanted) { return solve(unknown, wanted, labels, known); };
  if (formula.text == "add") return further(value - (left ? *left : *right));
  if (formula.text == "sub") return further(left ? *left - value : value + *right);
  if (formula.text == "div" && right) return further(value * *right);
  if (formula.text == "div" && value != 0 && *left % value == 0) return further(*left / value);
  if (formula.text == "mul") {
    const std::int64_t factor = left ? *left : *right;
    if (factor != 0 && value % factor == 0) return further(value / factor);
  }
  return std::nullopt;
}

std::set<SizeKey> keys_in(const Tree& formula, const Labels& labels) {
  std::set<SizeKey> keys;
  if (const auto key = key_of_part(formula, labels)) return {*key};
  for (const Tree& child : formula.children) keys.merge(keys_in(child, labels));
  return keys;
}

Sizes::Sizes(const Symbols& symbols, std::uint64_t seed, SizeSpread spread,
             std::map<SizeKey, std::int64_t> fixed)
    : symbols_(&symbols), random_(seed), spread_(spread), drawn_(std::move(fixed)) {}

/// A small size that no other has yet, so that different sizes are told apart. Where such sizes did
/// not fit each other, numbers that are no axes, which often divide, become smaller.
std::int64_t Sizes::draw(const SizeKey& key) {
  ++draws_;
  const bool again = spread_.largest > usual_largest;
  const std::int64_t low = again && !key.starts_with('|') ? 1 : smallest;
  const std::int64_t high = again && !key.starts_with('|') ? 3 : spread_.largest;
  std::vector<std::int64_t> free;
  for (std::int64_t size = low; size <= high && !again; ++size) {
    if (std::ranges::none_of(drawn_, [&](const auto& entry) { return entry.second == size; })) {
      free.push_back(size);
    }
  }
  const std::int64_t count = free.empty() ? high - low + 1 : std::ssize(free);
  const std::int64_t pick = random_.integers({}, 0, count, int64).whole(0);
  return free.empty() ? low + pick : free[static_cast<std::size_t>(pick)];
}

namespace {

/// Equal for equal formulas.
std::size_t hash_of(const Tree& tree) {
  std::size_t hash = std::hash<std::string>{}(tree.text) ^ static_cast<std::size_t>(tree.form);
  hash ^= std::hash<double>{}(tree.number.real());
  for (const auto* parts : {&tree.children, &tree.sub, &tree.super}) {
    for (const Tree& part : *parts) hash = hash * 31 + hash_of(part);
  }
  return hash;
}

}  // namespace

/// Everything that the scope of an item says about sizes, each thing once.
std::vector<Sizes::Rule> Sizes::rules_at(std::size_t item) {
  std::vector<Rule> rules = all_rules_at(item);
  std::unordered_multimap<std::size_t, Rule> kept;
  const auto is_repeated = [&](const Rule& rule) {
    const std::size_t hash =
        hash_of(*rule.left) * 31 + (rule.right != nullptr ? hash_of(*rule.right) : 0);
    const auto [first, last] = kept.equal_range(hash);
    const bool repeated = std::any_of(first, last, [&](const auto& entry) {
      const Rule& other = entry.second;
      if (other.doubtful != rule.doubtful || *other.left != *rule.left) return false;
      if (other.right == nullptr || rule.right == nullptr) return other.right == rule.right;
      return *other.right == *rule.right;
    });
    if (!repeated) kept.emplace(hash, rule);
    return repeated;
  };
  std::erase_if(rules, is_repeated);
  return rules;
}

std::vector<Sizes::Rule> Sizes::all_rules_at(std::size_t item) {
  const Item& place = symbols_->item(item);
  std::vector<Rule> rules;
  for (const SizeEquation* equation : symbols_->sizes(item)) {
    rules.push_back({equation->left, equation->right, !symbols_->item(equation->item).display});
  }
  std::map<std::string, std::vector<const Tree*>> written;
  for (const Symbol* sized : symbols_->with_sizes()) {
    const Symbol& symbol = *sized;
    const bool near =
        symbols_->item(symbol.item).block == place.block || symbols_->encloses(symbol.item, item);
    if (!near) continue;
    for (const notation::AxisTerm& term : symbol.domain->axes) {
      if (term.size.empty()) continue;
      written[term.name].push_back(&term.size[0]);
      rules.push_back({&term.size[0], nullptr});
    }
  }
  for (const Function* function : symbols_->functions_in_block_of(item)) {
    if (function->signature == nullptr) continue;
    for (const notation::AxisTerm& term : function->signature->result.axes) {
      if (!term.size.empty()) rules.push_back({&term.size[0], nullptr});
    }
  }
  // An axis that is always written with one size has that size where it is written without.
  for (const auto& [axis, sizes] : written) {
    const bool agree =
        std::ranges::all_of(sizes, [&](const Tree* size) { return *size == *sizes[0]; });
    if (!agree) continue;
    guessed_.push_back({Form::size, {}, axis, {}, {}});
    rules.push_back({&guessed_.back(), sizes[0], true});
  }
  return rules;
}

/// The rules that bear on a size, directly or through others.
std::vector<Sizes::Rule> Sizes::relevant(const SizeKey& key, std::size_t item,
                                         std::set<SizeKey>& involved) {
  const auto place = rules_.find(item);
  const std::vector<Rule>& all =
      place != rules_.end() ? place->second : rules_.emplace(item, rules_at(item)).first->second;
  std::vector<bool> taken(all.size());
  std::vector<Rule> found;
  involved = {key};
  for (bool grown = true; grown;) {
    grown = false;
    for (std::size_t k = 0; k < all.size(); ++k) {
      if (taken[k]) continue;
      std::set<SizeKey> keys = keys_in(*all[k].left, labels_);
      if (all[k].right != nullptr) keys.merge(keys_in(*all[k].right, labels_));
      const bool bears =
          std::ranges::any_of(keys, [&](const SizeKey& one) { return involved.contains(one); });
      if (!bears) continue;
      taken[k] = grown = true;
      involved.merge(keys);
      found.push_back(all[k]);
    }
  }
  return found;
}

/// Draws what is unknown one by one and follows what the rules then determine; false if some rule
/// is broken.
bool Sizes::attempt(const std::vector<Rule>& rules, const std::set<SizeKey>& involved) {
  const auto known = [&](const SizeKey& key) -> std::optional<std::int64_t> {
    const auto found = drawn_.find(key);
    return found == drawn_.end() ? std::nullopt : std::optional(found->second);
  };
  const auto propagate = [&] {
    for (bool grown = true; grown;) {
      grown = false;
      for (const Rule& rule : rules) {
        if (rule.right == nullptr) continue;
        const auto left = size_value(*rule.left, labels_, known);
        const auto right = size_value(*rule.right, labels_, known);
        if (left.has_value() == right.has_value()) continue;
        const auto solution = left ? solve(*rule.right, *left, labels_, known)
                                   : solve(*rule.left, *right, labels_, known);
        if (!solution || solution->value < 1) continue;
        grown = drawn_.emplace(solution->key, solution->value).second || grown;
      }
    }
  };
  propagate();
  std::vector<SizeKey> order(involved.begin(), involved.end());
  const Array shuffle = random_.permutation(Axis("order")[std::ssize(order)]);
  for (std::int64_t k = 0; k < shuffle.volume(); ++k) {
    const SizeKey& key = order[static_cast<std::size_t>(shuffle.whole(k))];
    if (known(key)) continue;
    // What is divided gets a size that can be divided.
    for (const Rule& rule : rules) {
      const bool divides =
          rule.right == nullptr && rule.left->form == Form::apply && rule.left->text == "div";
      if (!divides || size_value(*rule.left, labels_, known)) continue;
      const auto solution =
          solve(*rule.left, random_.integers({}, 2, 4, int64).whole(0), labels_, known);
      if (solution && solution->key == key) drawn_.emplace(key, solution->value);
    }
    if (!known(key)) drawn_.emplace(key, draw(key));
    propagate();
  }
  return std::ranges::all_of(rules, [&](const Rule& rule) {
    const auto left = size_value(*rule.left, labels_, known);
    if (rule.right == nullptr) return left && *left >= 1;
    return left && left == size_value(*rule.right, labels_, known);
  });
}

bool Sizes::is_said(const SizeKey& key, std::size_t item) {
  std::set<SizeKey> involved;
  const std::vector<Rule> rules = relevant(key, item, involved);
  return std::ranges::any_of(
      rules, [](const Rule& rule) { return rule.right != nullptr && !rule.doubtful; });
}

std::int64_t Sizes::operator()(const SizeKey& key, std::size_t item) {
  if (const auto found = drawn_.find(key); found != drawn_.end()) return found->second;
  if (spread_.primes_agree && key.ends_with("'|") && !is_said(key, item)) {
    const std::int64_t size = (*this)(key.substr(0, key.find('\'')) + "|", item);
    return drawn_.emplace(key, size).first->second;
  }
  std::set<SizeKey> involved;
  std::vector<Rule> rules = relevant(key, item, involved);
  const std::map<SizeKey, std::int64_t> before = drawn_;
  for (const bool keep_doubtful : {true, false}) {
    if (!keep_doubtful) std::erase_if(rules, [](const Rule& rule) { return rule.doubtful; });
    for (int k = 0; k < attempts; ++k) {
      drawn_ = before;
      if (attempt(rules, involved)) return drawn_.at(key);
    }
  }
  drawn_ = before;
  throw Error(code("foreign"), fmt::format("no sizes satisfy what is said about {}", key));
}

}  // namespace axial::document
