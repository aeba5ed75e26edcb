// Sizes of axes and the numbers that they depend on: |seq|, n, c_{l-1}. A trial draws them at random
// so that they satisfy what the document says about them.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "axial/document/symbols.hpp"
#include "axial/tensor/random.hpp"

namespace axial::document {

/// Sizes are drawn up to this one, unless they do not fit each other.
inline constexpr std::int64_t usual_largest = 7;

/// How sizes that nothing is said about are drawn.
struct SizeSpread {
  std::int64_t largest = usual_largest;
  /// |ax'| is |ax|.
  bool primes_agree = false;
};

/// What one unknown size is called: `|seq|` or `n^1`.
using SizeKey = std::string;

SizeKey axis_key(std::string_view axis);

/// What is known of a size, or nothing.
using KnownSize = std::function<std::optional<std::int64_t>(const SizeKey&)>;

/// The whole number that a formula of sizes gives with what is known; nothing if something is
/// unknown or the result is not whole.
std::optional<std::int64_t> size_value(const notation::Tree& formula, const Labels& labels,
                                       const KnownSize& known);

/// The one unknown of a formula that makes it equal `value`, and what it must be; nothing if there
/// are several or the formula cannot be solved for it.
struct Solution {
  SizeKey key;
  std::int64_t value;
};
std::optional<Solution> solve(const notation::Tree& formula, std::int64_t value,
                              const Labels& labels, const KnownSize& known);

/// The sizes that a formula mentions.
std::set<SizeKey> keys_in(const notation::Tree& formula, const Labels& labels);

/// The sizes of one trial, drawn when they are asked for and kept from then on.
class Sizes {
 public:
  Sizes(const Symbols& symbols, std::uint64_t seed, SizeSpread spread,
        std::map<SizeKey, std::int64_t> fixed = {});

  /// The size called `key` as it is used at `item`. Fails with foreign if what the document says
  /// about it cannot be satisfied.
  std::int64_t operator()(const SizeKey& key, std::size_t item);
  /// True if the document says something about the size called `key` at `item`.
  bool is_said(const SizeKey& key, std::size_t item);
  /// True if the document or the user says every size that was asked for.
  bool are_given() const { return draws_ == 0; }
  /// What has been drawn so far, for reports.
  const std::map<SizeKey, std::int64_t>& drawn() const { return drawn_; }

 private:
  struct Rule {
    const notation::Tree* left;
    /// Null: `left` must be a positive whole number.
    const notation::Tree* right;
    /// Mentioned in a sentence or guessed, and so given up if it cannot hold.
    bool doubtful = false;
  };
  std::vector<Rule> all_rules_at(std::size_t item);
  std::vector<Rule> rules_at(std::size_t item);
  std::vector<Rule> relevant(const SizeKey& key, std::size_t item, std::set<SizeKey>& involved);
  bool attempt(const std::vector<Rule>& rules, const std::set<SizeKey>& involved);
  std::int64_t draw(const SizeKey& key);

  const Symbols* symbols_;
  RandomStream random_;
  SizeSpread spread_;
  int draws_ = 0;
  std::map<SizeKey, std::int64_t> drawn_;
  Labels labels_;
  std::deque<notation::Tree> guessed_;
  std::map<std::size_t, std::vector<Rule>> rules_;
};

}  // namespace axial::document
