// Documents that nobody wrote in good faith: checking them ends, and only reading them may fail,
// with an Error.
#include <gtest/gtest.h>

#include <chrono>

#include "axial/document/format.hpp"
#include "document/support.hpp"
#include "support/generator.hpp"

namespace axial::document {
namespace {

using support::for_each_seed;
using support::Generator;

constexpr CheckOptions types_only{.verify = false, .trials = 1};

/// Reads and checks a text. An Error may come from reading alone; every place must lie in the text.
void survive(const std::string& text, const std::string& file) {
  SCOPED_TRACE(file + ": " +
               (text.size() < 2'000 ? ::testing::PrintToString(text) : "a long text"));
  std::optional<Contents> contents;
  try {
    contents = read(file, text, "/nowhere");
  } catch (const Error&) {
    return;
  }
  Report report;
  ASSERT_NO_THROW(report = check(*contents, types_only));
  for (const Diagnostic& diagnostic : report.diagnostics) {
    ASSERT_LE(diagnostic.span.begin, diagnostic.span.end) << diagnostic.message;
    ASSERT_LE(diagnostic.span.end, contents->source.size()) << diagnostic.message;
  }
}

/// The same, within a time that is generous since builds with sanitizers run this too.
void survive_quickly(const std::string& text, const std::string& file) {
  const auto start = std::chrono::steady_clock::now();
  survive(text, file);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(120))
      << file << ": " << text.substr(0, 200);
}

std::string repeated(std::string_view text, std::size_t times) {
  std::string all;
  for (std::size_t k = 0; k < times; ++k) all += text;
  return all;
}

const std::vector<std::string> files{"hostile.tex", "hostile.md", "hostile.ipynb", "hostile.nt"};

const std::vector<std::string> latex_words{"x",
                                           "y",
                                           "X",
                                           "W",
                                           "f",
                                           "n",
                                           "t",
                                           "i",
                                           "1",
                                           "2",
                                           "0.5",
                                           "\\name{seq}",
                                           "\\name{key}",
                                           "\\name{seq}'",
                                           "\\nsum{\\name{seq}}",
                                           "\\ndot{\\name{key}}",
                                           "\\ndot{\\name{seq},\\name{key}}",
                                           "\\nfun{\\name{seq}}{softmax}",
                                           "\\nfun{\\name{seq},\\name{key}}{unroll}",
                                           "\\mathbb{R}",
                                           "\\mathbb{R}^{\\name{seq} \\times \\name{key}}",
                                           "^{\\name{seq}[n]}",
                                           "\\in",
                                           "\\times",
                                           "\\rightarrow",
                                           "\\colon",
                                           "=",
                                           "&=",
                                           "\\\\",
                                           "&",
                                           "+",
                                           "-",
                                           "/",
                                           "\\odot",
                                           "\\frac{x}{y}",
                                           "\\frac",
                                           "\\sqrt",
                                           "\\sqrt{x}",
                                           "(",
                                           ")",
                                           "[",
                                           "]",
                                           "\\{",
                                           "\\}",
                                           "{",
                                           "}",
                                           "|",
                                           "|\\name{seq}|",
                                           "\\|",
                                           "_",
                                           "^",
                                           "_{\\name{seq}(i)}",
                                           "_{\\name{seq}\\rightarrow\\name{key}}",
                                           "_{\\name{seq}(1)}",
                                           "^t",
                                           "^{t-1}",
                                           "^{t+1}",
                                           "^n",
                                           "_i",
                                           "\\ldots",
                                           ",",
                                           ";",
                                           ".",
                                           "\\exp",
                                           "\\tanh",
                                           "\\sum_{i=1}^n",
                                           "\\sum_i",
                                           "\\lim_{n \\rightarrow \\infty}",
                                           "\\infty",
                                           "\\begin{cases}",
                                           "\\end{cases}",
                                           "\\begin{bmatrix}",
                                           "\\end{bmatrix}",
                                           "\\text{Attention}",
                                           "\\text{where}",
                                           "\\text{if}",
                                           "\\text{otherwise}",
                                           "\\left(",
                                           "\\right)",
                                           "\\left.",
                                           "\\right|",
                                           "\\partial",
                                           "\\frac{\\partial Y}{\\partial X}",
                                           "\\quad",
                                           "\\leq",
                                           "<",
                                           "\\ncat{\\name{seq}}",
                                           "\\nmov{a}{b}",
                                           "t = 1, \\ldots, n",
                                           "x^0 = 1",
                                           "x^t = x^{t-1} + 1",
                                           "x = x",
                                           "x \\in \\mathbb{R}^{\\name{seq}}",
                                           "f(x) = x",
                                           "f(x) = f(x)",
                                           "f \\colon \\mathbb{R} \\rightarrow \\mathbb{R}",
                                           "|\\name{seq}| = |\\name{key}|",
                                           "n = n + 1",
                                           "|\\name{seq}| = 2 |\\name{seq}|",
                                           "X^*",
                                           "X^\\top",
                                           "I_{\\name{seq},\\name{key}}",
                                           "x_{\\name{seq}(i)} = x_{\\name{seq}(i-1)}",
                                           "\\mathbf{x}",
                                           "\\epsilon",
                                           "\\epsilon > 0",
                                           "99999999999999999999",
                                           "1e300"};

const std::vector<std::string> latex_frames{"\\[",
                                            "\\]",
                                            "$",
                                            "\n\n",
                                            "\\begin{align*}",
                                            "\\end{align*}",
                                            "where",
                                            "\\section{A}",
                                            "% axial: expect-error\n",
                                            "% axial: assume x : R[seq]\n",
                                            "\\def\\a{\\b}",
                                            "\\a",
                                            "\\newcommand{\\b}[1]{#1#1}"};

const std::vector<std::string> plain_words{"x",
                                           "y",
                                           "X",
                                           "W^l",
                                           "f",
                                           "n",
                                           "1",
                                           "2",
                                           "0.5",
                                           "seq",
                                           "key",
                                           "R[seq]",
                                           "R[seq, key[n]]",
                                           "R",
                                           "[n]",
                                           "∈",
                                           ":",
                                           "->",
                                           "→",
                                           "×",
                                           "=",
                                           ":=",
                                           "+",
                                           "-",
                                           "/",
                                           "⊙",
                                           "*",
                                           "^",
                                           "_",
                                           "_{seq(i)}",
                                           "_{seq -> key}",
                                           "sum_seq",
                                           "softmax_seq",
                                           "max_{seq, key}",
                                           ".seq",
                                           ".{seq, key}",
                                           "⊕_seq",
                                           "(",
                                           ")",
                                           "[",
                                           "]",
                                           "{",
                                           "}",
                                           "|",
                                           "|seq|",
                                           ",",
                                           ";",
                                           "[[1, 2], [3, 4]]_{seq, key}",
                                           "I_{seq, key}",
                                           "cases {1 if i < j; 0 otherwise}",
                                           "∂",
                                           "∂y/∂x",
                                           "∞",
                                           "…",
                                           "t = 1, …, n",
                                           "f(x) = x",
                                           "f(x) = f(x)",
                                           "f : R -> R",
                                           "x : R[seq]",
                                           "x = x",
                                           "n = n + 1",
                                           "h^t = h^{t-1}",
                                           "where",
                                           "if",
                                           "otherwise",
                                           "‖x‖",
                                           "\n",
                                           "\n\n",
                                           "  ",
                                           "# c\n",
                                           "x_{seq(i)} = x_{seq(i-1)}",
                                           "sum_{i ∈ [n]}",
                                           "lim_{n → ∞}",
                                           "X^*",
                                           "X^†",
                                           "exp",
                                           "-",
                                           "|seq| = 2 |seq|",
                                           "ε > 0",
                                           "1e300",
                                           "99999999999999999999"};

std::string soup(Generator& generator, const std::vector<std::string>& words, std::int64_t most) {
  std::string text;
  const std::int64_t count = generator.integer(0, most);
  for (std::int64_t k = 0; k < count; ++k) {
    text += generator.pick(words);
    if (generator.chance(0.7)) text += ' ';
  }
  return text;
}

TEST(slow_hostile, random_bytes_are_survived) {
  for_each_seed(2'000, [](Generator& generator) {
    std::string text;
    const std::int64_t count = generator.integer(0, 200);
    for (std::int64_t k = 0; k < count; ++k) {
      text += static_cast<char>(
          generator.integer(generator.chance(0.8) ? 32 : 0, generator.chance(0.8) ? 126 : 255));
    }
    survive(text, generator.pick(files));
  });
}

TEST(slow_hostile, random_latex_is_survived) {
  for_each_seed(3'000, [](Generator& generator) {
    std::string text;
    const std::int64_t displays = generator.integer(1, 4);
    for (std::int64_t k = 0; k < displays; ++k) {
      text += "\\begin{align*}" + soup(generator, latex_words, 25) + "\\end{align*}\n";
      if (generator.chance(0.3)) text += soup(generator, latex_frames, 3);
    }
    survive(text, "hostile.tex");
  });
}

TEST(slow_hostile, random_frames_around_random_latex_are_survived) {
  for_each_seed(1'000, [](Generator& generator) {
    std::string text;
    const std::int64_t parts = generator.integer(1, 12);
    for (std::int64_t k = 0; k < parts; ++k) {
      text += generator.pick(latex_frames) + soup(generator, latex_words, 6);
    }
    survive(text, generator.chance(0.7) ? "hostile.tex" : "hostile.md");
  });
}

