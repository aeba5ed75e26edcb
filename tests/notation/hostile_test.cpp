// Random bytes and random tokens: an Error or a tree, never a crash, a hang or another exception.
#include <gmock/gmock.h>

#include <random>

#include "axial/axial.hpp"
#include "notation/sexpr.hpp"

namespace axial::notation {
namespace {

using Bits = std::mt19937_64;  // its numbers are the same everywhere

std::string random_bytes(Bits& bits) {
  std::string source(bits() % 60, ' ');
  for (char& byte : source) byte = static_cast<char>(bits() % 256);
  return source;
}

std::string random_tokens(Bits& bits) {
  static const std::vector<std::string> pieces{
      "x",   "y",           "A",      "sum",   "sum_ax", "softmax_ax", "exp", "index_ax",
      "max", "mean_{a, b}", "norm_p", "_",     "{",      "}",          "(",   ")",
      "[",   "]",           ",",      ":",     ":=",     "=",          "->",  "×",
      "⊙",   "*",           "/",      "+",     "-",      "^",          ".",   ".ax",
      "|",   "|ax|",        "R",      "R[ax]", "<",      "≤",          "∧",   "¬",
      "Σ",   "1",           "2.5",    "1e9",   "1e999",  "\n",         "  ",  "# c\n",
      "'",   "ax'",         "ε",      "\xc3",  "\xff",   "−",          "λ_1"};
  std::string source;
  const std::size_t count = bits() % 25;
  for (std::size_t i = 0; i < count; ++i) {
    source += pieces[bits() % pieces.size()];
    if (bits() % 2 == 0) source += ' ';
  }
  return source;
}

/// A formula with some bytes changed, removed or doubled.
std::string mutated(Bits& bits) {
  static const std::vector<std::string> formulas{
      "softmax_seq((Q .key K) / sqrt(|key|)) .seq V", "exp(X - max_ax X) / sum_ax exp X",
      "(sum_ax (abs X)^p)^(1 / p)", "x ⊙ (1 + erf(x / sqrt 2)) / 2",
      "where(a > b, 1, where(a = b, 0.5, 0))"};
  std::string source = formulas[bits() % formulas.size()];
  for (int i = 0; i < 3; ++i) {
    const std::size_t at = bits() % source.size();
    if (bits() % 3 == 0) source[at] = static_cast<char>(bits() % 256);
    if (bits() % 3 == 0) source.erase(at, 1 + bits() % 4);
    if (bits() % 3 == 0) source.insert(at % (source.size() + 1), source.substr(source.size() / 2));
    if (source.empty()) return source;
  }
  return source;
}

Scope scope() {
  const Axis ax{"ax"}, a{"a"}, b{"b"}, seq{"seq"}, key{"key"}, val{"val"};
  Scope names;
  names.tensors.emplace("x", ones(ax[2]).expression());
  names.tensors.emplace("X", ones(ax[2] * a[3]).expression());
  names.tensors.emplace("y", Tensor(2).expression());
  names.tensors.emplace("A", ones(a[2] * b[2]).expression());
  names.tensors.emplace("Q", ones(key[2]).expression());
  names.tensors.emplace("K", ones(seq[3] * key[2]).expression());
  names.tensors.emplace("V", ones(seq[3] * val[2]).expression());
  return names;
}

/// Parses and elaborates; an Error must have a place inside the text and be shown without harm.
void survive(const std::string& source) {
  static const Scope names = scope();
  const auto attempt = [&](auto&& action) {
    try {
      action();
    } catch (const Error& error) {
      ASSERT_FALSE(render(error, source, "hostile").empty());
      if (error.code().name == "syntax") {
        ASSERT_TRUE(error.span().has_value()) << error.what();
        ASSERT_LE(error.span()->end, source.size()) << error.what();
      }
    }
  };
  attempt([&] { elaborate(parse_formula(source, is_function), names); });
  attempt([&] { parse_statements(source, is_function); });
}

class Hostile : public ::testing::TestWithParam<std::string (*)(Bits&)> {};

TEST_P(Hostile, text_is_met_with_an_error) {
  for (std::uint64_t seed = 0; seed < 20'000; ++seed) {
    Bits bits(seed);
    const std::string source = GetParam()(bits);
    SCOPED_TRACE("seed " + std::to_string(seed) + ": " + ::testing::PrintToString(source));
    ASSERT_NO_THROW(survive(source));
    if (HasFatalFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(notation, Hostile,
                         ::testing::Values(random_bytes, random_tokens, mutated));

}  // namespace
}  // namespace axial::notation
