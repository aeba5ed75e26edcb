// The tables of words, reductions and primitives are complete and consistent. Each fact is stated
// for the whole table, so a new word is tested without a further line.
#include <gmock/gmock.h>

#include <cmath>
#include <set>

#include "axial/notation/parse.hpp"
#include "axial/vocabulary/elementwise.hpp"
#include "axial/vocabulary/primitives.hpp"
#include "axial/vocabulary/reductions.hpp"

namespace axial {
namespace {

using ::testing::HasSubstr;

/// {0}, {1}, …: where an operand stands in the LaTeX.
std::string hole(int k) { return "{" + std::to_string(k) + "}"; }

bool is_name(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  });
}

bool is_word_of_partials(std::string_view name) {
  return find_word(name) != nullptr || find_reduction(name) != nullptr || name == "softmax" ||
         name == "argmax" || name == "argmin";
}

TEST(words, have_distinct_names_that_can_be_written) {
  std::set<std::string_view> names;
  for (const Word& word : elementwise_words) {
    EXPECT_TRUE(is_name(word.name)) << word.name;
    EXPECT_TRUE(names.insert(word.name).second) << word.name;
  }
}

TEST(words, have_symbols_that_are_distinct_for_each_number_of_operands) {
  std::set<std::pair<std::string_view, int>> symbols;
  for (const Word& word : elementwise_words) {
    if (word.symbol.empty()) continue;
    EXPECT_TRUE(symbols.insert({word.symbol, word.arity()}).second) << word.name;
  }
}

TEST(words, have_latex_with_a_place_for_every_operand) {
  for (const Word& word : elementwise_words) {
    for (int k = 0; k < 3; ++k) {
      EXPECT_EQ(word.latex.find(hole(k)) != std::string_view::npos, k < word.arity())
          << word.name << ": " << word.latex;
    }
  }
}

TEST(words, have_a_meaning_for_every_type_that_they_take) {
  for (const Word& word : elementwise_words) {
    EXPECT_EQ(static_cast<bool>(word.real), accepts(word.takes, float64)) << word.name;
    const bool takes_whole = accepts(word.takes, int64) || accepts(word.takes, boolean);
    EXPECT_EQ(static_cast<bool>(word.whole), takes_whole) << word.name;
    if (word.real && word.whole) {
      EXPECT_EQ(word.real.arity(), word.whole.arity()) << word.name;
    }
    EXPECT_GE(word.arity(), 1) << word.name;
    EXPECT_LE(word.arity(), 3) << word.name;
  }
}

TEST(words, mean_the_same_for_reals_and_integers) {
  for (const Word& word : elementwise_words) {
    if (!word.real || !word.whole) continue;
    for (const std::int64_t a : {-7, -2, 0, 1, 3, 8}) {
      for (const std::int64_t b : {-3, -1, 1, 2, 5}) {
        EXPECT_EQ(static_cast<double>(word.whole(a, b, 4)),
                  word.real(static_cast<double>(a), static_cast<double>(b), 4.0))
            << word.name << "(" << a << ", " << b << ")";
      }
    }
  }
}

TEST(words, that_give_truth_give_zero_or_one) {
  for (const Word& word : elementwise_words) {
    if (word.gives != Gives::truth) continue;
    for (const int a : {0, 1}) {
      for (const int b : {0, 1}) {
        const double result = word.real ? word.real(a, b) : static_cast<double>(word.whole(a, b));
        EXPECT_TRUE(result == 0 || result == 1) << word.name;
      }
    }
  }
}

TEST(words, do_not_trap_on_extreme_integers) {
  for (const Word& word : elementwise_words) {
    if (!word.whole || word.takes == Takes::booleans) continue;
    for (const std::int64_t a : {INT64_MIN, std::int64_t{-1}, std::int64_t{0}, INT64_MAX}) {
      for (const std::int64_t b : {INT64_MIN, std::int64_t{-1}, std::int64_t{0}, INT64_MAX}) {
        word.whole(a, b, 0);
      }
    }
  }
}

TEST(words, propagate_nan) {
  // A reduction over elements of which one is not a number must not hide it.
  const double nan = std::nan("");
  for (const Word& word : elementwise_words) {
    if (!word.real || word.gives != Gives::same || word.conditional) continue;
    if (word.name == "pow") continue;  // IEEE: 1^NaN = NaN^0 = 1
    EXPECT_TRUE(std::isnan(word.real(nan, 1.0))) << word.name;
    if (word.arity() == 2) {
      EXPECT_TRUE(std::isnan(word.real(1.0, nan))) << word.name;
    }
  }
}

TEST(words, have_partials_that_parse_or_none) {
  for (const Word& word : elementwise_words) {
    for (std::size_t k = 0; k < word.partials.size(); ++k) {
      if (word.partials[k].empty()) continue;
      EXPECT_LT(static_cast<int>(k), word.arity()) << word.name;
      EXPECT_NO_THROW(notation::parse_formula(word.partials[k], is_word_of_partials))
          << word.name << ": " << word.partials[k];
    }
  }
}

TEST(words, have_finite_values_on_the_domain_where_tests_draw_operands) {
  for (const Word& word : elementwise_words) {
    if (!word.real) continue;
    EXPECT_LT(word.domain.low, word.domain.high) << word.name;
    for (const double t : {0.0, 0.25, 0.5, 0.75, 1.0}) {
      const double a = word.domain.low + t * (word.domain.high - word.domain.low);
      EXPECT_TRUE(std::isfinite(word.real(a, word.domain.high, a))) << word.name << " at " << a;
    }
  }
}