TEST(slow_hostile, random_plain_text_is_survived) {
  for_each_seed(3'000, [](Generator& generator) {
    std::string text;
    const std::int64_t lines = generator.integer(1, 5);
    for (std::int64_t k = 0; k < lines; ++k) text += soup(generator, plain_words, 12) + "\n";
    survive(text, "hostile.nt");
  });
}

class HostileGallery : public ::testing::TestWithParam<std::filesystem::path> {};

TEST_P(HostileGallery, is_survived_when_it_is_cut_off) {
  const std::string text = bytes_of(GetParam());
  const std::string plain = as_plain_text(read_file(GetParam()));
  for_each_seed(50, [&](Generator& generator) {
    survive(text.substr(0, generator.integer(0, std::ssize(text))), "hostile.tex");
    survive(plain.substr(0, generator.integer(0, std::ssize(plain))), "hostile.nt");
  });
}

TEST_P(HostileGallery, is_survived_when_a_byte_is_changed) {
  const std::string text = bytes_of(GetParam());
  const std::string plain = as_plain_text(read_file(GetParam()));
  const auto changed = [](std::string source, Generator& generator) {
    const auto at = static_cast<std::size_t>(generator.integer(0, std::ssize(source) - 1));
    switch (generator.integer(0, 3)) {
      case 0: source[at] = static_cast<char>(generator.integer(0, 255)); break;
      case 1: source[at] = generator.pick(std::string_view("\\{}[]()$^_&|=,;:%'0x ")); break;
      case 2: source.erase(at, 1); break;
      default: source.insert(at, 1, generator.pick(std::string_view("\\{}[]()$^_&|=,;:%'0x ")));
    }
    return source;
  };
  for_each_seed(50, [&](Generator& generator) {
    survive(changed(text, generator), "hostile.tex");
    survive(changed(plain, generator), "hostile.nt");
  });
}

