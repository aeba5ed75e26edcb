// The rules that derivations cite, in one table.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace axial::calculus {

/// A rule by name, what it states in plain text, and its label in the paper, if it has one there.
struct Rule {
  std::string_view name;
  std::string_view statement;
  std::string_view label = "";
};

// clang-format off
inline constexpr auto rules = std::to_array<Rule>({
    // Differentials.
    {"sum rule", "∂(U + V) = ∂U + ∂V", "plus_rule"},
    {"product rule", "∂(U ⊙ V) = U ⊙ ∂V + V ⊙ ∂U", "odot_rule"},
    {"quotient rule", "∂(U / V) = (V ⊙ ∂U - U ⊙ ∂V) / V^2", "quotient_rule"},
    {"summation rule", "∂(sum_ax U) = sum_ax ∂U", "sum_rule"},
    {"contraction rule", "∂(U .ax V) = U .ax ∂V + V .ax ∂U", "ndot_rule"},
    {"indexing rule", "∂(U_{ax(i)}) = [∂U]_{ax(i)}"},
    {"renaming rule", "∂(U_{ax -> ax'}) = [∂U]_{ax -> ax'}", "renaming_rule"},
    {"elementwise rule", "∂f(U) = f'(U) ⊙ ∂U", "elementwise_rule"},
    {"reduction rule", "∂(max_ax U) = argmax_ax U .ax ∂U, and so for other reductions"},
    {"linearity", "∂f(U) = f(∂U) for a linear function f"},
    {"chain rule", "∂f(U) = f'(U) .S* ∂U*", "chain_rule"},
    {"differential", "∂f(U) by the differential of f, which is derived by itself", "chain_rule"},
    {"recurrence rule", "∂s^t = ∂f(s^{t-1}, x^t), the differential of a step, step by step"},
    {"piecewise constant", "∂f(U) = 0 where f does not change"},
    // Rewriting.
    {"definition", "a name stands for what defines it"},
    {"algebra", "like terms and factors are united; sum_ax (U ⊙ V) = U .ax V", "ndot_as_nsum"},
    {"distributive law", "A ⊙ B + A ⊙ C = A ⊙ (B + C)"},
    {"identity", "∂X = I_{S, S*} .S* ∂X*", "unrename_as_id"},
    {"associativity", "A .ax (B .S* C) = (A .ax B) .S* C", "ndot_assoc"},
    {"renaming by identity", "I_{ax, ax'} .ax A = A_{ax -> ax'}", "rename_as_id"},
    {"identification", "∂Y = D .S* ∂X* + const. if and only if D is the derivative", "thm:identification"},
});
// clang-format on

/// The rule called `name`, or null.
constexpr const Rule* find_rule(std::string_view name) {
  const auto found = std::ranges::find(rules, name, &Rule::name);
  return found == rules.end() ? nullptr : &*found;
}

/// The rule called `name`; a misspelt name does not compile.
consteval const Rule& rule(std::string_view name) {
  const auto found = std::ranges::find(rules, name, &Rule::name);
  if (found != rules.end()) return *found;
  throw "no rule has this name";
}

}  // namespace axial::calculus