TEST(words, are_found_by_name) {
  EXPECT_EQ(find_word("add"), &word("add"));
  EXPECT_EQ(find_word("no_such_word"), nullptr);
  static_assert(word("add").symbol == "+");
}

TEST(reductions, have_distinct_names_and_latex_with_axes_and_operand) {
  std::set<std::string_view> names;
  for (const Reduction& reduction : reductions) {
    EXPECT_TRUE(is_name(reduction.name)) << reduction.name;
    EXPECT_TRUE(names.insert(reduction.name).second) << reduction.name;
    EXPECT_THAT(std::string(reduction.latex), HasSubstr(hole(0))) << reduction.name;
    EXPECT_THAT(std::string(reduction.latex), HasSubstr(hole(1))) << reduction.name;
    EXPECT_EQ(find_reduction(reduction.name), &reduction);
  }
}

TEST(reductions, fold_a_word_of_two_operands_from_a_start_that_changes_nothing) {
  for (const Reduction& reduction : reductions) {
    const Word& combine = *reduction.combine;
    ASSERT_EQ(combine.arity(), 2) << reduction.name;
    for (const double x : {0.0, 1.0}) {
      if (combine.real) {
        EXPECT_EQ(combine.real(reduction.real_start, x), x) << reduction.name;
      }
      if (combine.whole) {
        const auto whole = static_cast<std::int64_t>(x);
        EXPECT_EQ(combine.whole(reduction.whole_start, whole), whole) << reduction.name;
      }
    }
  }
}

TEST(reductions, fold_commutative_words) {
  for (const Reduction& reduction : reductions) {
    const Word& combine = *reduction.combine;
    for (const double a : {-1.5, 0.0, 2.0}) {
      for (const double b : {-3.0, 0.5}) {
        if (combine.real) {
          EXPECT_DOUBLE_EQ(combine.real(a, b), combine.real(b, a)) << reduction.name;
        }
      }
    }
  }
}

TEST(reductions, have_weights_that_parse_or_none) {
  for (const Reduction& reduction : reductions) {
    if (reduction.weight.empty()) continue;
    EXPECT_NO_THROW(notation::parse_formula(reduction.weight, is_word_of_partials))
        << reduction.name;
  }
}

TEST(primitives, have_distinct_names_and_latex_with_axes_and_operands) {
  std::set<std::string_view> names;
  for (const Primitive& primitive : primitives()) {
    EXPECT_TRUE(is_name(primitive.name)) << primitive.name;
    EXPECT_TRUE(names.insert(primitive.name).second) << primitive.name;
    for (int k = 0; k <= primitive.arity(); ++k) {
      EXPECT_THAT(std::string(primitive.latex), HasSubstr(hole(k))) << primitive.name;
    }
    EXPECT_EQ(find_primitive(primitive.name), &primitive);
  }
  EXPECT_EQ(find_primitive("no_such_primitive"), nullptr);
}

TEST(primitives, have_signatures_that_can_be_read) {
  for (const Primitive& primitive : primitives()) {
    EXPECT_THAT(std::string(primitive.signature), ::testing::MatchesRegex("[ab,]+->[ab]*"));
    std::string put_together;
    for (int k = 0; k <= primitive.arity(); ++k) {
      put_together += k == 0 ? "" : k == primitive.arity() ? "->" : ",";
      put_together += primitive.letters(k);
    }
    EXPECT_EQ(put_together, primitive.signature) << primitive.name;
  }
}

TEST(primitives, have_a_meaning_for_every_type_that_they_take) {
  for (const Primitive& primitive : primitives()) {
    EXPECT_EQ(primitive.real != nullptr, accepts(primitive.takes, float64)) << primitive.name;
    EXPECT_EQ(primitive.whole != nullptr, accepts(primitive.takes, int64)) << primitive.name;
  }
}

TEST(names, of_the_vocabulary_mean_one_thing_each) {
  for (const Primitive& primitive : primitives()) {
    EXPECT_EQ(find_word(primitive.name), nullptr) << primitive.name;
    EXPECT_EQ(find_reduction(primitive.name), nullptr) << primitive.name;
  }
}

TEST(takes, is_a_set_of_element_types) {
  for (const ElementFacts& entry : element_facts) {
    EXPECT_EQ(accepts(Takes::reals, entry.type), is_real(entry.type));
    EXPECT_EQ(accepts(Takes::integers, entry.type), is_integer(entry.type));
    EXPECT_EQ(accepts(Takes::booleans, entry.type), entry.type == boolean);
    EXPECT_EQ(accepts(Takes::numbers, entry.type), entry.type != boolean);
    EXPECT_TRUE(accepts(Takes::anything, entry.type));
  }
}

TEST(gives, says_the_type_of_the_result) {
  for (const ElementFacts& entry : element_facts) {
    EXPECT_EQ(result_type(Gives::same, entry.type), entry.type);
    EXPECT_EQ(result_type(Gives::truth, entry.type), boolean);
    EXPECT_EQ(result_type(Gives::position, entry.type), int64);
  }
}

TEST(meaning, has_the_arity_of_its_function) {
  EXPECT_EQ(Meaning<double>([](double a) { return a; }).arity(), 1);
  EXPECT_EQ(Meaning<double>([](double a, double b) { return a + b; }).arity(), 2);
  EXPECT_EQ(Meaning<double>([](double a, double b, double c) { return a + b + c; }).arity(), 3);
  EXPECT_FALSE(Meaning<double>());
}

}  // namespace
}  // namespace axial