INSTANTIATE_TEST_SUITE_P(document, HostileGallery, ::testing::ValuesIn(gallery()),
                         [](const auto& one) { return one.param.stem().string(); });

TEST(slow_hostile, deep_nesting_is_survived) {
  constexpr std::size_t deep = 20'000;
  for (const std::string open :
       {"(", "[", "{", "|", "\\left(", "\\sqrt{", "\\frac{", "\\exp ", "-", "x^{", "x_{",
        "\\text{$", "\\begin{cases}", "f(", "\\|", "\\partial "}) {
    survive_quickly("\\[ y = " + repeated(open, deep) + "\\]", "hostile.tex");
    survive_quickly("\\[ y = " + repeated(open, deep) + "x" +
                        repeated(open.ends_with('{')   ? "}"
                                 : open.ends_with('[') ? "]"
                                                       : ")",
                                 deep) +
                        "\\]",
                    "hostile.tex");
  }
  for (const std::string open :
       {"(", "[", "{", "|", "exp ", "-", "x^(", "x_{", "f(", "‖", "∂", "cases {", "¬"}) {
    survive_quickly("y = " + repeated(open, deep), "hostile.nt");
    survive_quickly("y = " + repeated(open, deep) + "x" + repeated(")", deep), "hostile.nt");
  }
}

