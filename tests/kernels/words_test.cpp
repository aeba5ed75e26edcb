// Generated code against the meaning of each word.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "axial/kernels/compiler.hpp"
#include "axial/kernels/processor.hpp"

namespace axial::kernels {
namespace {

using Kind = Operation::Kind;

/// A nest that applies a word to streams of one element type.
Nest nest_of(const Word& word, ElementType element, std::int64_t count) {
  Nest nest{.outer = {count}, .row = {}, .streams = {}, .operations = {}};
  std::vector<int> operands;
  for (int k = 0; k < word.arity(); ++k) {
    const ElementType taken = word.conditional && k == 0 ? boolean : element;
    nest.streams.push_back({taken, {1}});
    nest.operations.push_back({.kind = Kind::load, .element = taken, .stream = k});
    operands.push_back(k);
  }
  const ElementType given = result_type(word.gives, element);
  nest.operations.push_back(
      {.kind = Kind::map, .element = given, .operands = operands, .word = &word});
  nest.streams.push_back({given, {1}});
  nest.operations.push_back(
      {.kind = Kind::store, .element = given, .operands = {word.arity()}, .stream = word.arity()});
  return nest;
}

/// Numbers from the domain of a word, then those at which functions go wrong.
template <class T>
std::vector<T> samples(const Word& word, int operand, std::int64_t count) {
  std::vector<T> values;
  const double step = (word.domain.high - word.domain.low) / static_cast<double>(count);
  for (std::int64_t k = 0; k < count; ++k) {
    const auto place = static_cast<double>((k * (operand + 1) * 7) % count);
    values.push_back(static_cast<T>(word.domain.low + step * place));
  }
  if constexpr (std::floating_point<T>) {
    const T infinity = std::numeric_limits<T>::infinity();
    const T special[] = {0,        -T{0},     1,     -1,     infinity, -infinity, std::nanf(""),
                         T(1e-30), T(-1e-30), T(50), T(-50), T(87),    T(-86),    T(1e9),
                         T(0.625), T(-0.3)};
    for (std::size_t k = 0; k < std::size(special); ++k) {
      values[k * 2] = special[(k + static_cast<std::size_t>(operand) * 3) % std::size(special)];
    }
  }
  return values;
}

/// How far apart two numbers are, in units of the last place of what is expected.
template <class T>
double distance(double actual, double expected) {
  if (std::isnan(actual) && std::isnan(expected)) return 0;
  if (actual == expected) return 0;
  if (!std::isfinite(actual) || !std::isfinite(expected)) return infinity;
  const double scale = std::max(std::abs(expected), double{std::numeric_limits<T>::min()});
  return std::abs(actual - expected) /
         std::ldexp(double{std::numeric_limits<T>::epsilon()}, std::ilogb(scale));
}

/// Runs all words on samples of T and compares with their meaning.
template <class T>
void compare_words(double allowed) {
  constexpr std::int64_t count = 77;
  constexpr ElementType element = element_type_of<T>();
  std::vector<const Word*> words;
  std::vector<Nest> nests;
  for (const Word& word : elementwise_words) {
    if (!accepts(word.takes, element)) continue;
    words.push_back(&word);
    nests.push_back(nest_of(word, element, count));
  }
  Compiler compiler({});
  const std::vector<MachineCode> codes = compiler.compile(nests);
  for (std::size_t k = 0; k < words.size(); ++k) {
    const Word& word = *words[k];
    SCOPED_TRACE(word.name);
    std::vector<std::vector<T>> operands;
    std::vector<char> conditions;
    std::vector<void*> streams;
    for (int operand = 0; operand < word.arity(); ++operand) {
      operands.push_back(samples<T>(word, operand, count));
    }
    for (const T value : operands[0]) conditions.push_back(value > T{0} ? 1 : 0);
    for (int operand = 0; operand < word.arity(); ++operand) {
      streams.push_back(word.conditional && operand == 0
                            ? static_cast<void*>(conditions.data())
                            : operands[static_cast<std::size_t>(operand)].data());
    }
    std::vector<T> results(count);
    streams.push_back(results.data());
    codes[k].function(streams.data(), 0, codes[k].rows, 0, codes[k].lanes);
    const auto* truths = reinterpret_cast<const char*>(results.data());
    for (std::int64_t i = 0; i < count; ++i) {
      const auto at = static_cast<std::size_t>(i);
      const auto operand = [&](std::size_t number) -> T {
        if (number >= operands.size()) return T{0};
        return word.conditional && number == 0 ? T(conditions[at]) : operands[number][at];
      };
      double expected = 0;
      if constexpr (std::floating_point<T>) {
        expected = static_cast<T>(word.real(operand(0), operand(1), operand(2)));
      } else {
        expected =
            static_cast<double>(static_cast<T>(word.whole(operand(0), operand(1), operand(2))));
      }
      const double actual =
          word.gives == Gives::truth ? truths[i] : static_cast<double>(results[at]);
      const double error =
          std::floating_point<T> ? distance<T>(actual, expected) : std::abs(actual - expected);
      EXPECT_LE(error, allowed) << actual << " instead of " << expected << " at "
                                << double(operand(0)) << ", " << double(operand(1));
    }
  }
}

/// Words made of powers of e, from where these are no longer tiny to where they overflow.
template <class T>
void compare_powers(double low, double high, double allowed) {
  constexpr std::int64_t count = 20'000;
  Compiler compiler({});
  for (const Word* word : {&word("exp"), &word("expm1"), &word("sigmoid"), &word("tanh")}) {
    SCOPED_TRACE(word->name);
    const Nest nest = nest_of(*word, element_type_of<T>(), count);
    const MachineCode code = compiler.compile({&nest, 1})[0];
    std::vector<T> operands, results(count);
    for (std::int64_t k = 0; k < count; ++k) {
      operands.push_back(static_cast<T>(low + (high - low) * static_cast<double>(k) / count));
    }
    void* streams[] = {operands.data(), results.data()};
    code.function(streams, 0, code.rows, 0, code.lanes);
    for (std::int64_t k = 0; k < count; ++k) {
      const auto at = static_cast<std::size_t>(k);
      const auto expected = static_cast<T>(word->real(operands[at]));
      ASSERT_LE(distance<T>(results[at], expected), allowed) << "at " << double{operands[at]};
    }
  }
}

TEST(words, made_of_powers_are_as_exact_everywhere) {
  if (!Compiler::is_available()) GTEST_SKIP();
  compare_powers<float>(-86.6, 88.72, 4);
  compare_powers<double>(-707, 709.7, 8);
}

/// What words make of two numbers, which are operands 0 and 1; the last value.
float computed(float a, float b, const std::vector<Operation>& maps) {
  Nest nest{.outer = {1},
            .row = {},
            .streams = {{float32, {1}}, {float32, {1}}, {float32, {1}}},
            .operations = {{.kind = Kind::load, .stream = 0}, {.kind = Kind::load, .stream = 1}}};
  nest.operations.insert(nest.operations.end(), maps.begin(), maps.end());
  const int last = static_cast<int>(std::ssize(nest.operations)) - 1;
  nest.operations.push_back({.kind = Kind::store, .operands = {last}, .stream = 2});
  Compiler compiler({});
  const MachineCode code = compiler.compile({&nest, 1})[0];
  float result = 0;
  void* streams[] = {&a, &b, &result};
  code.function(streams, 0, code.rows, 0, code.lanes);
  return result;
}

TEST(words, that_multiply_and_add_are_rounded_once) {
  if (!Compiler::is_available()) GTEST_SKIP();
  if (!has_wide_vectors()) GTEST_SKIP() << "not every machine multiplies and adds at once";
  // a·a - b, of which little is left: on a machine that rounds products it would be nothing.
  const float rest = computed(1 + 0x1p-23F, 1 + 0x1p-22F,
                              {{.kind = Kind::map, .operands = {0, 0}, .word = &word("mul")},
                               {.kind = Kind::map, .operands = {2, 1}, .word = &word("sub")}});
  EXPECT_EQ(rest, 0x1p-46F);
}

TEST(words, products_of_the_same_numbers_differ_by_nothing) {
  if (!Compiler::is_available()) GTEST_SKIP();
  for (const float number : {0.1F, 0.3F, 1 + 0x1p-23F}) {
    const float rest = computed(number, number,
                                {{.kind = Kind::map, .operands = {0, 0}, .word = &word("mul")},
                                 {.kind = Kind::map, .operands = {1, 1}, .word = &word("mul")},
                                 {.kind = Kind::map, .operands = {2, 3}, .word = &word("sub")}});
    EXPECT_EQ(rest, 0) << number;
  }
}

TEST(words, are_generated_in_single_precision) {
  if (!Compiler::is_available()) GTEST_SKIP();
  compare_words<float>(4);
}
TEST(words, are_generated_in_double_precision) {
  if (!Compiler::is_available()) GTEST_SKIP();
  compare_words<double>(8);
}
TEST(words, are_generated_for_integers) {
  if (!Compiler::is_available()) GTEST_SKIP();
  compare_words<std::int32_t>(0);
  compare_words<std::int64_t>(0);
}

}  // namespace
}  // namespace axial::kernels
