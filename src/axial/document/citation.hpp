// Steps of derivations that cite a rule: whether it is the rule that gives them.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "axial/calculus/rules.hpp"
#include "axial/document/contents.hpp"

namespace axial::document {

/// A rule for a differential, and the function that it is about where that says more: exp, softmax.
struct DifferentialRule {
  const calculus::Rule* rule;
  std::string of = {};
  friend bool operator==(const DifferentialRule&, const DifferentialRule&) = default;
};

/// What was done with differentials between two sides.
struct Working {
  DifferentialRule by;
  /// How many different differentials are left of those that were worked out.
  std::size_t left = 0;
};

/// The one rule that works out what differentials are gone from `before` to `after`; nothing if there
/// are several, or if more than that was done.
std::optional<Working> working_of(const notation::Tree& before, const notation::Tree& after);

/// A step that cites one rule and that another one gives.
struct Miscitation {
  Span span;
  std::string message;
  std::string hint;
};

/// The labels of a document and the rules for differentials that they stand for.
class Citations {
 public:
  /// Keeps a reference to the contents.
  explicit Citations(const Contents& contents);

  /// The steps of an item whose citation is wrong. What is not clear is not wrong.
  std::vector<Miscitation> wrong_in(std::size_t item) const;

 private:
  /// What a citation stands for: the rule by its name, and the rules that it may be cited for.
  struct Cited {
    std::vector<DifferentialRule> rules;
    bool gives(const Working& working) const;
  };
  /// A label of the document that stands for a rule.
  struct Labelled {
    std::string label;
    std::size_t item;
    Cited cited;
  };

  void add(const std::string& label, std::size_t item);
  std::optional<Miscitation> wrong(std::size_t item, const notation::Tree& before,
                                   const notation::Relation& relation,
                                   const notation::Tree& after) const;
  std::optional<Cited> cited(std::string_view text) const;
  /// The label for a rule, outside of the derivation that `item` belongs to; null if there is none.
  const std::string* label_for(const DifferentialRule& given, std::size_t item) const;

  const Contents& contents_;
  /// For each item the one that its derivation starts with.
  std::vector<std::size_t> starts_;
  /// What each label stands at, also those that stand for no rule or at no equation.
  std::map<std::string, std::vector<std::size_t>, std::less<>> equations_;
  std::vector<Labelled> labelled_;
};

}  // namespace axial::document
