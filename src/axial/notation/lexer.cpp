#include "axial/notation/lexer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "axial/base/text.hpp"
#include "axial/vocabulary/elementwise.hpp"

namespace axial::notation {
namespace {

struct Spelling {
  std::string_view written;
  std::string_view canonical;
};

// Other ways to write an operator, and the signs that are not operators of the vocabulary. Longer
// spellings stand before their prefixes.
constexpr auto signs = std::to_array<Spelling>({
    {":=", ":="}, {"->", "→"},    {"→", "→"},   {"<=", "≤"},  {">=", "≥"}, {"!=", "≠"}, {"*", "⊙"},
    {"×", "×"},   {"−", "-"},     {"Σ", "sum"}, {"∑", "sum"}, {"(", "("},  {")", ")"},  {"{", "{"},
    {"}", "}"},   {"[", "["},     {"]", "]"},   {",", ","},   {";", ";"},  {":", ":"},  {"||", "‖"},
    {"‖", "‖"},   {"|", "|"},     {"...", "…"}, {"…", "…"},   {".", "."},  {"_", "_"},  {"∈", "∈"},
    {"∞", "∞"},   {"∂/∂", "∂/∂"}, {"∂", "∂"},   {"†", "†"},   {"⊕", "⊕"},  {"∪", "∪"},  {"□", "□"},
    {"∅", "∅"},   {"ℝ", "R"},     {"≈", "≈"},   {"⊤", "⊤"},   {"≡", "≡"},  {"∝", "∝"},  {"⊆", "⊆"},
    {"⊇", "⊇"},   {"⇔", "⇔"},     {"⇒", "⇒"},   {"∼", "~"},
});

// Words that stand between formulas and are no names.
constexpr auto prose = std::to_array<std::string_view>({"if", "otherwise", "odd", "even", "where"});

bool is_digit(char byte) { return byte >= '0' && byte <= '9'; }

bool is_letter(char byte) {
  return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte & 0x80) != 0;
}

std::optional<Spelling> symbol_at(std::string_view rest) {
  for (const Spelling& sign : signs) {
    if (rest.starts_with(sign.written)) return sign;
  }
  for (const Word& word : elementwise_words) {
    if (!word.symbol.empty() && rest.starts_with(word.symbol))
      return Spelling{word.symbol, word.symbol};
  }
  return std::nullopt;
}

std::size_t number_length(std::string_view rest) {
  std::size_t length = 0;
  const auto digits = [&] {
    while (length < rest.size() && is_digit(rest[length])) ++length;
  };
  digits();
  if (length + 1 < rest.size() && rest[length] == '.' && is_digit(rest[length + 1])) {
    ++length;
    digits();
  }
  if (length < rest.size() && rest[length] == 'e') {
    const std::size_t sign = length + 1 < rest.size() && rest[length + 1] == '-' ? 2 : 1;
    if (length + sign < rest.size() && is_digit(rest[length + sign])) {
      length += sign;
      digits();
    }
  }
  return length;
}

/// Letters, digits, single underscores between them, and primes at the end.
std::size_t name_length(std::string_view rest) {
  // Some symbols begin with a byte that a letter might begin with.
  const auto is_part = [&](std::size_t at) {
    return at < rest.size() && (is_digit(rest[at]) || is_letter(rest[at])) &&
           !((rest[at] & 0x80) != 0 && symbol_at(rest.substr(at)));
  };
  std::size_t length = 0;
  while (is_part(length) || (length < rest.size() && rest[length] == '_' && is_part(length + 1))) {
    ++length;
  }
  while (length < rest.size() && rest[length] == '\'') ++length;
  return length;
}

}  // namespace

Tokens tokenize(std::string_view source) {
  Tokens tokens;
  std::size_t at = 0;
  bool line_start = true;
  const auto push = [&](TokenKind kind, std::size_t length, std::string_view text) {
    tokens.push_back({kind, std::string(text), {at, at + length}});
    at += length;
  };
  while (at < source.size()) {
    const std::string_view rest = source.substr(at);
    if (rest[0] == '#') {
      at += std::min(rest.find('\n'), rest.size());
    } else if (rest[0] == '\n') {
      push(TokenKind::newline, 1, "\n");
      line_start = true;
      continue;
    } else if (rest[0] == ' ' || rest[0] == '\t' || rest[0] == '\r') {
      if (line_start) tokens.push_back({TokenKind::indent, "", {at, at + 1}});
      while (at < source.size() && std::string_view(" \t\r").contains(source[at])) ++at;
    } else if (is_digit(rest[0])) {
      const std::size_t length = number_length(rest);
      std::size_t primes = length;
      while (primes < rest.size() && rest[primes] == '\'') ++primes;
      // A primed number is a label: LayerNorm^{1'}.
      push(primes == length ? TokenKind::number : TokenKind::name, primes, rest.substr(0, primes));
    } else if (const auto symbol = symbol_at(rest)) {
      const bool is_name = symbol->canonical == "sum" || symbol->canonical == "R";
      push(is_name ? TokenKind::name : TokenKind::symbol, symbol->written.size(),
           symbol->canonical);
    } else if (is_letter(rest[0])) {
      const std::size_t length = name_length(rest);
      const std::string_view text = rest.substr(0, length);
      // where(X, Y, Z) is a function.
      const bool is_call = text == "where" && rest.substr(length).starts_with('(');
      const bool is_prose = std::ranges::find(prose, text) != prose.end() && !is_call;
      push(is_prose ? TokenKind::word : TokenKind::name, length, text);
    } else {
      throw Error(code("syntax"),
                  fmt::format("the character `{}` has no meaning here", shown(rest.substr(0, 1))),
                  {}, Span{at, at + 1});
    }
    line_start = false;
  }
  tokens.push_back({TokenKind::end, "", {source.size(), source.size()}});
  return tokens;
}

}  // namespace axial::notation
