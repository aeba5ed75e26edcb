// The records cover the vocabulary: each operation has a case for each element type that it accepts,
// and each case belongs to an operation. A new word without a case in record.py fails here.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "axial/notation/phrases.hpp"
#include "numpy/operations.hpp"
#include "numpy/spellings.hpp"

namespace axial::recorded {
namespace {

/// Operations and their element types, as text that a failing test shows.
using Coverage = std::map<std::string, std::set<std::string>>;

std::set<std::string> type_names(Takes takes) {
  std::set<std::string> names;
  for (const ElementFacts& element : element_facts) {
    if (accepts(takes, element.type)) names.emplace(element.name);
  }
  return names;
}

/// The element type that a case is about: that of its first tensor, a condition aside.
ElementType element_of(const Case& c) {
  const Word* word = find_word(c.operation);
  const std::size_t first = word != nullptr && word->conditional ? 1 : 0;
  for (std::size_t k = first; k < c.inputs.size(); ++k) {
    if (!c.inputs[k].expression().type().weak) return c.inputs[k].type();
  }
  return c.outputs.at(0).type();
}

Coverage recorded(std::string_view record) {
  Coverage found;
  for (const Case& c : cases(record)) found[c.operation].emplace(to_text(element_of(c)));
  return found;
}

TEST(records, cover_every_word) {
  Coverage wanted;
  for (const Word& word : elementwise_words) {
    wanted[std::string(word.name)] = type_names(word.takes);
  }
  EXPECT_THAT(recorded("words"), testing::ContainerEq(wanted));
}

TEST(records, cover_every_reduction) {
  Coverage wanted;
  for (const Reduction& reduction : reductions) {
    wanted[std::string(reduction.name)] = type_names(reduction.combine->takes);
  }
  EXPECT_THAT(recorded("reductions"), testing::ContainerEq(wanted));
}

TEST(records, cover_every_primitive) {
  Coverage wanted;
  for (const Primitive& primitive : primitives()) {
    wanted[std::string(primitive.name)] = type_names(primitive.takes);
  }
  EXPECT_THAT(recorded("primitives"), testing::ContainerEq(wanted));
}

TEST(records, cover_every_phrase) {
  Coverage wanted;
  for (const notation::Phrase& phrase : notation::phrases()) {
    wanted[phrase.signature.name] = type_names(Takes::reals);
  }
  // Sorting only moves elements.
  wanted["sort"] = type_names(Takes::numbers);
  EXPECT_THAT(recorded("phrases"), testing::ContainerEq(wanted));
}

Coverage operations_in(std::span<const NamedOperation> table) {
  Coverage wanted;
  for (const auto& [name, takes, run] : table) wanted[std::string(name)] = type_names(takes);
  return wanted;
}

TEST(records, cover_every_structural_operation) {
  EXPECT_THAT(recorded("contractions"), testing::ContainerEq(operations_in(contractions())));
  EXPECT_THAT(recorded("structure"), testing::ContainerEq(operations_in(structural_operations())));
  EXPECT_THAT(recorded("functions"), testing::ContainerEq(operations_in(function_operations())));
}

TEST(records, cover_every_conversion) {
  std::set<std::string> wanted, found;
  for (const ElementFacts& from : element_facts) {
    for (const ElementFacts& to : element_facts) {
      wanted.insert(std::string(from.name) + " to " + std::string(to.name));
    }
  }
  for (const Case& c : cases_of("structure", "to")) {
    found.insert(std::string(to_text(c.inputs.at(0).type())) + " to " + c.text("type"));
  }
  EXPECT_THAT(found, testing::ContainerEq(wanted));
}

TEST(records, are_the_files_that_are_replayed) {
  EXPECT_THAT(records(), testing::ElementsAre("contractions", "functions", "phrases", "primitives",
                                              "reductions", "structure", "words"));
}

TEST(spellings, exist_for_all_but_words) {
  for (const Reduction& one : reductions)
    EXPECT_NE(reduction_spelling(one.name), nullptr) << one.name;
  for (const Primitive& one : primitives())
    EXPECT_NE(primitive_spelling(one.name), nullptr) << one.name;
  for (const notation::Phrase& phrase : notation::phrases()) {
    EXPECT_NE(phrase_spelling(phrase.signature.name), nullptr) << phrase.signature.name;
  }
}

}  // namespace
}  // namespace axial::recorded