TEST(slow_hostile, macro_bombs_are_survived) {
  std::string bomb = "\\def\\a{x + x + x + x + x}";
  for (char name = 'b'; name <= 'k'; ++name) {
    bomb += std::string("\\def\\") + name + "{" +
            repeated(std::string("\\") + static_cast<char>(name - 1) + " + ", 10) + "1}";
  }
  survive_quickly(bomb + "\\[ y = \\k \\]", "hostile.tex");
  survive_quickly(bomb + "\\[ y = \\d \\]", "hostile.tex");
  survive_quickly("\\def\\a{\\a\\a}\\[ y = \\a \\]", "hostile.tex");
}

TEST(slow_hostile, definitions_in_a_circle_are_survived) {
  survive_quickly("a = b\nb = a\n", "hostile.nt");
  survive_quickly("f(x) = g(x)\ng(x) = f(x)\ny = f(1)\n", "hostile.nt");
  survive_quickly("h^t = h^{t+1}\nt = 1, …, 3\ny = h^1\n", "hostile.nt");
  survive_quickly("h^0 = 1\nh^t = h^{t-1} + h^{t-1}\nt = 1, …, 1000000\ny = h^{1000000}\n",
                  "hostile.nt");
  survive_quickly("n = m\nm = n\n|seq| = n + 1\nn = |seq|\nx : R[seq[n]]\ny = sum_seq x\n",
                  "hostile.nt");
}

TEST(slow_hostile, definitions_that_double_are_survived) {
  std::string text = "x0 : R[seq]\n";
  for (int k = 1; k <= 60; ++k) text += fmt::format("x{} = x{} + x{}\n", k, k - 1, k - 1);
  survive_quickly(text, "hostile.nt");
}

TEST(slow_hostile, functions_that_double_are_survived) {
  std::string functions = "f0(x) = x + x\n";
  for (int k = 1; k <= 40; ++k) functions += fmt::format("f{}(x) = f{}(f{}(x))\n", k, k - 1, k - 1);
  survive_quickly(functions + "y = f40(1)\n", "hostile.nt");
}

TEST(slow_hostile, huge_sizes_are_survived) {
  survive_quickly("x : R[seq[1000000000000]]\ny = 2 x\n", "hostile.nt");
  survive_quickly("x : R[a[1000000], b[1000000], c[1000000]]\ny = sum_a x\n", "hostile.nt");
  survive_quickly("x : R[seq[9223372036854775807]]\ny = x\n|seq| = 9223372036854775807 + 1\n",
                  "hostile.nt");
  survive_quickly("x : R[seq[-1]]\ny = x\nz : R[seq[0]]\nw = max_seq z\n", "hostile.nt");
  survive_quickly("x : R[seq[1/0]]\ny = x\nz : R[seq[2^99]]\nw = z\n", "hostile.nt");
}

TEST(slow_hostile, long_lines_are_survived) {
  constexpr std::size_t megabyte = std::size_t{1} << 20;
  for (const std::string_view word :
       {"x", "x + ", "x ", "1", "(x) ", "f(x) ", "x, ", "= x ", ". ", "' "}) {
    const std::string line = repeated(word, megabyte / word.size());
    survive_quickly("y = " + line, "hostile.nt");
    survive_quickly("\\[ y = " + line + "\\]", "hostile.tex");
  }
  survive_quickly(std::string(megabyte, 'x'), "hostile.md");
  survive_quickly(repeated("$x = 1$ ", megabyte / 64), "hostile.tex");
  survive_quickly(repeated("x = 1\n", megabyte / 64), "hostile.nt");
}

}  // namespace
}  // namespace axial::document
