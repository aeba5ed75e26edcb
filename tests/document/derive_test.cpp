// Derivatives of formulas as `axial diff` prints them: what it prints is a claim that `axial check`
// verifies, and its steps say something.
#include "axial/document/derive.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "axial/notation/print.hpp"
#include "document/support.hpp"

namespace axial::document {
namespace {

using notation::to_latex;
using notation::to_text;

struct Case {
  std::string_view formula, variable, declarations;
  int order = 1;
};

// clang-format off
const Case gallery[] = {
    // Every phrase of the prelude that varies.
    {"mean_ax X", "X", "X ∈ R[ax]"},
    {"var_ax X", "X", "X ∈ R[ax]", 2},
    {"norm_ax X", "X", "X ∈ R[ax]", 2},
    {"norm_p_ax(X, p)", "X", "X ∈ R[ax]\np ∈ R"},
    {"norm_p_ax(X, p)", "p", "X ∈ R[ax]\np ∈ R"},
    {"softmax_ax X", "X", "X ∈ R[ax]", 2},
    {"log_softmax_ax X", "X", "X ∈ R[ax]"},
    {"standardize_ax(X, ε)", "X", "X ∈ R[ax]\nε ∈ R"},
    {"standardize_{a, b}(X, ε) ⊙ γ", "X", "X ∈ R[a, b, c]\nε ∈ R\nγ ∈ R[a]"},
    {"cross_entropy_ax(X, P)", "X", "X ∈ R[ax]\nP ∈ R[ax]", 2},
    {"cross_entropy_ax(X, softmax_ax X)", "X", "X ∈ R[ax]"},
    {"softplus X", "X", "X ∈ R[ax]", 2},
    {"silu X", "X", "X ∈ R[ax]", 2},
    {"gelu X", "X", "X ∈ R[ax]", 2},
    // Functions of section 4 of the paper.
    {"sigmoid(W .in x + b)", "W", "W ∈ R[out, in]\nx ∈ R[in]\nb ∈ R[out]"},
    {"softmax_seq((Q .key K) / sqrt(|key|)) .seq V", "K", "Q ∈ R[seq', key]\nK ∈ R[seq, key]\nV ∈ R[seq, val]"},
    {"W .{c, k} unroll_{s, k}(X)", "X", "W ∈ R[d, c, k]\nX ∈ R[c, s]\n|k| = 2\n|s| = 5"},
    {"max_k pool_{s, k}(X)", "X", "X ∈ R[s]\n|k| = 2\n|s| = 6"},
    {"v .h relu(W .in x + b)", "W", "W ∈ R[h, in]\nx ∈ R[in]\nb ∈ R[h]\nv ∈ R[h]"},
    {"sum_batch log(1 + exp(-y ⊙ (X .f w)))", "w", "X ∈ R[batch, f]\ny ∈ R[batch]\nw ∈ R[f]", 2},
};
// clang-format on

Derived derived(const Case& tested) {
  const Contents contents = read("document.nt", std::string(tested.declarations) + "\n", ".");
  return derive(contents, std::string(tested.formula), std::string(tested.variable), tested.order,
                {});
}

class Derivatives : public ::testing::TestWithParam<Case> {};

TEST_P(Derivatives, are_verified_when_they_are_checked) {
  const Derived result = derived(GetParam());
  std::string text = std::string(GetParam().declarations) + "\n";
  for (auto part = result.where.rbegin(); part != result.where.rend(); ++part) {
    text += fmt::format("{} = {}\n", to_text(part->first), to_text(part->second));
  }
  text += fmt::format("{} = {}\n", to_text(result.subject), to_text(result.abbreviated));
  const Report report = check_text(text, "claim.nt");
  EXPECT_TRUE(report.diagnostics.empty()) << text;
  EXPECT_TRUE(report.findings.back().verified) << text;
}

TEST_P(Derivatives, have_steps_that_differ_and_have_reasons) {
  for (const DerivedSteps& row : derived(GetParam()).derivations) {
    for (std::size_t k = 1; k < row.steps.size(); ++k) {
      EXPECT_NE(to_text(row.steps[k].expression), to_text(row.steps[k - 1].expression));
      EXPECT_TRUE(!row.steps[k].rule.empty() || !row.steps[k].where.empty());
    }
  }
}

INSTANTIATE_TEST_SUITE_P(derive, Derivatives, ::testing::ValuesIn(gallery), [](const auto& tested) {
  return "formula" + std::to_string(tested.index);
});

TEST(derive, says_the_sizes_that_the_document_says) {
  using Sizes = std::vector<std::pair<std::string, std::optional<std::string>>>;
  EXPECT_EQ(derived({"A .a X", "X", "A ∈ R[a[n], b[5]]\nX ∈ R[a, c]"}).shape,
            (Sizes{{"a*", "n"}, {"b", "5"}, {"c", {}}, {"c*", {}}}));
}

TEST(derive, introduces_names_behind_the_first_line) {
  const Derived result = derived(
      {"softmax_seq(Q .key K) .seq V", "Q", "Q ∈ R[key]\nK ∈ R[seq, key]\nV ∈ R[seq, val]"});
  const std::vector<DerivedStep>& steps = result.derivations[1].steps;
  EXPECT_EQ(to_text(steps[0].expression), "∂(softmax_seq(Q .key K) .seq V)");
  EXPECT_EQ(to_text(steps[1].expression), "∂(α .seq V)");
  ASSERT_EQ(steps[1].where.size(), 1);
  EXPECT_EQ(to_text(steps[1].where[0].second), "softmax_seq(Q .key K)");
}

TEST(derive, writes_marks_and_powers_so_that_tex_takes_them) {
  const Derived result = derived({"sum_ax X^4", "X", "X ∈ R[ax]"});
  EXPECT_EQ(to_latex(result.derivative), "4 (X^3)^*");
}

}  // namespace
}  // namespace axial::document
