// Elementwise words. A record is all that Axial knows of a function; the lines at the end spell it
// in C++. Adding one touches this file alone: everything else iterates the records.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>

#include "axial/vocabulary/lanes.hpp"
#include "axial/vocabulary/word.hpp"

namespace axial {

/// Where tests may draw an operand from.
struct Interval {
  double low = -2;
  double high = 2;
};

/// A function of scalars, lifted to tensors by Definition 5 of the paper.
struct Word {
  std::string_view name;
  /// The operator that stands for it in plain text, if any.
  std::string_view symbol = "";
  /// Its LaTeX, with {0}, {1}, {2} for the operands.
  std::string_view latex;
  Takes takes = Takes::reals;
  Gives gives = Gives::same;
  /// True if the first operand is a condition, whatever the type of the others.
  bool conditional = false;
  Meaning<double> real = {};
  /// For integers and truth values.
  Meaning<std::int64_t> whole = {};
  /// For several numbers at once, in generated code; where it is missing or gives nothing, the
  /// meaning above is called for each.
  Meaning<Lanes> lanes = {};
  /// How many additions take about as long.
  int cost = 1;
  /// ∂y/∂a, ∂y/∂b, ∂y/∂c in the plain-text notation; a, b, c: operands, y: the result.
  /// Empty for piecewise constant functions.
  std::array<std::string_view, 3> partials = {};
  Interval domain = {};
  /// The rule that derivations cite for its differential: a row of calculus/rules.hpp.
  std::string_view rule = "elementwise rule";
  /// True if the function counts as constant although it is not, by declaration.
  bool held = false;
  /// What to do with integers, where they are refused and there is something better than converting.
  std::string_view integer_hint = "";

