// Letters that TeX writes as commands: \alpha is α.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace axial::notation {

/// A letter and the name of the command for it, without its backslash.
struct Letter {
  std::string_view command;
  std::string_view letter;
};

// The first command for a letter is the one that is printed.
inline constexpr auto letters = std::to_array<Letter>({
    {"alpha", "α"},    {"beta", "β"},    {"gamma", "γ"}, {"delta", "δ"},  {"epsilon", "ε"},
    {"zeta", "ζ"},     {"eta", "η"},     {"theta", "θ"}, {"iota", "ι"},   {"kappa", "κ"},
    {"lambda", "λ"},   {"mu", "μ"},      {"nu", "ν"},    {"xi", "ξ"},     {"omicron", "ο"},
    {"pi", "π"},       {"rho", "ρ"},     {"sigma", "σ"}, {"tau", "τ"},    {"upsilon", "υ"},
    {"phi", "φ"},      {"chi", "χ"},     {"psi", "ψ"},   {"omega", "ω"},  {"varepsilon", "ε"},
    {"vartheta", "ϑ"}, {"varphi", "φ"},  {"varpi", "ϖ"}, {"varrho", "ϱ"}, {"varsigma", "ς"},
    {"varkappa", "ϰ"}, {"digamma", "ϝ"}, {"Gamma", "Γ"}, {"Delta", "Δ"},  {"Theta", "Θ"},
    {"Lambda", "Λ"},   {"Xi", "Ξ"},      {"Pi", "Π"},    {"Sigma", "Σ"},  {"Upsilon", "Υ"},
    {"Phi", "Φ"},      {"Psi", "Ψ"},     {"Omega", "Ω"}, {"ell", "ℓ"},
});

/// The letter of a command such as `alpha`, or nothing.
constexpr std::string_view letter_of(std::string_view command) {
  const auto found = std::ranges::find(letters, command, &Letter::command);
  return found == letters.end() ? std::string_view{} : found->letter;
}

/// The command for a letter such as `α`, or nothing.
constexpr std::string_view command_of(std::string_view letter) {
  const auto found = std::ranges::find(letters, letter, &Letter::letter);
  return found == letters.end() ? std::string_view{} : found->command;
}

}  // namespace axial::notation
