// The page docs/vocabulary.md is written from the tables, so that it lists what there is.
// AXIAL_UPDATE_GOLDEN=1 writes it anew.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <map>

#include "axial/notation/phrases.hpp"
#include "axial/prelude/prelude.hpp"
#include "axial/vocabulary/elementwise.hpp"
#include "axial/vocabulary/primitives.hpp"
#include "axial/vocabulary/reductions.hpp"
#include "pages/page.hpp"

namespace axial {
namespace {

std::string describe(Takes takes) {
  const std::map<Takes, std::string> names{{Takes::reals, "reals"},
                                           {Takes::integers, "integers"},
                                           {Takes::booleans, "truth values"},
                                           {Takes::numbers, "numbers"},
                                           {Takes::anything, "anything"}};
  return names.at(takes);
}

std::string word_rows() {
  std::string rows =
      "| Word | Operator | Takes | Partial derivatives |\n| --- | --- | --- | --- |\n";
  for (const Word& word : elementwise_words) {
    std::vector<std::string> partials;
    for (int k = 0; k < word.arity(); ++k) {
      const std::string partial = cell(word.partials[static_cast<std::size_t>(k)]);
      const bool constant = std::ranges::all_of(word.partials, &std::string_view::empty);
      if (!constant) partials.push_back(partial.empty() ? "none" : partial);
    }
    rows += fmt::format("| {} | {} | {} | {} |\n", cell(word.name), cell(word.symbol),
                        describe(word.takes), fmt::join(partials, ", "));
  }
  return rows;
}

std::string reduction_rows() {
  std::string rows =
      "| Reduction | Folds | Takes | Weight | Empty axis |\n| --- | --- | --- | --- | --- |\n";
  for (const Reduction& reduction : reductions) {
    const bool whole = reduction.combine->takes == Takes::booleans;
    rows += fmt::format("| {} | {} | {} | {} | {} |\n", cell(reduction.name),
                        cell(reduction.combine->name), describe(reduction.combine->takes),
                        cell(reduction.weight),
                        !reduction.allows_empty ? "an error"
                        : whole                 ? fmt::format("{}", reduction.whole_start != 0)
                                                : fmt::format("{}", reduction.real_start));
  }
  return rows;
}

std::string primitive_rows() {
  std::string rows = "| Primitive | Signature | Takes |\n| --- | --- | --- |\n";
  for (const Primitive& primitive : primitives()) {
    rows += fmt::format("| {} | {} | {} |\n", cell(primitive.name), cell(primitive.signature),
                        describe(primitive.takes));
  }
  return rows;
}

TEST(vocabulary_page, lists_every_word_reduction_primitive_and_phrase) {
  expect_page(
      "docs/vocabulary.md",
      fmt::format(
          "# The vocabulary\n\n"
          "This page is written from the tables of the library.\n\n"
          "## Words\n\n"
          "Functions of numbers, applied to every element. In the derivatives, a, b and c are the "
          "operands and y is the result; where\nnothing is given the function is piecewise "
          "constant.\n\n{}\n"
          "## Reductions\n\n"
          "Functions from a vector to a scalar, over one axis or several jointly. The weight w "
          "gives the "
          "differential ∂y = w ⊙_ax ∂x.\n\n{}\n"
          "## Primitives\n\n"
          "Functions between vectors and matrices on axes a and b.\n\n{}\n"
          "## Phrases\n\n"
          "Formulas in other functions, as the library itself reads them.\n\n"
          "```\n{}```\n",
          word_rows(), reduction_rows(), primitive_rows(), prelude_text()));
}

}  // namespace
}  // namespace axial