  constexpr int arity() const { return real ? real.arity() : whole.arity(); }
};

namespace words {

// Integers wrap around as in two's complement; signed overflow would be undefined.
constexpr std::int64_t wrap(std::uint64_t value) { return static_cast<std::int64_t>(value); }
constexpr std::uint64_t bits(std::int64_t value) { return static_cast<std::uint64_t>(value); }

/// The remainder with the sign of the divisor, as in Python; 0 for an integer divisor 0.
inline double floored_remainder(double a, double b) {
  const double remainder = std::fmod(a, b);
  if (remainder == 0) return std::copysign(0.0, b);
  return (remainder < 0) != (b < 0) ? remainder + b : remainder;
}
/// The whole number q with a = q·b + floored_remainder(a, b); a plain quotient would round up.
inline double floored_quotient(double a, double b) {
  if (b == 0) return a / b;
  const double remainder = std::fmod(a, b);
  const double truncated = (a - remainder) / b;
  const double quotient = remainder != 0 && (remainder < 0) != (b < 0) ? truncated - 1 : truncated;
  return quotient == 0 ? std::copysign(0.0, a / b) : std::round(quotient);
}
constexpr std::int64_t floored_remainder(std::int64_t a, std::int64_t b) {
  if (b == 0 || b == -1) return 0;
  const std::int64_t remainder = a % b;
  return remainder != 0 && (remainder < 0) != (b < 0) ? remainder + b : remainder;
}
constexpr std::int64_t floored_quotient(std::int64_t a, std::int64_t b) {
  if (b == 0) return 0;
  if (b == -1) return wrap(0 - bits(a));
  return a / b - ((a % b != 0) && ((a < 0) != (b < 0)) ? 1 : 0);
}

/// log(exp a + exp b) without overflow.
inline double logaddexp(double a, double b) {
  const double high = std::isnan(a) || a > b ? a : b;
  const double low = std::isnan(a) || a > b ? b : a;
  if (std::isinf(high) || std::isnan(high)) return high;
  return high + std::log1p(std::exp(low - high));
}

}  // namespace words

// clang-format off
inline constexpr auto elementwise_words = std::to_array<Word>({
    {.name = "add", .symbol = "+", .latex = "{0} + {1}", .takes = Takes::numbers,
     .real = [](double a, double b) { return a + b; },
     .whole = [](std::int64_t a, std::int64_t b) {
       return words::wrap(words::bits(a) + words::bits(b));
     },
     .lanes = [](Lanes a, Lanes b) { return a + b; },
     .partials = {"1", "1"}, .rule = "sum rule"},
    {.name = "sub", .symbol = "-", .latex = "{0} - {1}", .takes = Takes::numbers,
     .real = [](double a, double b) { return a - b; },
     .whole = [](std::int64_t a, std::int64_t b) {
       return words::wrap(words::bits(a) - words::bits(b));
     },
     .lanes = [](Lanes a, Lanes b) { return a - b; },
     .partials = {"1", "-1"}, .rule = "sum rule"},
    {.name = "mul", .symbol = "⊙", .latex = "{0} \\odot {1}", .takes = Takes::numbers,
     .real = [](double a, double b) { return a * b; },
     .whole = [](std::int64_t a, std::int64_t b) {
       return words::wrap(words::bits(a) * words::bits(b));
     },
     .lanes = [](Lanes a, Lanes b) { return a * b; },
     .partials = {"b", "a"}, .rule = "product rule"},
    {.name = "div", .symbol = "/", .latex = "\\frac{{0}}{{1}}",
     .real = [](double a, double b) { return a / b; },
     .lanes = [](Lanes a, Lanes b) { return a / b; },
     .cost = 4, .partials = {"1 / b", "-(y / b)"}, .domain = {0.5, 2}, .rule = "quotient rule",
     .integer_hint = "convert first: to(float32, X); for whole quotients use floor_div"},
    {.name = "pow", .symbol = "^", .latex = "{0}^{{1}}",
     .real = [](double a, double b) { return std::pow(a, b); },
     .lanes = lanes::pow,
     .cost = 40, .partials = {"b * a^(b - 1)", "y * log a"}, .domain = {0.5, 2}},
    {.name = "neg", .symbol = "-", .latex = "-{0}", .takes = Takes::numbers,
     .real = [](double a) { return -a; },
     .whole = [](std::int64_t a) { return words::wrap(0 - words::bits(a)); },
     .lanes = [](Lanes a) { return -a; },
     .partials = {"-1"}, .rule = "linearity"},
    {.name = "mod", .latex = "{0} \\bmod {1}", .takes = Takes::numbers,
     .real = [](double a, double b) { return words::floored_remainder(a, b); },
     .whole = [](std::int64_t a, std::int64_t b) { return words::floored_remainder(a, b); },
     .cost = 40, .partials = {"1", "-floor(a / b)"}, .domain = {1.1, 1.9}},
    {.name = "floor_div", .latex = "\\lfloor \\frac{{0}}{{1}} \\rfloor", .takes = Takes::numbers,
     .real = [](double a, double b) { return words::floored_quotient(a, b); },
     .whole = [](std::int64_t a, std::int64_t b) { return words::floored_quotient(a, b); },
     .cost = 40, .domain = {1.1, 1.9}},
    {.name = "max", .latex = "\\max({0}, {1})", .takes = Takes::numbers,
     .real = [](double a, double b) { return std::isnan(a) || a > b ? a : b; },
     .whole = [](std::int64_t a, std::int64_t b) { return std::max(a, b); },
     .lanes = lanes::max,
     .partials = {"where(a > b, 1, where(a = b, 0.5, 0))",
                  "where(b > a, 1, where(a = b, 0.5, 0))"}},
    {.name = "min", .latex = "\\min({0}, {1})", .takes = Takes::numbers,
     .real = [](double a, double b) { return std::isnan(a) || a < b ? a : b; },
     .whole = [](std::int64_t a, std::int64_t b) { return std::min(a, b); },
     .lanes = lanes::min,
     .partials = {"where(a < b, 1, where(a = b, 0.5, 0))",
                  "where(b < a, 1, where(a = b, 0.5, 0))"}},
    {.name = "logaddexp", .latex = "\\log(\\exp {0} + \\exp {1})",
     .real = [](double a, double b) { return words::logaddexp(a, b); },
     .lanes = lanes::logaddexp,
     .cost = 40, .partials = {"exp(a - y)", "exp(b - y)"}},
    {.name = "abs", .latex = "\\left|{0}\\right|", .takes = Takes::numbers,
     .real = [](double a) { return std::abs(a); },
     .whole = [](std::int64_t a) { return a < 0 ? words::wrap(0 - words::bits(a)) : a; },
     .lanes = lanes::abs,
     .partials = {"sign a"}},
    {.name = "sign", .latex = "\\operatorname{sign} {0}", .takes = Takes::numbers,
     .real = [](double a) { return std::isnan(a) ? a : static_cast<double>((a > 0) - (a < 0)); },
     .whole = [](std::int64_t a) { return static_cast<std::int64_t>((a > 0) - (a < 0)); },
     .lanes = lanes::sign},
    {.name = "constant", .latex = "\\operatorname{constant} {0}", .takes = Takes::numbers,
     .real = [](double a) { return a; },
     .whole = [](std::int64_t a) { return a; },
     .lanes = [](Lanes a) { return a; },
     .held = true},
    {.name = "exp", .latex = "\\exp {0}",
     .real = [](double a) { return std::exp(a); }, .lanes = lanes::exp,
     .cost = 10, .partials = {"y"}},
    {.name = "expm1", .latex = "\\operatorname{expm1} {0}",
     .real = [](double a) { return std::expm1(a); }, .lanes = lanes::expm1,
     .cost = 40, .partials = {"y + 1"}},
    {.name = "log", .latex = "\\log {0}",
     .real = [](double a) { return std::log(a); }, .lanes = lanes::log,
     .cost = 20, .partials = {"1 / a"}, .domain = {0.2, 3}},
    {.name = "log1p", .latex = "\\operatorname{log1p} {0}",
     .real = [](double a) { return std::log1p(a); }, .lanes = lanes::log1p,
     .cost = 30, .partials = {"1 / (1 + a)"},
     .domain = {-0.5, 3}},
    {.name = "sqrt", .latex = "\\sqrt{{0}}",
     .real = [](double a) { return std::sqrt(a); }, .lanes = lanes::sqrt,
     .cost = 5, .partials = {"1 / (2 y)"}, .domain = {0.2, 3}},
    {.name = "sin", .latex = "\\sin {0}",
     .real = [](double a) { return std::sin(a); }, .cost = 40, .partials = {"cos a"}},
    {.name = "cos", .latex = "\\cos {0}",
     .real = [](double a) { return std::cos(a); }, .cost = 40, .partials = {"-sin a"}},
    {.name = "tan", .latex = "\\tan {0}",
     .real = [](double a) { return std::tan(a); },
     .cost = 40, .partials = {"1 + y * y"}, .domain = {-1, 1}},
    {.name = "asin", .latex = "\\arcsin {0}",
     .real = [](double a) { return std::asin(a); }, .cost = 40, .partials = {"1 / sqrt(1 - a * a)"},
     .domain = {-0.9, 0.9}},
    {.name = "acos", .latex = "\\arccos {0}",
     .real = [](double a) { return std::acos(a); },
     .cost = 40, .partials = {"-1 / sqrt(1 - a * a)"},
     .domain = {-0.9, 0.9}},
    {.name = "atan", .latex = "\\arctan {0}",
     .real = [](double a) { return std::atan(a); }, .cost = 40, .partials = {"1 / (1 + a * a)"}},
    {.name = "atan2", .latex = "\\operatorname{atan2}({0}, {1})",
     .real = [](double a, double b) { return std::atan2(a, b); },
     .cost = 40, .partials = {"b / (a * a + b * b)", "-a / (a * a + b * b)"}, .domain = {0.5, 2}},
    {.name = "sinh", .latex = "\\sinh {0}",
     .real = [](double a) { return std::sinh(a); }, .cost = 40, .partials = {"cosh a"}},
    {.name = "cosh", .latex = "\\cosh {0}",
     .real = [](double a) { return std::cosh(a); }, .cost = 40, .partials = {"sinh a"}},
    {.name = "tanh", .latex = "\\tanh {0}",
     .real = [](double a) { return std::tanh(a); },
     .lanes = lanes::hyperbolic_tangent,
     .cost = 20, .partials = {"1 - y * y"}},
    {.name = "sigmoid", .latex = "\\sigma({0})",
     .real = [](double a) {
       return a < 0 ? std::exp(a) / (1 + std::exp(a)) : 1 / (1 + std::exp(-a));
     },
     .lanes = lanes::sigmoid,
     .cost = 14, .partials = {"y * (1 - y)"}},
    {.name = "relu", .latex = "\\operatorname{relu}({0})",
     .real = [](double a) { return std::isnan(a) ? a : std::max(a, 0.0); },
     .lanes = lanes::relu,
     .partials = {"where(a > 0, 1, 0)"}},
    {.name = "erf", .latex = "\\operatorname{erf} {0}",
     .real = [](double a) { return std::erf(a); },
     .cost = 40, .partials = {"(2 / sqrt 3.141592653589793) exp(-(a * a))"}},
    {.name = "floor", .latex = "\\lfloor {0} \\rfloor",
     .real = [](double a) { return std::floor(a); },
     .lanes = lanes::floor},
    {.name = "ceil", .latex = "\\lceil {0} \\rceil",
     .real = [](double a) { return std::ceil(a); },
     .lanes = lanes::ceil},
    {.name = "round", .latex = "\\operatorname{round} {0}",
     .real = [](double a) { return std::nearbyint(a); },
     .lanes = lanes::round},
    {.name = "is_nan", .latex = "\\operatorname{isnan} {0}", .gives = Gives::truth,
     .real = [](double a) { return std::isnan(a) ? 1.0 : 0.0; },
     .lanes = lanes::is_nan},
    {.name = "is_finite", .latex = "\\operatorname{isfinite} {0}", .gives = Gives::truth,
     .real = [](double a) { return std::isfinite(a) ? 1.0 : 0.0; },
     .lanes = lanes::is_finite},
    {.name = "equal", .symbol = "=", .latex = "{0} = {1}", .takes = Takes::anything,
     .gives = Gives::truth,
     .real = [](double a, double b) { return a == b ? 1.0 : 0.0; },
     .whole = [](std::int64_t a, std::int64_t b) -> std::int64_t { return a == b; },
     .lanes = [](Lanes a, Lanes b) { return a == b; }},
    {.name = "unequal", .symbol = "≠", .latex = "{0} \\neq {1}", .takes = Takes::anything,
     .gives = Gives::truth,
     .real = [](double a, double b) { return a != b ? 1.0 : 0.0; },
     .whole = [](std::int64_t a, std::int64_t b) -> std::int64_t { return a != b; },
     .lanes = [](Lanes a, Lanes b) { return !(a == b); }},
    {.name = "less", .symbol = "<", .latex = "{0} < {1}", .takes = Takes::numbers,
     .gives = Gives::truth,
     .real = [](double a, double b) { return a < b ? 1.0 : 0.0; },
     .whole = [](std::int64_t a, std::int64_t b) -> std::int64_t { return a < b; },
     .lanes = [](Lanes a, Lanes b) { return a < b; }},
    {.name = "less_equal", .symbol = "≤", .latex = "{0} \\leq {1}", .takes = Takes::numbers,
     .gives = Gives::truth,
     .real = [](double a, double b) { return a <= b ? 1.0 : 0.0; },
     .whole = [](std::int64_t a, std::int64_t b) -> std::int64_t { return a <= b; },
     .lanes = [](Lanes a, Lanes b) { return a <= b; }},
    {.name = "greater", .symbol = ">", .latex = "{0} > {1}", .takes = Takes::numbers,
     .gives = Gives::truth,
     .real = [](double a, double b) { return a > b ? 1.0 : 0.0; },
     .whole = [](std::int64_t a, std::int64_t b) -> std::int64_t { return a > b; },
     .lanes = [](Lanes a, Lanes b) { return a > b; }},
    {.name = "greater_equal", .symbol = "≥", .latex = "{0} \\geq {1}", .takes = Takes::numbers,
     .gives = Gives::truth,
     .real = [](double a, double b) { return a >= b ? 1.0 : 0.0; },
     .whole = [](std::int64_t a, std::int64_t b) -> std::int64_t { return a >= b; },
     .lanes = [](Lanes a, Lanes b) { return a >= b; }},
    {.name = "and", .symbol = "∧", .latex = "{0} \\land {1}", .takes = Takes::booleans,
     .gives = Gives::truth,
     .whole = [](std::int64_t a, std::int64_t b) { return a & b; },
     .lanes = [](Lanes a, Lanes b) { return a & b; }},
    {.name = "or", .symbol = "∨", .latex = "{0} \\lor {1}", .takes = Takes::booleans,
     .gives = Gives::truth,
     .whole = [](std::int64_t a, std::int64_t b) { return a | b; },
     .lanes = [](Lanes a, Lanes b) { return a | b; }},
    {.name = "not", .symbol = "¬", .latex = "\\lnot {0}", .takes = Takes::booleans,
     .gives = Gives::truth,
     .whole = [](std::int64_t a) { return a ^ 1; },
     .lanes = [](Lanes a) { return !a; }},
    {.name = "where", .latex = "\\operatorname{where}({0}, {1}, {2})", .takes = Takes::anything,
     .conditional = true,
     .real = [](double a, double b, double c) { return a != 0 ? b : c; },
     .whole = [](std::int64_t a, std::int64_t b, std::int64_t c) { return a != 0 ? b : c; },
     .lanes = [](Lanes a, Lanes b, Lanes c) { return lanes::select(a, b, c); },
     .partials = {"", "where(a, 1, 0)", "where(a, 0, 1)"}},
});
// clang-format on

/// The word called `name`, or null.
constexpr const Word* find_word(std::string_view name) {
  const auto found = std::ranges::find(elementwise_words, name, &Word::name);
  return found == elementwise_words.end() ? nullptr : &*found;
}

/// The word called `name`; a misspelt name does not compile.
consteval const Word& word(std::string_view name) {
  const auto found = std::ranges::find(elementwise_words, name, &Word::name);
  if (found != elementwise_words.end()) return *found;
  throw "no elementwise word has this name";
}

// The C++ spellings. `apply` is found where the tensor type is defined.
// clang-format off
template <Operands A> auto exp(const A& a) { return apply(word("exp"), a); }
template <Operands A> auto expm1(const A& a) { return apply(word("expm1"), a); }
template <Operands A> auto log(const A& a) { return apply(word("log"), a); }
template <Operands A> auto log1p(const A& a) { return apply(word("log1p"), a); }
template <Operands A> auto sqrt(const A& a) { return apply(word("sqrt"), a); }
template <Operands A> auto abs(const A& a) { return apply(word("abs"), a); }
template <Operands A> auto constant(const A& a) { return apply(word("constant"), a); }
template <Operands A> auto sign(const A& a) { return apply(word("sign"), a); }
template <Operands A> auto sin(const A& a) { return apply(word("sin"), a); }
template <Operands A> auto cos(const A& a) { return apply(word("cos"), a); }
template <Operands A> auto tan(const A& a) { return apply(word("tan"), a); }
template <Operands A> auto asin(const A& a) { return apply(word("asin"), a); }
template <Operands A> auto acos(const A& a) { return apply(word("acos"), a); }
template <Operands A> auto atan(const A& a) { return apply(word("atan"), a); }
template <Operands A> auto sinh(const A& a) { return apply(word("sinh"), a); }
template <Operands A> auto cosh(const A& a) { return apply(word("cosh"), a); }
template <Operands A> auto tanh(const A& a) { return apply(word("tanh"), a); }
template <Operands A> auto sigmoid(const A& a) { return apply(word("sigmoid"), a); }
template <Operands A> auto relu(const A& a) { return apply(word("relu"), a); }
template <Operands A> auto erf(const A& a) { return apply(word("erf"), a); }
template <Operands A> auto floor(const A& a) { return apply(word("floor"), a); }
template <Operands A> auto ceil(const A& a) { return apply(word("ceil"), a); }
template <Operands A> auto round(const A& a) { return apply(word("round"), a); }
template <Operands A> auto is_nan(const A& a) { return apply(word("is_nan"), a); }
template <Operands A> auto is_finite(const A& a) { return apply(word("is_finite"), a); }
template <Operands A> auto operator-(const A& a) { return apply(word("neg"), a); }
template <Operands A> auto operator!(const A& a) { return apply(word("not"), a); }
template <class A, class B> requires Operands<A, B>
auto pow(const A& a, const B& b) { return apply(word("pow"), a, b); }
template <class A, class B> requires Operands<A, B>
auto mod(const A& a, const B& b) { return apply(word("mod"), a, b); }
template <class A, class B> requires Operands<A, B>
auto floor_div(const A& a, const B& b) { return apply(word("floor_div"), a, b); }
template <class A, class B> requires Operands<A, B>
auto atan2(const A& a, const B& b) { return apply(word("atan2"), a, b); }
template <class A, class B> requires Operands<A, B>
auto logaddexp(const A& a, const B& b) { return apply(word("logaddexp"), a, b); }
template <class A, class B> requires Operands<A, B>
auto max(const A& a, const B& b) { return apply(word("max"), a, b); }
template <class A, class B> requires Operands<A, B>
auto min(const A& a, const B& b) { return apply(word("min"), a, b); }
template <class A, class B> requires Operands<A, B>
auto operator+(const A& a, const B& b) { return apply(word("add"), a, b); }
template <class A, class B> requires Operands<A, B>
auto operator-(const A& a, const B& b) { return apply(word("sub"), a, b); }
template <class A, class B> requires Operands<A, B>
auto operator*(const A& a, const B& b) { return apply(word("mul"), a, b); }
template <class A, class B> requires Operands<A, B>
auto operator/(const A& a, const B& b) { return apply(word("div"), a, b); }
template <class A, class B> requires Operands<A, B>
auto operator==(const A& a, const B& b) { return apply(word("equal"), a, b); }
template <class A, class B> requires Operands<A, B>
auto operator!=(const A& a, const B& b) { return apply(word("unequal"), a, b); }
template <class A, class B> requires Operands<A, B>
auto operator<(const A& a, const B& b) { return apply(word("less"), a, b); }
template <class A, class B> requires Operands<A, B>
auto operator<=(const A& a, const B& b) { return apply(word("less_equal"), a, b); }
template <class A, class B> requires Operands<A, B>
auto operator>(const A& a, const B& b) { return apply(word("greater"), a, b); }
template <class A, class B> requires Operands<A, B>
auto operator>=(const A& a, const B& b) { return apply(word("greater_equal"), a, b); }
template <class A, class B> requires Operands<A, B>
auto operator&&(const A& a, const B& b) { return apply(word("and"), a, b); }
template <class A, class B> requires Operands<A, B>
auto operator||(const A& a, const B& b) { return apply(word("or"), a, b); }
template <class C, class A, class B> requires Operands<C, A, B>
auto where(const C& condition, const A& a, const B& b) {
  return apply(word("where"), condition, a, b);
}
// clang-format on

}  // namespace axial
