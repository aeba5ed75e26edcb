// Claims about differentials and derivatives, true and false (section 5 of the paper).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "axial/document/compare.hpp"
#include "axial/notation/parse.hpp"
#include "document/support.hpp"

namespace axial::document {
namespace {

/// A document that declares a few tensors and claims `rows`, the first of them in line 4.
std::string claims(const std::string& rows) {
  return latex(
      "$U, V \\in \\reals^{\\ax \\times \\seq}$, $X, H \\in \\reals^{\\ax}$ and $c, t \\in "
      "\\reals$ "
      "with $f(X) = X \\ndot{\\ax} X$.\n" +
      display(rows));
}

/// The state of the last claim and the reason for it.
std::string last(const std::string& rows) {
  const Report report = check_text(claims(rows));
  if (report.findings.empty()) return "nothing";
  const Finding& finding = report.findings.back();
  return std::string(to_text(finding.status)) + (finding.verified ? ", verified" : "") +
         (finding.reason.empty() ? "" : ": " + finding.reason);
}

/// The codes of errors, each with its line.
std::string errors(const std::string& text) {
  const Report report = check_text(text);
  std::string all;
  for (const Diagnostic& diagnostic : report.diagnostics) {
    if (diagnostic.severity != Severity::error) continue;
    const auto line =
        std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(diagnostic.span.begin),
                   '\n') +
        1;
    all += (all.empty() ? "" : ", ") + std::string(diagnostic.code->name) + " in line " +
           std::to_string(line);
  }
  return all;
}

notation::Tree formula_of(const std::string& text) {
  return notation::parse_formula(text, notation::is_function);
}

struct Rule {
  const char* name;
  const char* right;
  const char* wrong;
};

class Rules : public ::testing::TestWithParam<Rule> {};

TEST_P(Rules, holds_and_its_opposite_does_not) {
  EXPECT_TRUE(holds(claims(GetParam().right)));
  EXPECT_EQ(errors(claims("\\partial c &= \\partial c \\\\\n" + std::string(GetParam().wrong))),
            "not-equal in line 5");
}

INSTANTIATE_TEST_SUITE_P(
    differential, Rules,
    ::testing::Values(
        Rule{"sum", R"(\partial (U + V) &= \partial U + \partial V)",
             R"(\partial (U + V) &= \partial U - \partial V)"},
        Rule{"product", R"(\partial (U \odot V) &= U \odot \partial V + V \odot \partial U)",
             R"(\partial (U \odot V) &= U \odot \partial V - V \odot \partial U)"},
        Rule{
            "quotient",
            R"(\partial \left(\frac{U}{V}\right) &= \frac{V \odot \partial U - U \odot \partial V}{V^2})",
            R"(\partial \left(\frac{U}{V}\right) &= \frac{U \odot \partial V - V \odot \partial U}{V^2})"},
        Rule{"summation", R"(\partial \nsum{\ax} U &= \nsum{\ax} \partial U)",
             R"(\partial \nsum{\ax} U &= \nsum{\ax} \partial V)"},
        Rule{"contraction",
             R"(\partial (U \ndot{\ax} V) &= U \ndot{\ax} \partial V + V \ndot{\ax} \partial U)",
             R"(\partial (U \ndot{\ax} V) &= 2 U \ndot{\ax} \partial V + V \ndot{\ax} \partial U)"},
        Rule{"rename", R"(\partial X_{\ax\rightarrow\ax'} &= [\partial X]_{\ax\rightarrow\ax'})",
             R"(\partial X_{\ax\rightarrow\ax'} &= [\partial H]_{\ax\rightarrow\ax'})"},
        Rule{"elementwise", R"(\partial (\exp U) &= \exp U \odot \partial U)",
             R"(\partial (\exp U) &= U \odot \partial U)"},
        Rule{
            "chain",
            R"(\partial f(U) &= \left.\frac{\partial f(X)}{\partial X^*}\right|_{X=U} \ndot{\ax^*} \partial U_{\ax\rightarrow\ax^*})",
            R"(\partial f(U) &= \left.\frac{\partial f(X)}{\partial X^*}\right|_{X=V} \ndot{\ax^*} \partial U_{\ax\rightarrow\ax^*})"},
        Rule{"identity", R"(\partial X &= I_{\ax,\ax^*} \ndot{\ax^*} \partial X^*)",
             R"(\partial X &= 2 I_{\ax,\ax^*} \ndot{\ax^*} \partial X^*)"},
        Rule{
            "softmax",
            R"(\partial (\nfun{\ax}{softmax} U) &= \nfun{\ax}{softmax} U \odot (\partial U - \nfun{\ax}{softmax} U \ndot{\ax} \partial U))",
            R"(\partial (\nfun{\ax}{softmax} U) &= \nfun{\ax}{softmax} U \odot (\partial U - \nfun{\seq}{softmax} U \ndot{\ax} \partial U))"},
        Rule{
            "softmax_derivative",
            R"(\frac{\partial}{\partial X} \nfun{\ax}{softmax} X &= \nfun{\ax}{softmax} X \odot (I_{\ax,\ax^*} - (\nfun{\ax}{softmax} X)^*))",
            R"(\frac{\partial}{\partial X} \nfun{\ax}{softmax} X &= \nfun{\ax}{softmax} X \odot (I_{\ax,\ax^*} - \nfun{\ax}{softmax} X))"},
        Rule{"increment", R"(\partial f(X; H) &= 2X \ndot{\ax} H)",
             R"(\partial f(X; H) &= X \ndot{\ax} H)"},
        Rule{"increment_of_a_sum", R"(\partial f(X + H; H) &= 2 (X + H) \ndot{\ax} H)",
             R"(\partial f(X + H; H) &= 2 X \ndot{\ax} H)"},
        Rule{"scalar", R"(\frac{\mathrm{d} \sin(c)}{\mathrm{d} c} &= \cos(c))",
             R"(\frac{\mathrm{d} \sin(c)}{\mathrm{d} c} &= -\cos(c))"},
        Rule{"scalar_at_a_tensor",
             R"(\left.\frac{\mathrm{d} \tanh(s)}{\mathrm{d} s}\right|_{s=U} &= 1 - (\tanh U)^2)",
             R"(\left.\frac{\mathrm{d} \tanh(s)}{\mathrm{d} s}\right|_{s=U} &= 1 + (\tanh U)^2)"},
        Rule{"second_differential",
             R"(\partial (\partial (X \odot X)) &= 2 \partial X \odot \partial X)",
             R"(\partial (\partial (X \odot X)) &= \partial X \odot \partial X)"},
        Rule{"constants", R"(\partial (|\ax| \odot X) &= |\ax| \odot \partial X)",
             R"(\partial (|\ax| \odot X) &= 2 |\ax| \odot \partial X)"}),
    [](const auto& rule) { return std::string(rule.param.name); });

TEST(differential, of_a_chain_is_wrong_in_the_step_that_is_wrong) {
  EXPECT_EQ(errors(claims("\\partial (X \\ndot{\\ax} X) \n"
                          "&= X \\ndot{\\ax} \\partial X + \\partial X \\ndot{\\ax} X \\\\\n"
                          "&= 3 X \\ndot{\\ax} \\partial X \\\\\n"
                          "&= 3 \\partial X \\ndot{\\ax} X")),
            "not-equal in line 6");
}

TEST(differential, of_a_defined_tensor_is_that_of_its_definition) {
  EXPECT_TRUE(holds(latex("$X \\in \\reals^{\\ax}$ and $Y = \\exp X$.\n" +
                          display("\\partial Y &= Y \\odot \\partial X"))));
}

TEST(differential, rules_hold_for_symbols_that_nothing_declares) {
  EXPECT_TRUE(
      holds(latex(display("\\partial (A \\ndot{\\ax} B) &= A \\ndot{\\ax} \\partial B + B "
                          "\\ndot{\\ax} \\partial A"))));
  EXPECT_EQ(codes(latex(display("\\partial (A \\odot B) &= A \\odot \\partial B"))), "");
}

TEST(differential, counterexamples_show_increments) {
  const Report report = check_text(claims("\\partial (X \\odot X) &= X \\odot \\partial X"));
  ASSERT_EQ(report.diagnostics.size(), 1U) << outline(report);
  EXPECT_NE(report.diagnostics[0].hint.find("∂X = ["), std::string::npos)
      << report.diagnostics[0].hint;
}

TEST(differential, of_an_open_tensor_may_be_stated) {
  EXPECT_EQ(last("\\partial c &= t \\odot \\partial t"), "checked: a condition on open tensors");
}

TEST(differential, without_a_meaning_is_skipped) {
  EXPECT_EQ(last("\\partial g(X) &= 2 \\partial X"), "skipped: `g` is not declared");
  EXPECT_EQ(last("\\partial f(X) &= D \\ndot{\\ax^*} \\partial X^*"),
            "skipped: `D` is not declared");
  EXPECT_EQ(last("\\frac{\\partial c}{\\partial t} &= 3c"),
            "skipped: what is differentiated is not written in terms of `t`");
  EXPECT_EQ(last("\\partial f(X) &= 2 X \\ndot{\\ax^*} \\partial X^* + \\text{const.}"),
            "skipped: it is not in the notation: a formula is expected here");
}

TEST(differential, agrees_with_finite_differences) {
  const Contents contents = read("p.nt", "X : R[ax, seq]\nW : R[ax]\nY = W .ax X\n", ".");
  const Symbols symbols(contents);
  for (const char* formula :
       {"softmax_ax X", "Y .seq Y", "sum_ax (X / (1 + exp X))", "norm_ax X", "sin Y + W .ax W",
        "max_ax X", "relu X", "X_{ax→ax'} .seq X", "var_seq X"}) {
    const auto tree = formula_of(formula);
    notation::Tree differential{notation::Form::differential, {}, {}, {}, {tree}};
    const auto value = [&](double step) {
      World world(symbols, Draw{});
      Frame frame(world, 2);
      for (const char* name : {"X", "W"}) {
        const auto moved = formula_of(fmt::format("{0} + {1} ∂{0}", name, step));
        frame.bind(name, notation::elaborate(moved, frame));
      }
      // Y is defined by what was moved.
      frame.bind("Y", notation::elaborate(formula_of("W .ax X"), frame));
      return value_of(notation::elaborate(tree, frame));
    };
    World world(symbols, Draw{});
    const Array exact = value_of(notation::elaborate(differential, Frame(world, 2)));
    constexpr double step = 1e-5;
    const Array after = value(step), before = value(-step);
    for (const Record& record : records(exact.shape())) {
      const double slope =
          (after.real(after.offset(record)) - before.real(before.offset(record))) / (2 * step);
      EXPECT_NEAR(exact.real(exact.offset(record)), slope, 1e-6) << formula;
    }
  }
}

TEST(derivative, has_the_axes_that_the_mark_says) {
  EXPECT_TRUE(holds(claims(R"(\frac{\partial f(X)}{\partial X^*} &= 2 X^*)")));
  EXPECT_TRUE(holds(claims(R"(\frac{\partial f(X)}{\partial X^\dagger} &= 2 X^\dagger)")));
  EXPECT_EQ(errors(claims(R"(\frac{\partial f(X)}{\partial X^*} &= 2 X)")),
            "result-axes in line 4");
  EXPECT_EQ(errors(claims(R"(\frac{\partial f(X)}{\partial X^*} &= 2 X^\dagger)")),
            "result-axes in line 4");
}

TEST(derivative, without_a_mark_may_be_a_gradient) {
  EXPECT_TRUE(holds(claims(R"(\frac{\partial f(X)}{\partial X} &= 2 X^*)")));
  EXPECT_TRUE(holds(claims(R"(\frac{\partial f(X)}{\partial X} &= 2 X)")));
  EXPECT_EQ(errors(claims(R"(\frac{\partial f(X)}{\partial X} &= 3 X)")), "not-equal in line 4");
  EXPECT_TRUE(holds(latex("$X \\in \\reals^{\\ax}$ and $L = X \\ndot{\\ax} X$.\n" +
                          display("G &= \\frac{\\partial L}{\\partial X} & G &\\in \\reals^{\\ax} "
                                  "\\\\\nX - G &= -X"))));
}

TEST(derivative, without_a_mark_may_be_a_step_of_a_descent) {
  EXPECT_TRUE(holds(
      latex("$W, X \\in \\reals^{\\ax}$, $\\eta \\in \\reals$ and $L = (W \\ndot{\\ax} X)^2$.\n" +
            display("Z &= W - \\eta \\odot \\frac{\\partial L}{\\partial W}"))));
}

TEST(derivative, by_an_element_is_an_element) {
  EXPECT_TRUE(holds(claims(R"(\frac{\partial f(X)}{\partial X_{\ax(i)}} &= 2 X_{\ax(i)} \\
\left[\frac{\partial f(X)}{\partial X^*}\right]_{\ax^*(i)} &= \frac{\partial f(X)}{\partial X_{\ax(i)}})")));
  EXPECT_EQ(errors(claims(R"(\frac{\partial f(X)}{\partial X_{\ax(i)}} &= X_{\ax(i)})")),
            "not-equal in line 4");
}

TEST(derivative, of_second_order_has_both_marks) {
  const std::string given =
      "$A \\in \\reals^{\\ax \\times \\ax'}$, $x \\in \\reals^{\\ax}$ and $q = x \\ndot{\\ax} A "
      "\\ndot{\\ax'} x_{\\ax\\rightarrow\\ax'}$.\n";
  const std::string hessian = R"(\frac{\partial^2 q}{\partial x^* \, \partial x^\dagger} &= )";
  const std::string half = R"(A_{\ax\rightarrow\ax^*,\ax'\rightarrow\ax^\dagger})";
  const std::string other = R"(A_{\ax'\rightarrow\ax^*,\ax\rightarrow\ax^\dagger})";
  EXPECT_TRUE(holds(latex(given + display(hessian + half + " + " + other))));
  EXPECT_EQ(errors(latex(given + display(hessian + "2 " + half))), "not-equal in line 4");
}

TEST(derivative, of_an_open_tensor_may_be_stated) {
  EXPECT_EQ(last(R"(\frac{\partial f(X)}{\partial X^*} &= H^*)"),
            "checked: a condition on open tensors");
}

const std::string attention =
    "$Q \\in \\reals^{\\key}$, $K \\in \\reals^{\\seq \\times \\key}$, $V \\in \\reals^{\\seq "
    "\\times \\val}$ and $\\alpha = \\nfun{\\seq}{softmax} (Q \\ndot{\\key} K)$.\n";

TEST(derivative, of_attention) {
  const std::string rows = R"(A &= \alpha \ndot{\seq} V \\
\partial A &= \alpha \ndot{\seq} \partial V + V \ndot{\seq} \partial \alpha \\
\frac{\partial}{\partial V^*} A &= \alpha_{\seq\rightarrow\seq^*} \odot I_{\val,\val^*} \\
\frac{\partial}{\partial Q^*} A &= V \ndot{\seq} (\alpha \odot (K_{\key\rightarrow\key^*} - \alpha \ndot{\seq} K_{\key\rightarrow\key^*})) \\
\frac{\partial}{\partial K^*} A &= V \ndot{\seq} (\alpha \odot (Q^* \odot I_{\seq,\seq^*} - \alpha \ndot{\seq} (Q^* \odot I_{\seq,\seq^*}))))";
  EXPECT_TRUE(holds(latex(attention + display(rows))));
}

TEST(derivative, of_attention_with_a_wrong_sign_or_factor) {
  const std::string rows = R"(A &= \alpha \ndot{\seq} V \\
\frac{\partial}{\partial V^*} A &= \alpha_{\seq\rightarrow\seq^*} \odot I_{\seq,\seq^*} \odot I_{\val,\val^*} \\
\frac{\partial}{\partial Q^*} A &= V \ndot{\seq} (\alpha \odot (K_{\key\rightarrow\key^*} + \alpha \ndot{\seq} K_{\key\rightarrow\key^*})) \\
\frac{\partial}{\partial K^*} A &= 2 V \ndot{\seq} (\alpha \odot (Q^* \odot I_{\seq,\seq^*} - \alpha \ndot{\seq} (Q^* \odot I_{\seq,\seq^*}))))";
  EXPECT_EQ(errors(latex(attention + display(rows))),
            "result-axes in line 5, not-equal in line 6, not-equal in line 7");
}

TEST(derivative, of_what_is_known_by_its_differential) {
  const std::string rows = R"(\partial \text{Att}(Q, K, V) &= \partial (\alpha \ndot{\seq} V) \\
\frac{\partial}{\partial V^*} \text{Att}(Q, K, V) &= )";
  EXPECT_TRUE(holds(latex(
      attention + display(rows + R"(\alpha_{\seq\rightarrow\seq^*} \odot I_{\val,\val^*})"))));
  EXPECT_EQ(
      errors(latex(attention +
                   display(rows + R"(2 \alpha_{\seq\rightarrow\seq^*} \odot I_{\val,\val^*})"))),
      "not-equal in line 5");
}

TEST(derivative, decides_between_repairs_of_brackets) {
  const std::string text = latex(
      attention +
      display(
          R"(\frac{\partial}{\partial K^*} (\alpha \ndot{\seq} V) &= V \ndot{\seq} (\alpha \odot (Q^* \odot I_{\seq,\seq^*}) - \alpha \ndot{\seq} (Q^* \odot I_{\seq,\seq^*}))))"));
  const Report report = check_text(text);
  ASSERT_EQ(codes(report), "unbalanced") << outline(report);
  EXPECT_EQ(report.diagnostics[0].hint,
            "perhaps `∂(α .seq V)/∂K^* = V .seq (α ⊙ (Q^* ⊙ I_{seq, seq*} - α .seq (Q^* ⊙ I_{seq, "
            "seq*})))` (with this the equation holds)");
}

TEST(derivative, of_high_order_ends) {
  std::string order = "\\exp(\\sin(c) \\odot \\exp(c))";
  for (int k = 0; k < 30; ++k) order = "\\frac{\\mathrm{d}}{\\mathrm{d} c} (" + order + ")";
  EXPECT_EQ(codes(claims(order + " &= 1")), "");
}

}  // namespace
}  // namespace axial::document
