// Results agree with NumPy: every word, reduction, primitive, phrase and structural operation runs on
// the cases that record.py wrote down, by name and by its public spelling.
#include <gtest/gtest.h>

#include <algorithm>

#include "axial/notation/phrases.hpp"
#include "numpy/operations.hpp"
#include "numpy/spellings.hpp"

namespace axial::recorded {
namespace {

using Tensors = std::vector<Tensor>;

/// A test that is given the name of an operation.
class Replay : public testing::TestWithParam<std::string> {
 protected:
  /// Replays all cases of the operation, by name and, if there is one, by its spelling.
  static void compare(std::string_view record, Operation by_name, Operation spelling) {
    replay_all(record, GetParam(), by_name);
    if (spelling == nullptr) return;
    SCOPED_TRACE("as C++ spells it");
    replay_all(record, GetParam(), spelling);
  }

  static void compare(std::string_view record, std::span<const NamedOperation> table) {
    replay_all(record, GetParam(),
               std::ranges::find(table, GetParam(), &NamedOperation::name)->run);
  }
};

class Words : public Replay {};
class Reductions : public Replay {};
class Primitives : public Replay {};
class Phrases : public Replay {};
class Contractions : public Replay {};
class Structure : public Replay {};
class Functions : public Replay {};

Tensors apply_word(const Case& c) { return {plain::apply(*find_word(c.operation), c.inputs)}; }

Tensors apply_reduction(const Case& c) {
  return {plain::reduce(*find_reduction(c.operation), c.axes(), c.inputs[0])};
}

Tensors apply_primitive(const Case& c) {
  return {plain::primitive(c.operation, c.axes(), c.inputs)};
}

Tensors apply_phrase(const Case& c) {
  const bool has_axes = !notation::find_phrase(c.operation)->signature.axes.empty();
  return {
      plain::phrase(c.operation, has_axes ? std::vector{c.axes()} : std::vector<Axes>{}, c.inputs)};
}

TEST_P(Words, agree_with_numpy) { compare("words", apply_word, word_spelling(GetParam())); }
TEST_P(Reductions, agree_with_numpy) {
  compare("reductions", apply_reduction, reduction_spelling(GetParam()));
}
TEST_P(Primitives, agree_with_numpy) {
  compare("primitives", apply_primitive, primitive_spelling(GetParam()));
}
TEST_P(Phrases, agree_with_numpy) { compare("phrases", apply_phrase, phrase_spelling(GetParam())); }
TEST_P(Contractions, agree_with_numpy) { compare("contractions", contractions()); }
TEST_P(Structure, agrees_with_numpy) { compare("structure", structural_operations()); }
TEST_P(Functions, agree_with_numpy) { compare("functions", function_operations()); }

/// The names that a table gives its records.
auto names_in(const auto& table) {
  std::vector<std::string> names;
  for (const auto& record : table) names.emplace_back(record.name);
  return testing::ValuesIn(names);
}

auto phrase_names() {
  std::vector<std::string> names;
  for (const notation::Phrase& phrase : notation::phrases()) names.push_back(phrase.signature.name);
  return testing::ValuesIn(names);
}

std::string own_name(const testing::TestParamInfo<std::string>& info) { return info.param; }

INSTANTIATE_TEST_SUITE_P(numpy, Words, names_in(elementwise_words), own_name);
INSTANTIATE_TEST_SUITE_P(numpy, Reductions, names_in(reductions), own_name);
INSTANTIATE_TEST_SUITE_P(numpy, Primitives, names_in(primitives()), own_name);
INSTANTIATE_TEST_SUITE_P(numpy, Phrases, phrase_names(), own_name);
INSTANTIATE_TEST_SUITE_P(numpy, Contractions, names_in(contractions()), own_name);
INSTANTIATE_TEST_SUITE_P(numpy, Structure, names_in(structural_operations()), own_name);
INSTANTIATE_TEST_SUITE_P(numpy, Functions, names_in(function_operations()), own_name);

}  // namespace
}  // namespace axial::recorded
