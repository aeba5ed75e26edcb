// LaTeX documents.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tex/support.hpp"

namespace axial::tex {
namespace {

using testing::HasSubstr;

TEST(latex, reads_the_preamble_for_its_definitions_only) {
  EXPECT_EQ(outline("\\documentclass{article} $no$ \\def\\a{1}\n\\begin{document}$\\a$"
                    "\\end{document} $no$"),
            "math: 1\n");
}

TEST(latex, has_many_ways_to_write_a_formula) {
  EXPECT_EQ(outline("$a$$b$\\(c\\)$$d$$\\[e\\]\\begin{math}f\\end{math}"),
            "math: a\nmath: b\nmath: c\ndisplay: d\ndisplay: e\nmath: f\n");
  for (const std::string name : {"equation", "align*", "gather", "displaymath", "eqnarray*"}) {
    EXPECT_EQ(outline("\\begin{" + name + "}x\\end{" + name + "}"), "display: x\n");
  }
  EXPECT_EQ(outline("\\begin{alignat}{2}a&b\\end{alignat}"), "display: a | b\n");
}

TEST(latex, divides_displays_into_rows_and_cells) {
  EXPECT_EQ(outline("\\begin{align}a&=b\\label{one}\\\\[1ex] &=\\begin{cases}1&2\\\\3&4\\end{cases}"
                    "\\notag\\\\\n\\end{align}"),
            "display: a | = b (one) // | = \\begin{cases} 1 & 2 \\\\ 3 & 4 \\end{cases}\n");
  EXPECT_EQ(
      outline("\\begin{equation}\\begin{split}a&=b\\\\&=c\\end{split},\\label{x}\\end{equation}"),
      "display: a | = b (x) // | = c ,\n");
  EXPECT_EQ(outline("\\begin{multline}a\\\\b\\end{multline}"), "display: a · b\n");
}

TEST(latex, takes_the_text_between_rows_out_of_a_display) {
  EXPECT_EQ(outline("\\begin{align}a\\\\ \\intertext{and $x$ is}b\\end{align}"),
            "display: a\nprose: and \nmath: x\nprose:  is\ndisplay: b\n");
}

TEST(latex, drops_what_only_concerns_the_look) {
  EXPECT_EQ(outline("$\\left.\\bigl(a\\bigr)\\right|\\phantom{x}\\mathopen{}\\textcolor{red}{b}$"),
            "math: \\null_delimiter ( a ) | b\n");
  EXPECT_EQ(outline("$a\\,\\;b\\quad c~d\\mathmakebox[2em][l]{x}\\displaystyle[y]$"),
            "math: a · b \\quad c · d { x } [ y ]\n");
  EXPECT_EQ(outline("$\\begin{array}[b]{@{}c@{}}a\\end{array}\\operatorname*{f}$"),
            "math: \\begin{array} a \\end{array} \\operatorname { f }\n");
}

TEST(latex, keeps_formulas_in_the_text_of_formulas) {
  EXPECT_EQ(outline("$a\\text{ for $x$}$"), "math: a \\text { · f o r · $ x $ }\n");
}

TEST(latex, passes_over_what_is_no_text) {
  EXPECT_EQ(outline("a\\footnote{$x$}\\verb|$|~\\cite[p.]{q}b\\begin{verbatim}$\\end{verbatim}"
                    "\\begin{figure}$y$\\end{figure}\\texttt{$E$}"),
            "prose: a bE\n");
}

TEST(latex, makes_headings_paragraphs_and_environments) {
  EXPECT_EQ(outline("\\section*{On \\emph{one} $x$}\nWords % gone\nmore.\n\n"
                    "\\begin{theorem}[T]It \\textbf{is}.\\end{theorem}"),
            "heading 1: On one x\nprose:  Words more.¶¶\nbegin: theorem\nprose: It is.\n"
            "end: theorem\n");
}

TEST(latex, hears_the_comments_meant_for_us) {
  EXPECT_EQ(outline("a\n% axial: one\nb\\[x\n%axial: two \ny\\]"),
            "prose: a\ndirective: one\nprose:  b\ndirective: two\ndisplay: x · y\n");
}

TEST(latex, goes_on_after_what_is_not_closed) {
  EXPECT_EQ(outline("a $x\n\nb $y$"),
            "prose: a \nproblem syntax at 2: the formula that `$` opens is not closed before the "
            "paragraph ends\nprose: ¶¶b \nmath: y\n");
  EXPECT_THAT(outline("$a_{b$ $y$"), HasSubstr("this `{` is not closed"));
  EXPECT_THAT(outline("$a_{b$ $y$"), HasSubstr("math: y"));
  EXPECT_THAT(outline("\\begin{align}{a\\end{align} $y$"), HasSubstr("problem syntax at 13"));
  EXPECT_THAT(outline("\\begin{align}a \\section{b} $y$"), HasSubstr("heading 1: b"));
  EXPECT_THAT(outline("\\begin{quote}$x\\end{quote} $y$"), HasSubstr("end: quote"));
  EXPECT_THAT(outline("a } b \\end{x} c"), HasSubstr("closes nothing"));
  EXPECT_THAT(outline("\\begin{figure} $x$"), HasSubstr("is not closed"));
}

class Folder : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(testing::TempDir()) /
              ("axial_tex_" + std::to_string(::testing::UnitTest::GetInstance()->random_seed()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  void write(const std::string& name, std::string_view text) const {
    std::ofstream(folder_ / name) << text;
  }
  std::filesystem::path folder_;
};

TEST_F(Folder, holds_the_files_that_a_document_reads) {
  write("part.tex", "b $\\a$");
  write("style.sty", "\\def\\x@y{2}\\newcommand\\a{\\x@y}");
  EXPECT_EQ(outline("\\usepackage{style}\\begin{document}a \\input{part} c\\end{document}",
                    Format::latex, folder_),
            "prose: a b \nmath: 2\nprose:  c\n");
}

TEST_F(Folder, is_not_left_and_has_no_circles) {
  write("loop.tex", "x \\input{loop} y");
  EXPECT_THAT(outline("\\input{loop}", Format::latex, folder_), HasSubstr("reads itself"));
  EXPECT_THAT(outline("\\input{../a}", Format::latex, folder_), HasSubstr("file-access"));
  EXPECT_THAT(outline("\\input{/etc/passwd}", Format::latex, folder_), HasSubstr("file-access"));
  EXPECT_THAT(outline("\\input{none} $x$", Format::latex, folder_), HasSubstr("math: x"));
}

}  // namespace
}  // namespace axial::tex
