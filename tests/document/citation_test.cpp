// Steps that cite a rule: right citations, wrong ones, and those that nothing can be said about.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "document/support.hpp"

namespace axial::document {
namespace {

/// The rules of section 5.2 of the paper with its labels; they end in line 12.
constexpr std::string_view rules = R"(\newcommand{\eqby}[1]{\stackrel{\text{(\ref{#1})}}{=}}
\begin{align}
  \partial (U + V) &= \partial U + \partial V \label{eq:plus_rule} \\
  \partial (U \odot V) &= U \odot \partial V + V \odot \partial U \label{eq:odot_rule} \\
  \partial \left(\frac{U}{V}\right) &= \frac{V \odot \partial U - U \odot \partial V}{V^2} \label{eq:quotient_rule} \\
  \partial \nsum{\ax} U &= \nsum{\ax} \partial U \label{eq:sum_rule} \\
  \partial (U \ndot{\ax} V) &= U \ndot{\ax} \partial V + V \ndot{\ax} \partial U \label{eq:ndot_rule} \\
  \partial (\exp U) &= \exp U \odot \partial U \label{eq:exp_rule} \\
  \partial f(U) &= f'(U) \odot \partial U && f \colon \reals \rightarrow \reals \label{eq:elementwise_rule} \\
  U \odot V &= V \odot U \label{eq:commutes}
\end{align}
)";

/// A document with the paper's rules and with `rows`, the first of them in line 15.
std::string derivation(const std::string& rows) {
  return latex(std::string(rules) + "Let $A, B, X, Y \\in \\reals^{\\ax \\times \\seq}$.\n" +
               display(rows));
}

/// The same without the rules; the first of the rows is in line 4.
std::string alone(const std::string& rows) {
  return latex("Let $A, B, X, Y \\in \\reals^{\\ax \\times \\seq}$.\n" + display(rows));
}

/// What is said about citations, each with its line.
std::string said(const std::string& text) {
  std::string all;
  for (const Diagnostic& diagnostic : check_text(text).diagnostics) {
    if (diagnostic.code->name != "wrong-rule") continue;
    EXPECT_EQ(diagnostic.severity, Severity::warning);
    const auto begin = text.begin() + static_cast<std::ptrdiff_t>(diagnostic.span.begin);
    all +=
        fmt::format("{}{}: {}; {}", all.empty() ? "" : "\n",
                    std::count(text.begin(), begin, '\n') + 1, diagnostic.message, diagnostic.hint);
  }
  return all;
}

TEST(citation, of_the_right_label_is_silent) {
  EXPECT_EQ(said(derivation(R"(\partial (X + Y) &\eqby{eq:plus_rule} \partial X + \partial Y \\
\partial (X \odot Y) &\eqby{eq:odot_rule} X \odot \partial Y + Y \odot \partial X \\
\partial (\exp X) &\eqby{eq:exp_rule} \exp X \odot \partial X \\
\partial (\log X) &\eqby{eq:elementwise_rule} \frac{\partial X}{X} \\
\partial (X \ndot{\ax} Y) &\eqby{eq:ndot_rule} X \ndot{\ax} \partial Y + Y \ndot{\ax} \partial X \\
\partial \nsum{\ax} X &\eqby{eq:sum_rule} \nsum{\ax} \partial X)")),
            "");
}

TEST(citation, of_another_label_names_both_rules_and_the_right_label) {
  EXPECT_EQ(
      said(derivation(
          R"(\partial (X \odot Y) &\eqby{eq:quotient_rule} X \odot \partial Y + Y \odot \partial X)")),
      "15: this step cites the quotient rule, but the product rule gives it; cite "
      "`eq:odot_rule`");
  EXPECT_EQ(
      said(derivation(R"(\partial \nsum{\ax} X &\eqby{eq:plus_rule} \nsum{\ax} \partial X)")),
      "15: this step cites the sum rule, but the summation rule gives it; cite `eq:sum_rule`");
  EXPECT_EQ(
      said(derivation(
          R"(\partial (X \ndot{\ax} Y) &\eqby{eq:odot_rule} X \ndot{\ax} \partial Y + Y \ndot{\ax} \partial X)")),
      "15: this step cites the product rule, but the contraction rule gives it; cite "
      "`eq:ndot_rule`");
  EXPECT_EQ(said(derivation(R"(\partial \exp X &\eqby{eq:odot_rule} \exp X \odot \partial X)")),
            "15: this step cites the product rule, but the elementwise rule (exp) gives it; cite "
            "`eq:exp_rule`");
  EXPECT_EQ(said(derivation(R"(\partial \sin X &\eqby{eq:exp_rule} \cos X \odot \partial X)")),
            "15: this step cites the elementwise rule (exp), but the elementwise rule (sin) gives "
            "it; cite `eq:elementwise_rule`");
}

TEST(citation, is_checked_in_rows_that_continue) {
  EXPECT_EQ(said(derivation(R"(\partial \left(\frac{\exp X}{\nsum{\ax} \exp X}\right)
&\eqby{eq:quotient_rule} \frac{(\nsum{\ax} \exp X) \odot \partial (\exp X) - \exp X \odot \partial (\nsum{\ax} \exp X)}{(\nsum{\ax} \exp X)^2} \\
&\eqby{eq:exp_rule} \frac{(\nsum{\ax} \exp X) \odot \partial (\exp X) - \exp X \odot \nsum{\ax} \partial (\exp X)}{(\nsum{\ax} \exp X)^2} \\
&\eqby{eq:exp_rule} \frac{(\nsum{\ax} \exp X) \odot \exp X \odot \partial X - \exp X \odot \nsum{\ax} (\exp X \odot \partial X)}{(\nsum{\ax} \exp X)^2})")),
            "17: this step cites the elementwise rule (exp), but the summation rule gives it; cite "
            "`eq:sum_rule`");
}

TEST(citation, is_read_from_all_ways_to_write_it) {
  for (const std::string relation :
       {R"(\stackrel{(\ref{eq:plus_rule})}{=})", R"(\overset{\text{\eqref{eq:plus_rule}}}{=})",
        R"(\stackrel{\cref{eq:plus_rule}}{=})", R"(\overset{\text{by the sum rule}}{=})",
        R"(\stackrel{\mathrm{sum\ rule}}{=})", R"(\eqby{eq:plus_rule})"}) {
    EXPECT_EQ(said(derivation(R"(\partial (X \odot Y) &)" + relation +
                              R"( X \odot \partial Y + Y \odot \partial X)")),
              "15: this step cites the sum rule, but the product rule gives it; cite "
              "`eq:odot_rule`")
        << relation;
  }
}

TEST(citation, in_words_needs_no_labels) {
  const auto step = [](const std::string& rule) {
    return said(alone(R"(\partial (X \odot Y) &\stackrel{\text{()" + rule +
                      R"()}}{=} X \odot \partial Y + Y \odot \partial X)"));
  };
  EXPECT_EQ(step("product rule"), "");
  EXPECT_EQ(step("chain rule"), "");
  EXPECT_EQ(step("linearity"), "");
  EXPECT_EQ(step("Leibniz"), "");
  EXPECT_EQ(step("quotient rule"),
            "4: this step cites the quotient rule, but the product rule gives it; cite the product "
            "rule");
  EXPECT_EQ(step("elementwise rule"),
            "4: this step cites the elementwise rule, but the product rule gives it; cite the "
            "product rule");
  EXPECT_EQ(step("differential of softmax"),
            "4: this step cites the differential of softmax, but the product rule gives it; cite "
            "the product rule");
}

TEST(citation, in_words_is_taken_as_people_use_it) {
  EXPECT_EQ(
      said(alone(
          R"(\partial (X \ndot{\ax} Y) &\stackrel{\text{product rule}}{=} X \ndot{\ax} \partial Y + Y \ndot{\ax} \partial X \\
\partial \nsum{\ax} X &\stackrel{\text{sum rule}}{=} \nsum{\ax} \partial X \\
\partial (X \odot X) &\stackrel{\text{elementwise rule}}{=} 2 X \odot \partial X \\
\partial (2 X) &\stackrel{\text{sum rule}}{=} 2 \partial X \\
\partial \frac{X}{2} &\stackrel{\text{product rule}}{=} \frac{\partial X}{2} \\
\partial X^2 &\stackrel{\text{product rule}}{=} 2 X \odot \partial X)")),
      "");
}

TEST(citation, of_one_rule_among_several_is_silent) {
  EXPECT_EQ(said(derivation(R"(\partial (X \odot \exp Y)
&\eqby{eq:exp_rule} X \odot \exp Y \odot \partial Y + \exp Y \odot \partial X \\
\partial (X + Y) + \partial (A \odot B)
&\eqby{eq:odot_rule} \partial X + \partial Y + A \odot \partial B + B \odot \partial A \\
\partial (X \odot Y) &\stackrel{\text{(\ref{eq:plus_rule}, \ref{eq:odot_rule})}}{=} X \odot \partial Y + Y \odot \partial X)")),
            "");
}

TEST(citation, of_an_equation_about_certain_tensors_is_silent) {
  EXPECT_EQ(said(alone(R"(\partial g(X) &= 2 \partial X \label{eq:unknown} \\
\partial (A + B) &= X \odot \partial Y \label{eq:special} \\
\partial \exp X &\stackrel{(\ref{eq:unknown})}{=} \exp X \odot \partial X \\
\partial \exp X &\stackrel{(\ref{eq:special})}{=} \exp X \odot \partial X \\
\partial F(X) &= \nsum{\ax} \partial X && F \colon \reals^{\ax} \rightarrow \reals \label{eq:total} \\
\partial \nsum{\ax} X &\stackrel{(\ref{eq:total})}{=} \nsum{\ax} \partial X \\
\partial h(X) &\stackrel{\text{sum rule}}{=} h(X) \odot \partial X)")),
            "");
}

TEST(citation, of_what_is_no_rule_for_differentials_is_silent) {
  EXPECT_EQ(
      said(derivation(
          R"(\partial (X \odot Y) &\eqby{eq:commutes} X \odot \partial Y + Y \odot \partial X \\
\partial (X \odot Y) &\eqby{eq:nowhere} X \odot \partial Y + Y \odot \partial X \\
\partial (X \odot Y) &\eqby{eq:def_softmax} X \odot \partial Y + Y \odot \partial X \\
\partial (X \odot Y) &\stackrel{(3)}{=} X \odot \partial Y + Y \odot \partial X \\
\partial (X \odot Y) &\stackrel{?}{=} X \odot \partial Y + Y \odot \partial X)")),
      "");
}

TEST(citation, of_a_step_that_works_nothing_out_is_silent) {
  EXPECT_EQ(said(derivation(R"(\partial (X \odot Y) &\eqby{eq:plus_rule} \partial (Y \odot X) \\
\partial (A \odot X) + \partial (A \odot Y) &\eqby{eq:plus_rule} \partial (A \odot X + A \odot Y) \\
\partial (A \odot (X + Y)) &\eqby{eq:plus_rule} \partial (A \odot X) + \partial (A \odot Y) \\
A \odot \partial (\exp X) + B \odot \partial (\exp X) &\eqby{eq:plus_rule} (A + B) \odot \partial (\exp X) \\
\partial (X \ndot{\ax} Y) &\eqby{eq:odot_rule} \nsum{\ax} (X \odot \partial Y + Y \odot \partial X))")),
            "");
}

TEST(citation, of_a_function_counts_if_the_document_has_its_differential) {
  const std::string definition = R"(\partial (\nfun{\ax}{softmax} X)
&= \nfun{\ax}{softmax} X \odot \partial X - \nfun{\ax}{softmax} X \odot (\nfun{\ax}{softmax} X \ndot{\ax} \partial X) \\
&= \nfun{\ax}{softmax} X \odot (\partial X - \nfun{\ax}{softmax} X \ndot{\ax} \partial X) \label{eq:diff_softmax}
\end{align*}
so that
\begin{align*}
)";
  const std::string step =
      R"( \nfun{\seq}{softmax} Y \odot (\partial Y - \nfun{\seq}{softmax} Y \ndot{\seq} \partial Y))";
  const std::string left = R"(\partial (\nfun{\seq}{softmax} Y) &)";
  EXPECT_EQ(said(derivation(definition + left + R"(\eqby{eq:diff_softmax})" + step)), "");
  EXPECT_EQ(said(derivation(definition + left + R"(\eqby{eq:quotient_rule})" + step)),
            "21: this step cites the quotient rule, but the differential of softmax gives it; cite "
            "`eq:diff_softmax`");
  EXPECT_EQ(said(derivation(left + R"(\eqby{eq:quotient_rule})" + step)), "");
  EXPECT_EQ(
      said(derivation(left + R"(\eqby{eq:quotient_rule})" + step + R"(\label{eq:diff_softmax})")),
      "");
}

TEST(citation, of_a_step_with_an_error_is_left_to_the_error) {
  EXPECT_EQ(
      codes(derivation(
          R"(\partial (X \odot Y) &\eqby{eq:quotient_rule} X \odot \partial Y - Y \odot \partial X)")),
      "not-equal");
}

TEST(citation, of_labels_that_stand_twice_is_silent) {
  EXPECT_EQ(said(derivation(R"(\partial (A + B) &= \partial A + \partial B \label{twice} \\
\partial (A - B) &= \partial A - \partial B \label{twice} \\
\partial (X \odot Y) &\eqby{twice} X \odot \partial Y + Y \odot \partial X)")),
            "");
}

TEST(citation, of_a_label_that_cannot_be_read_is_silent) {
  const std::string step =
      R"(\partial (X \odot Y) &\stackrel{(\ref{eq:plus_rule})}{=} X \odot \partial Y + Y \odot \partial X)";
  EXPECT_NE(said(alone(step)), "");
  EXPECT_EQ(said(alone(R"(\partial (U \boxplus V) &= U \label{eq:plus_rule} \\ )" + step)), "");
}

TEST(citation, is_right_everywhere_in_the_paper) {
  const std::filesystem::path paper = AXIAL_SOURCE_DIR "/../shared/paper/named-tensor-notation.tex";
  if (!std::filesystem::exists(paper)) GTEST_SKIP() << "the paper is not here";
  EXPECT_EQ(said(bytes_of(paper)), "");
}

}  // namespace
}  // namespace axial::document
