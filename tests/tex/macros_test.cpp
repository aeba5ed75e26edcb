// Definitions and what calls of them become.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tex/support.hpp"

namespace axial::tex {
namespace {

using testing::HasSubstr;

TEST(macros, take_arguments) {
  EXPECT_EQ(outline("\\newcommand{\\f}[2]{#2/#1}$\\f{a}b$"), "math: b / a\n");
  EXPECT_EQ(outline("\\newcommand*\\f[1]{#1#1}$\\f x$"), "math: x x\n");
}

TEST(macros, take_a_default_for_the_first_argument) {
  EXPECT_EQ(outline("\\newcommand{\\f}[2][d]{#1:#2}$\\f{a},\\f[b]{c}$"), "math: d : a , b : c\n");
}

TEST(macros, are_renewed_but_not_provided_twice) {
  EXPECT_EQ(outline("\\newcommand\\a{1}\\renewcommand\\a{2}\\providecommand\\a{3}$\\a$"),
            "math: 2\n");
}

TEST(macros, have_delimited_parameters) {
  EXPECT_EQ(outline("\\def\\f#1,#2.{#2 #1}$\\f ab,c.d$"), "math: c · a b d\n");
}

TEST(macros, end_with_their_group) {
  EXPECT_EQ(outline("{\\def\\a{1}$\\a$}$\\a$"), "math: 1\nmath: \\a\n");
  EXPECT_EQ(outline("{\\gdef\\a{1}}$\\a$"), "math: 1\n");
  EXPECT_EQ(outline("$\\def\\a{1}\\a$ $\\a$"), "math: 1\nmath: \\a\n");
  EXPECT_EQ(outline("\\begin{quote}\\def\\a{1}\\end{quote}$\\a$"),
            "begin: quote\nend: quote\nmath: \\a\n");
}

TEST(macros, of_axes_and_operators_are_applications) {
  EXPECT_EQ(outline("\\ndef{\\ax}{ax}\\DeclareMathOperator*{\\softmax}{softmax}$\\softmax\\ax$"),
            "math: \\operatorname { s o f t m a x } \\name { a x }\n");
}

TEST(macros, of_the_style_stay_what_they_are) {
  EXPECT_EQ(outline("\\newcommand{\\name}[1]{\\mathsf{#1}}\\def\\ndot#1{x}"
                    "\\let\\name\\undefined$\\name{a}\\ndot{b}$"),
            "math: \\name { a } \\ndot { b }\n");
}

TEST(macros, may_be_other_names_of_commands) {
  EXPECT_EQ(outline("\\let\\old\\frac\\renewcommand{\\frac}[2]{\\old{#2}{#1}}$\\frac12$"),
            "math: \\frac { 2 } { 1 }\n");
  EXPECT_EQ(outline("\\def\\a{1}\\let\\b=\\a\\def\\a{2}$\\b$"), "math: 1\n");
}

TEST(macros, may_define_macros) {
  EXPECT_EQ(outline("\\newcommand{\\make}[1]{\\def\\a##1{#1##1}}\\make{x}$\\a y$"), "math: x y\n");
}

TEST(macros, may_make_rows_and_cells) {
  EXPECT_EQ(outline("\\newcommand{\\nl}{\\\\&}\\begin{align}a\\nl b\\end{align}"),
            "display: a // | b\n");
}

TEST(macros, may_open_and_close_displays) {
  EXPECT_EQ(outline("\\def\\be{\\begin{equation}}\\def\\ee{\\end{equation}}\\be x\\ee"),
            "display: x\n");
  EXPECT_EQ(outline("\\newenvironment{eq}{\\begin{equation}}{\\end{equation}}"
                    "\\begin{eq}x\\end{eq}y"),
            "display: x\nprose: y\n");
}

TEST(macros, in_a_display_take_effect_and_leave_nothing) {
  EXPECT_EQ(outline("\\[\\def\\a{b}\\a\\]"), "display: b\n");
}

TEST(macros, tell_where_they_were_called) {
  Source source;
  const std::string text = "\\newcommand{\\f}[1]{(#1)}$\\f{x}$";
  const auto segments = read_document(source, "a.tex", text, Format::latex, {});
  const auto formulas = all_of<Math>(segments);
  ASSERT_EQ(formulas.size(), 1U);
  const Cell& cell = formulas[0].rows[0].cells[0];
  ASSERT_EQ(cell.tokens.size(), 3U);
  EXPECT_EQ(source.text(cell.tokens[0].span), "\\f");
  EXPECT_EQ(source.text(cell.tokens[1].span), "x");
  EXPECT_EQ(source.text(cell.tokens[2].span), "\\f");
  EXPECT_EQ(source.text(formulas[0].span), "$\\f{x}$");
}

TEST(macros, with_too_few_arguments_are_problems) {
  EXPECT_THAT(outline("\\newcommand{\\f}[2]{#1#2}$\\f{a}$ and $y$"),
              HasSubstr("too few arguments"));
  EXPECT_THAT(outline("\\newcommand{\\f}[2]{#1#2}$\\f{a}$ and $y$"), HasSubstr("math: y"));
}

}  // namespace
}  // namespace axial::tex
