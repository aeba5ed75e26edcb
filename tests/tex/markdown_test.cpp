// Markdown, notebooks, single formulas and places.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tex/support.hpp"

namespace axial::tex {
namespace {

using testing::HasSubstr;

std::string markdown(std::string_view text) { return outline(text, Format::markdown); }

TEST(markdown, tells_formulas_from_prices) {
  EXPECT_EQ(markdown("It is $x$ for $5 and \\$6 or $ 7$."),
            "prose: It is \nmath: x\n"
            "prose:  for $5 and $6 or $ 7$.\n");
  EXPECT_EQ(markdown("$$a$$ \\\\(b\\\\) \\[c\\] $`d`$"),
            "display: a\nmath: b\ndisplay: c\nmath: d\n");
  EXPECT_EQ(markdown("\\begin{align}a&b\\\\c\\end{align}"), "display: a | b // c\n");
}

TEST(markdown, passes_over_code) {
  EXPECT_EQ(markdown("a `$x$` b\n\n```\n$y$\n```\n\n~~~\n$z$\n~~~\n```math\nw\n```\n"),
            "prose: a b¶¶\ndisplay: w\n");
}

TEST(markdown, has_headings_and_comments) {
  EXPECT_EQ(markdown("## Title ##\ntext\n<!-- axial: do -->\n<!-- $x$ -->\nmore"),
            "heading 2: Title\nprose: text \ndirective: do\nprose:  more\n");
}

TEST(markdown, keeps_definitions_to_the_end) {
  EXPECT_EQ(markdown("\\newcommand{\\a}{1} $\\def\\b{2}\\a$\n\n$$\\a\\b$$"),
            "math: 1\ndisplay: 1 2\n");
}

TEST(notebook, reads_its_markdown_cells_and_knows_their_lines) {
  const std::string text = R"({
 "cells": [
  {"cell_type": "markdown", "source": [
    "# Title\n",
    "$\\def\\a{1} x$"
  ]},
  {"cell_type": "code", "source": ["$no$"]},
  {"cell_type": "markdown", "source": "one\n$\\a$"}
 ], "nbformat": 4})";
  Source source;
  const auto segments = read_document(source, "n.ipynb", text, Format::notebook, {});
  EXPECT_EQ(outline(text, Format::notebook), "heading 1: Title\nmath: x\nprose: ¶¶one \nmath: 1\n");
  const auto formulas = all_of<Math>(segments);
  ASSERT_EQ(formulas.size(), 2U);
  EXPECT_EQ(source.place(formulas[0].span.begin).line, 5);
  EXPECT_EQ(source.place(formulas[1].span.begin).line, 8);
  EXPECT_THAT(outline("{", Format::notebook), HasSubstr("bad-file"));
}

TEST(formula, is_read_with_or_without_dollars) {
  EXPECT_EQ(typed(read_formula("A \\ndot{\\name{ax}} \\left(B\\right)")),
            "A · \\ndot { \\name { a x } } · ( B )");
  EXPECT_EQ(typed(read_formula(" $x$ ")), "x");
  EXPECT_EQ(typed(read_formula("\\[x\\]")), "x");
  EXPECT_EQ(read_formula(" $x$ ")[0].span, (Span{2, 3}));
  EXPECT_THROW(read_formula("{x"), Error);
  EXPECT_THROW(read_formula("x}"), Error);
  EXPECT_TRUE(read_formula("").empty());
}

TEST(source, counts_lines_and_characters) {
  Source source;
  EXPECT_EQ(source.add("a", "x\r\nüy"), 0U);
  const std::size_t second = source.add("b", "one\ntwo", {7, 9});
  EXPECT_EQ(source.place(5).line, 2);
  EXPECT_EQ(source.place(5).column, 2);
  EXPECT_EQ(source.line(0), (Span{0, 1}));
  EXPECT_EQ(source.place(second + 5).file, "b");
  EXPECT_EQ(source.place(second + 5).line, 9);
  EXPECT_EQ(source.text({second + 4, second + 7}), "two");
  EXPECT_EQ(source.place(1000).column, 4);
  EXPECT_EQ(source.size(), second + 7);
}

TEST(format, is_told_by_the_name) {
  EXPECT_EQ(format_of("a.md"), Format::markdown);
  EXPECT_EQ(format_of("a.IPYNB"), Format::notebook);
  EXPECT_EQ(format_of("a.tex"), Format::latex);
}

}  // namespace
}  // namespace axial::tex
