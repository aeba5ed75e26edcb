// One fact about documents each: what holds is verified, and its false neighbour is found.
#include <gmock/gmock.h>

#include <algorithm>

#include "document/support.hpp"

namespace axial::document {
namespace {

using ::testing::Contains;

std::vector<std::string> names(const Report& report) {
  std::vector<std::string> all;
  for (const Finding& finding : report.findings) all.push_back(finding.name);
  return all;
}

TEST(scopes, let_the_nearest_declaration_count) {
  const std::string body = R"(\section{One} \[ x \in \reals^{\seq} \]
\section{Two} \[ x \in \reals^{\key} \])";
  EXPECT_TRUE(holds(latex(body + R"(\[ \nsum{\key} (2x) = 2 \nsum{\key} x \])")));
  EXPECT_EQ(codes(latex(body + R"(\[ \nsum{\seq} (2x) = 2 \nsum{\seq} x \])")), "unknown-axis");
}

TEST(scopes, reach_back_to_earlier_sections) {
  EXPECT_TRUE(holds(latex(R"(\section{One} \[ x \in \reals^{\seq} \]
\section{Two} \[ \nsum{\seq} (2x) = 2 \nsum{\seq} x \])")));
}

TEST(scopes, allow_one_name_in_two_displays_with_two_shapes) {
  EXPECT_TRUE(
      holds(latex(display(R"(x &\in \reals^{\seq} \\ y &= \nsum{\seq} x)") + "Something else:\n" +
                  display(R"(x &\in \reals^{\key} \\ z &= \nsum{\key} x)"))));
}

TEST(scopes, forbid_one_name_with_two_shapes_in_one_display) {
  EXPECT_EQ(codes(latex(display(R"(x &\in \reals^{\seq} \\ x &\in \reals^{\key} \\ y &= 2 x)"))),
            "redeclared");
}

TEST(scopes, allow_the_same_declaration_again) {
  EXPECT_TRUE(holds(latex(display(R"(x &\in \reals^{\seq} \\ x &\in \reals^{\seq} \\ y &= 2 x)"))));
}

TEST(scopes, let_definitions_stand_behind_their_use) {
  EXPECT_TRUE(holds(latex(display(R"(y &= 2 x \\ x &= z + 1 \\ z &\in \reals^{\seq} \\
  \nsum{\seq} y &= 2 \nsum{\seq} z + 2 |\seq|)"))));
}

TEST(where, links_a_display_to_the_one_before) {
  const std::string function = display(R"(f \colon \reals^{\seq} &\rightarrow \reals^{\key} \\
  f(x) &= W \ndot{\seq} x)");
  const std::string declaration = display(R"(W &\in \reals^{\seq \times \key})");
  EXPECT_TRUE(holds(latex(function + "where\n" + declaration)));
  EXPECT_TRUE(holds(latex(function + "where\n" + declaration + "The other layer is\n" +
                          display(R"(g \colon \reals^{\key} &\rightarrow \reals^{\val} \\
  g(x) &= W \ndot{\key} x)") +
                          "where\n" + display(R"(W &\in \reals^{\key \times \val})"))));
}

TEST(where, defines_what_belongs_to_a_function) {
  const auto text = [](const std::string& claim) {
    return latex(display(R"(f \colon \reals^{\seq} &\rightarrow \reals \\
  f(x) &= \nsum{\seq} y,\ \text{where} \\
  y &= x \odot x)") +
                 "Then\n" + display(R"(v &\in \reals^{\seq} \\ f(v) &= )" + claim));
  };
  EXPECT_TRUE(holds(text(R"(v \ndot{\seq} v)")));
  EXPECT_EQ(codes(text(R"(\nsum{\seq} v)")), "not-equal");
}

TEST(families, have_one_member_for_each_label) {
  const auto text = [](const std::string& claim) {
    return latex(display(R"(W^l &\in \reals^{\seq} & l &= 1, \ldots, 3 \\
  Y^l &= 2 W^l \\
  \nsum{\seq} Y^2 &= )" + claim));
  };
  EXPECT_TRUE(holds(text(R"(2 \nsum{\seq} W^2)")));
  EXPECT_EQ(codes(text(R"(2 \nsum{\seq} W^1)")), "not-equal");
}

TEST(families, may_have_labels_that_are_words) {
  const auto text = [](const std::string& claim) {
    return latex(display(R"(W^{\text{in}} &\in \reals^{\seq} & W^{\text{out}} &\in \reals^{\key} \\
  y &= )" + claim));
  };
  EXPECT_TRUE(holds(text(R"(\nsum{\seq} W^{\text{in}} + \nsum{\key} W^{\text{out}})")));
  EXPECT_EQ(codes(text(R"(\nsum{\key} W^{\text{in}})")), "unknown-axis");
}

TEST(recurrences, run_through_their_range) {
  const auto text = [](const std::string& claim) {
    return latex(display(R"(x^t &\in \reals^{\hidden} & t &= 1, \ldots, 3 \\
  h^0 &\in \reals^{\hidden} \\
  h^t &= h^{t-1} + x^t & t &= 1, \ldots, 3 \\)" +
                         claim));
  };
  EXPECT_TRUE(holds(text(R"(h^3 - h^0 &= x^1 + x^2 + x^3)")));
  EXPECT_EQ(codes(text(R"(h^3 - h^0 &= x^1 + x^2)")), "not-equal");
  EXPECT_EQ(codes(text(R"(h^3 &= h^0 + x^1 + x^2)")), "not-equal");
}

TEST(recurrences, without_a_start_are_not_errors) {
  const Report report = check_text(latex(display(R"(x^t &\in \reals^{\hidden} \\
  h^t &= h^{t-1} + x^t & t &= 1, \ldots, n)")));
  EXPECT_EQ(report.count(Severity::error), 0) << outline(report);
}

TEST(sizes, are_solved_for) {
  EXPECT_TRUE(holds(latex(display(R"(x &\in \reals^{\layer} & |\key| &= |\layer| / |\heads| \\
  Y &= x_{\layer\rightarrow(\heads, \key)} \\
  \nsum{\heads,\key} Y &= \nsum{\layer} x)"))));
}

TEST(sizes, that_are_said_are_kept_to) {
  const auto text = [](const std::string& claim) {
    return latex(
        display(R"(x &\in \reals^{\seq[n]} & n &= 4 \\ y &= 0x + 1 \\ \nsum{\seq} y &= )" + claim));
  };
  EXPECT_TRUE(holds(text("4")));
  EXPECT_TRUE(holds(text("n")));
  EXPECT_TRUE(holds(text(R"(|\seq|)")));
  EXPECT_EQ(codes(text("5")), "not-equal");
}

TEST(sizes, of_two_axes_may_be_said_to_agree) {
  const std::string rows = R"(A &\in \reals^{\seq \times \seq'} \\
  B &= A + A_{\seq\rightarrow\seq',\seq'\rightarrow\seq})";
  EXPECT_TRUE(holds(latex(display(rows + R"(\\ |\seq| &= |\seq'|)"))));
}

TEST(sizes, that_clash_are_found) {
  EXPECT_EQ(codes(latex(display(R"(x &\in \reals^{\seq[3]} & y &\in \reals^{\seq[4]} \\
  z &= x \ndot{\seq} y)"))),
            "size-clash");
}

TEST(elements, define_a_tensor_position_by_position) {
  const auto text = [](const std::string& claim) {
    return latex(display(R"(x &\in \reals^{\seq[n]} & Y &\in \reals^{\seq[n]} \\
  Y_{\seq(i)} &= x_{\seq(n + 1 - i)} \\
  Y_{\seq(1)} &= )" + claim));
  };
  EXPECT_TRUE(holds(text(R"(x_{\seq(n)})")));
  EXPECT_EQ(codes(text(R"(2 x_{\seq(n)})")), "not-equal");
}

TEST(elements, may_be_told_by_cases) {
  const auto text =
      [](const std::string& claim) {
        return latex(display(R"(|\seq| &= 3 & |\seq'| &= 3 \\
  M &\in \reals^{\seq \times \seq'} \\
  M_{\seq(i), \seq'(j)} &= \begin{cases} 1 & i \leq j \\ 0 & \text{otherwise} \end{cases} \\
  \nsum{\seq,\seq'} M &= )" + claim));
      };
  EXPECT_TRUE(holds(text("6")));
  EXPECT_EQ(codes(text("9")), "not-equal");
}

TEST(functions, are_lifted_over_axes_that_their_body_uses_inside) {
  const auto text = [](const std::string& claim) {
    return latex(display(R"(f \colon \reals^{\seq} &\rightarrow \reals \\
  f(x) &= \nsum{\key} (W \ndot{\seq} x) & W &\in \reals^{\seq \times \key} \\
  X &\in \reals^{\seq \times \key} & y &= f(X) \\
  y_{\key(1)} &= )" + claim));
  };
  EXPECT_TRUE(holds(text(R"(f(X_{\key(1)}))")));
  EXPECT_EQ(codes(text(R"(\nsum{\key} (W \ndot{\seq} X))")), "not-equal");
}

TEST(functions, take_parameters_behind_a_semicolon) {
  const auto text = [](const std::string& claim) {
    return latex(
        display(R"(\text{Linear} \colon \reals^{\seq} &\rightarrow \reals^{\key} \\
  \text{Linear}(x; W, b) &= W \ndot{\seq} x + b \\
  W &\in \reals^{\seq \times \key} & b &\in \reals^{\key})") +
        "For example\n" +
        display(R"(U &\in \reals^{\seq \times \key} & c &\in \reals^{\key} & v &\in \reals^{\seq} \\
  \text{Linear}(v; U, c) - c &= )" +
                claim));
  };
  EXPECT_TRUE(holds(text(R"(U \ndot{\seq} v)")));
  EXPECT_EQ(codes(text(R"(2 U \ndot{\seq} v)")), "not-equal");
}

TEST(functions, may_have_a_formal_axis) {
  const auto text = [](const std::string& claim) {
    return latex(
        display(R"(\nfun{\ax}{total} \colon \reals^{\ax} &\rightarrow \reals \\
  \nfun{\ax}{total} X &= \nsum{\ax} X)") +
        "For example\n" +
        display(R"(A &\in \reals^{\seq \times \key} \\ \nfun{\seq}{total} A &= )" + claim));
  };
  EXPECT_TRUE(holds(text(R"(\nsum{\seq} A)")));
  EXPECT_EQ(codes(text(R"(2 \nsum{\seq} A)")), "not-equal");
}

TEST(functions, are_held_to_their_signature) {
  EXPECT_EQ(codes(latex(display(R"(f \colon \reals^{\seq} &\rightarrow \reals^{\seq} \\
  f(x) &= \nsum{\seq} x)"))),
            "result-axes");
}

TEST(equations, have_all_their_sides_compared) {
  EXPECT_TRUE(holds(latex(display(R"(x &\in \reals^{\seq} \\
  \nsum{\seq} 2x &= 2 \nsum{\seq} x \\ &= \nsum{\seq} (x + x))"))));
  EXPECT_EQ(codes(latex(display(R"(x &\in \reals^{\seq} \\
  \nsum{\seq} 2x &= 2 \nsum{\seq} x \\ &= \nsum{\seq} x)"))),
            "not-equal");
}

TEST(equations, hold_for_every_free_position) {
  EXPECT_TRUE(holds(latex(display(R"(x, y &\in \reals^{\seq} \\
  (x + y)_{\seq(i)} &= x_{\seq(i)} + y_{\seq(i)})"))));
  EXPECT_EQ(codes(latex(display(R"(x, y &\in \reals^{\seq} \\
  (x + y)_{\seq(i)} &= x_{\seq(i)} + 2 y_{\seq(i)})"))),
            "not-equal");
}

TEST(equations, that_restrict_open_tensors_are_conditions) {
  const Report report = check_text(latex(display(R"(p &\in \reals^{\seq} \\ \nsum{\seq} p &= 1)")));
  EXPECT_EQ(codes(report), "") << outline(report);
  EXPECT_EQ(report.count(Status::checked), 2) << outline(report);
  EXPECT_FALSE(report.findings.back().verified) << outline(report);
}

TEST(equations, on_a_name_that_has_a_definition_are_compared_with_it) {
  EXPECT_EQ(codes(latex(display(R"(x &\in \reals^{\seq} \\ y &= 2 x \\ y &= 3 x)"))), "not-equal");
  EXPECT_TRUE(holds(latex(display(R"(x &\in \reals^{\seq} \\ y &= 2 x \\ y &= x + x)"))));
}

TEST(directives, make_a_display_skipped) {
  const Report report = check_text(latex("% axial: ignore\n\\[ 1 = 2 \\]\n"));
  EXPECT_EQ(report.count(Status::skipped), 1) << outline(report);
  EXPECT_EQ(codes(report), "");
}

TEST(directives, hold_for_one_display_only) {
  EXPECT_EQ(codes(latex("% axial: ignore\n\\[ 1 = 2 \\]\n\\[ 1 = 3 \\]\n")), "not-equal");
}

TEST(directives, expect_an_error_and_miss_it_with_a_warning) {
  EXPECT_EQ(codes(latex("% axial: expect-error\n\\[ 1 = 2 \\]\n")), "");
  const Report missed = check_text(latex("% axial: expect-error\n\\[ 1 = 1 \\]\n"));
  EXPECT_EQ(missed.count(Severity::warning), 1) << outline(missed);
  EXPECT_EQ(missed.count(Severity::error), 0) << outline(missed);
}

TEST(directives, declare_what_the_document_leaves_to_the_reader) {
  const std::string claim = R"(\[ \nsum{\seq} (2x) = 2 \nsum{\seq} x \])";
  EXPECT_EQ(check_text(latex(claim)).count(Severity::error), 0);
  EXPECT_TRUE(holds(latex("% axial: assume x : R[seq]\n" + claim)));
  EXPECT_EQ(codes(latex("% axial: assume x : R[key]\n" + claim)), "unknown-axis");
}

TEST(directives, that_cannot_be_read_are_errors) {
  EXPECT_EQ(codes(latex("% axial: assume x : R[\n\\[ 1 = 1 \\]\n")), "syntax");
}

TEST(sentences, with_a_false_equation_are_errors) {
  const std::string declaration = R"(\[ x \in \reals^{\seq} \])";
  EXPECT_EQ(codes(latex(declaration + R"(We know that $\nsum{\seq} (2x) = 2 \nsum{\seq} x$.)")),
            "");
  EXPECT_EQ(codes(latex(declaration + R"(We know that $\nsum{\seq} (2x) = 3 \nsum{\seq} x$.)")),
            "not-equal");
}

TEST(sentences, declare_names) {
  EXPECT_TRUE(holds(latex(R"(Let $x \in \reals^{\seq}$. Then
\[ \nsum{\seq} (2x) = 2 \nsum{\seq} x. \])")));
}

TEST(sentences, may_mention_anything) {
  const Report report =
      check_text(latex(R"(A tensor $A$ with $n = $ many axes, $f(\cdot)$, $\sqrt{}$
and $\nsum{\key}$ is no statement.)"));
  EXPECT_EQ(report.diagnostics.size(), 0U) << outline(report);
}

TEST(formats, include_markdown) {
  const auto text = [](const std::string& claim) {
    return R"(# Title

Let $x \in \mathbb{R}^{\name{seq}}$.

$$
\nsum{\name{seq}} (2x) = )" +
           claim + "\n$$\n";
  };
  EXPECT_TRUE(holds(text(R"(2 \nsum{\name{seq}} x)"), "page.md"));
  EXPECT_EQ(codes(text(R"(3 \nsum{\name{seq}} x)"), "page.md"), "not-equal");
}

TEST(formats, include_notebooks) {
  const std::string notebook = R"({"cells": [
 {"cell_type": "markdown", "metadata": {}, "source": ["$$x \\in \\mathbb{R}^{\\name{seq}}$$\n"]},
 {"cell_type": "code", "metadata": {}, "outputs": [], "source": ["$1 = 2$"]},
 {"cell_type": "markdown", "metadata": {}, "source": "$$\\nsum{\\name{seq}} (2x) = 2 \\nsum{\\name{seq}} x$$"}],
 "metadata": {}, "nbformat": 4, "nbformat_minor": 5})";
  EXPECT_TRUE(holds(notebook, "page.ipynb"));
}

TEST(formats, include_plain_text) {
  EXPECT_TRUE(holds("x : R[seq]\ny = 2 x\nsum_seq y = 2 sum_seq x\n", "page.nt"));
  EXPECT_EQ(codes("x : R[seq]\nsum_seq x = 2 sum_seq x\n", "page.nt"), "not-equal");
  EXPECT_EQ(codes("x : R[seq]\nthis is no formula at all +\n", "page.nt"), "syntax");
}

TEST(findings, name_what_is_declared_and_defined) {
  const Report report = check_text(latex(display(R"(x, y &\in \reals^{\seq} \\
  f \colon \reals^{\seq} &\rightarrow \reals \\ f(x) &= \nsum{\seq} x \\ z &= x + y)")));
  EXPECT_THAT(names(report), ::testing::ElementsAre("x, y", "f", "f", "z"));
}

TEST(findings, have_the_axes_of_the_result_with_their_sizes) {
  const Report report = check_text(latex(display(R"(x &\in \reals^{\seq[n-1] \times \key})")));
  ASSERT_EQ(report.findings.size(), 1U);
  const auto& shape = report.findings[0].shape;
  ASSERT_EQ(shape.size(), 2U);
  EXPECT_EQ(shape[0].first, "key");
  EXPECT_EQ(shape[0].second, std::nullopt);
  EXPECT_EQ(shape[1].first, "seq");
  EXPECT_EQ(shape[1].second, "n - 1");
}

TEST(findings, lie_inside_the_document) {
  const std::string text =
      latex(display(R"(x &\in \reals^{\seq} \\ y &= \nsum{\key} x \\ z &= x)"));
  const Report report = check_text(text);
  for (const Finding& finding : report.findings) {
    EXPECT_LE(finding.span.begin, finding.span.end);
    EXPECT_LE(finding.span.end, text.size());
  }
  ASSERT_EQ(report.diagnostics.size(), 1U) << outline(report);
  const Span place = report.diagnostics[0].span;
  EXPECT_EQ(text.substr(place.begin, place.end - place.begin), "\\nsum{\\key} x");
}

TEST(skipped, is_what_depends_on_an_error) {
  const Report report = check_text(latex(display(R"(x &\in \reals^{\seq} \\
  y &= \nsum{\key} x \\ z &= 2 y)")));
  EXPECT_EQ(report.count(Severity::error), 1) << outline(report);
  EXPECT_EQ(report.count(Status::skipped), 1) << outline(report);
}

TEST(skipped, is_what_is_not_in_the_notation) {
  const Report report =
      check_text(latex("\\[ \\oint_C \\vec{F} \\cdot d\\vec{r} = \\iint_S \\nabla \\times F \\]"));
  EXPECT_EQ(report.count(Severity::error), 0) << outline(report);
  EXPECT_EQ(report.count(Status::checked), 0) << outline(report);
}

TEST(verification, can_be_left_out) {
  const Report report = check_text(latex("\\[ 1 = 2 \\]"), "document.tex", {.verify = false});
  EXPECT_EQ(codes(report), "") << outline(report);
}

TEST(verification, is_the_same_for_the_same_seed) {
  const std::string text =
      latex(display(R"(x &\in \reals^{\seq} \\ \nsum{\seq} x &= 1.5 \nsum{\seq} x)"));
  const auto hint = [&](std::uint64_t seed) {
    return check_text(text, "document.tex", {.seed = seed}).diagnostics.at(0).hint;
  };
  EXPECT_EQ(hint(1), hint(1));
  EXPECT_NE(hint(1), hint(2));
}

}  // namespace
}  // namespace axial::document
