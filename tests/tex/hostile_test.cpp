// Texts that nobody wrote in good faith. They are read in about linear time and never too deep.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "tex/support.hpp"

namespace axial::tex {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr std::size_t long_size = 1 << 18;

std::string repeated(std::string_view text, std::size_t times) {
  std::string all;
  all.reserve(text.size() * times);
  for (std::size_t i = 0; i < times; ++i) all += text;
  return all;
}

/// Repeats `text` and reads it in both formats; the time is generous since builds
/// with sanitizers run this too.
void expect_quick(std::string_view text, std::string_view before = {},
                  std::string_view after = {}) {
  const std::string all =
      std::string(before) + repeated(text, long_size / text.size()) + std::string(after);
  for (const Format format : {Format::latex, Format::markdown}) {
    const auto start = std::chrono::steady_clock::now();
    Source source;
    read_document(source, "hostile", all, format, {});
    const auto time = std::chrono::steady_clock::now() - start;
    EXPECT_LT(time, std::chrono::seconds(20)) << text;
  }
}

TEST(hostile, a_macro_that_calls_itself_is_a_problem_of_its_formula) {
  const std::string text = outline("\\def\\a{\\a\\a} $\\a$ then $x$");
  EXPECT_THAT(text, HasSubstr("problem macro-limit at 14"));
  EXPECT_THAT(text, HasSubstr("math: x"));
  EXPECT_THAT(outline("\\def\\a{\\a}$\\a$ then $x$"), HasSubstr("macro-limit"));
  EXPECT_THAT(outline("\\def\\a{\\a}\\a then $x$"), HasSubstr("math: x"));
  EXPECT_THAT(outline("\\def\\a{b\\a}\\begin{align}\\a\\end{align} then $x$"),
              HasSubstr("math: x"));
}

TEST(hostile, macros_that_double_are_stopped) {
  std::string text = "\\def\\a#1{#1#1}";
  text += "$" + repeated("\\a{", 60) + "x" + repeated("}", 60) + "$ then $y$";
  EXPECT_THAT(outline(text), HasSubstr("macro-limit"));
  EXPECT_THAT(outline(text), HasSubstr("math: y"));
  std::string bomb = "\\def\\a{xxxxxxxxxx}";
  for (char name = 'b'; name <= 'k'; ++name) {
    bomb += std::string("\\def\\") + name + "{" +
            repeated(std::string("\\") + static_cast<char>(name - 1), 10) + "}";
  }
  EXPECT_THAT(outline(bomb + "$\\k$ $y$"), HasSubstr("macro-limit"));
  EXPECT_THAT(outline(bomb + "\\[\\k\\] $y$"), HasSubstr("math: y"));
}

TEST(hostile, a_document_of_bombs_stops_after_two_million_tokens) {
  const std::string text = outline("\\def\\a{x\\a}" + repeated("$\\a$ ", 100000));
  EXPECT_THAT(text, HasSubstr("the macros of this document expand"));
  EXPECT_LT(text.size(), long_size);
}

TEST(hostile, a_large_argument_many_times_is_not_made) {
  const std::string text =
      "\\def\\a#1{" + repeated("#1", 100000) + "}$\\a{" + repeated("x", 100000) + "}$ then $y$";
  EXPECT_THAT(outline(text), HasSubstr("macro-limit"));
}

TEST(hostile, nesting_has_a_limit) {
  EXPECT_THAT(outline("$" + repeated("{", 10000) + repeated("}", 10000) + "$ $y$"),
              HasSubstr("more than 500 groups"));
  EXPECT_THAT(outline("$" + repeated("{", 400) + "x" + repeated("}", 400) + "$"),
              Not(HasSubstr("problem")));
  EXPECT_THAT(outline(repeated("\\begin{quote}", 10000)), HasSubstr("more than 500 groups"));
  EXPECT_THAT(outline("\\[" + repeated("\\begin{aligned}", 400) + "x" +
                      repeated("\\end{aligned}", 400) + "\\]"),
              Not(HasSubstr("problem")));
}

TEST(hostile, a_byte_that_is_not_utf8_is_told_once) {
  EXPECT_EQ(outline("a\xFF\xFE $\xC3$"),
            "prose: a\n"
            "problem syntax at 1: there is a byte here that is not UTF-8\n"
            "prose: \uFFFD\uFFFD \n"
            "math: \uFFFD\n");
  EXPECT_THAT(outline("a\xFF $x$", Format::markdown), HasSubstr("not UTF-8"));
}

TEST(slow_hostile, long_texts_take_linear_time) {
  for (const std::string_view text : {"x",
                                      "x ",
                                      "{",
                                      "}",
                                      "$",
                                      "$$",
                                      "$ ",
                                      "\\",
                                      "\\a",
                                      "#",
                                      "%",
                                      "%\n",
                                      "\n",
                                      "\n\n",
                                      "~",
                                      "`",
                                      "``",
                                      "` ``` ",
                                      "[",
                                      "]",
                                      "\\[",
                                      "\\(",
                                      "\\\\(",
                                      "\\\\",
                                      "\\begin{",
                                      "\\begin{align}",
                                      "\\end{align}",
                                      "\\begin{verbatim}",
                                      "\\begin{figure}",
                                      "\\begin{quote}",
                                      "\\verb",
                                      "\\verb|",
                                      "\\def",
                                      "\\def\\a",
                                      "\\def\\a{",
                                      "\\def\\a#1.{}\\a",
                                      "\\newcommand",
                                      "\\newcommand{\\a}[",
                                      "\\let",
                                      "\\let\\a\\b",
                                      "\\ndef{\\ax}",
                                      "\\smash[",
                                      "\\left",
                                      "\\text{",
                                      "\\text{$",
                                      "\\section{",
                                      "\\section",
                                      "\\item[",
                                      "\\iffalse",
                                      "\\input{x}",
                                      "\\input",
                                      "\\footnote{",
                                      "\\label{",
                                      "^",
                                      "_",
                                      "&",
                                      "<!--",
                                      "# ",
                                      "```\n",
                                      "~~~math\n",
                                      "- $a",
                                      "$a\n",
                                      "\\kern1",
                                      "\\phantom",
                                      "\\textcolor{",
                                      "{\\gdef\\a{}",
                                      "{\\def\\a{}}",
                                      "$\\a",
                                      "\xFF",
                                      "\xC3\xA9"}) {
    expect_quick(text);
  }
}

TEST(slow_hostile, long_formulas_take_linear_time) {
  for (const std::string_view text : {"x",
                                      "x&",
                                      "\\\\",
                                      "\\smash[",
                                      "\\smash",
                                      "\\phantom",
                                      "~",
                                      "\\left.",
                                      "\\label{a}",
                                      "{}",
                                      "\\text{$x$}",
                                      "\\intertext{a}",
                                      "\\begin{split}x\\end{split}",
                                      "\\begin{split}",
                                      "\\a",
                                      "\\kern",
                                      "[",
                                      "\\\\[",
                                      "\\\\[1",
                                      "\\def\\a{}",
                                      "\\a{",
                                      "\\notag",
                                      "$x"}) {
    expect_quick(text, "$$");
    expect_quick(text, "\\begin{align}", "\\end{align}");
    expect_quick(text, "\\newcommand{\\a}[2][x]{#1#2}\\begin{align}", "\\end{align}");
    expect_quick(text, "\\def\\a#1;{#1}\\[", "\\]");
  }
}

TEST(slow_hostile, notebooks_are_no_trap) {
  for (const std::string& text :
       {repeated("[", long_size), repeated("{\"a\":", long_size / 5), std::string("{"),
        std::string(), std::string("{\"cells\": 3}"),
        std::string("{\"cells\": [3, {}, {\"cell_type\": []}]}"),
        std::string("{\"cells\": [{\"cell_type\": \"markdown\", \"source\": {}}]}"),
        std::string("{\"cells\": [{\"cell_type\": \"markdown\", \"source\": [1, \"$x$\"]}]}")}) {
    Source source;
    read_document(source, "hostile.ipynb", text, Format::notebook, {});
  }
}

}  // namespace
}  // namespace axial::tex
