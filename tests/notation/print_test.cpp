// Printing: spellings in both forms, and the law that what is printed reads back as the same tree.
#include "axial/notation/print.hpp"

#include <gmock/gmock.h>

#include "axial/notation/latex.hpp"
#include "axial/notation/lexer.hpp"
#include "axial/tex/document.hpp"
#include "axial/vocabulary/primitives.hpp"
#include "axial/vocabulary/reductions.hpp"
#include "notation/random_tree.hpp"
#include "notation/sexpr.hpp"
#include "support/generator.hpp"

namespace axial::notation {

void PrintTo(const Tree& tree, std::ostream* out) { *out << to_text(tree); }

namespace {

using support::for_each_seed;
using support::Generator;
using ::testing::ElementsAre;

/// The vocabulary, the prelude, and functions of some document.
bool is_known(std::string_view name) {
  return is_function(name) || name == "f" || name == "Attention" || name == "FullConn" ||
         name == "σ" || name == "MaxPool";
}

Tree from_text(std::string_view source) { return parse_formula(source, is_known); }

Tokens latex_tokens(std::string_view source) {
  Tokens tokens = from_latex(tex::read_formula(source), [](std::string_view) { return false; });
  tokens.push_back({TokenKind::end, "", {source.size(), source.size()}});
  return tokens;
}

/// The tree of a formula in LaTeX; its error as a name if there is one.
Tree from_tex(std::string_view source) {
  try {
    return parse_formula(latex_tokens(source), is_known);
  } catch (const Error& error) {
    return {Form::name, {}, "error: " + error.message(), {}, {}};
  }
}

Statement statement(std::string_view source) {
  const auto all = parse_line(tokenize(source), is_known);
  EXPECT_EQ(all.size(), 1) << source;
  return all.at(0).statement;
}

struct Row {
  std::string text;
  std::string latex;
};

TEST(printing, spells_formulas) {
  const std::vector<Row> rows = {
      {"X", "X"},
      {"0.5", "0.5"},
      {"kh", "\\mathit{kh}"},
      {"α", "\\alpha"},
      {"X'", "X'"},
      {"d_k", "d_k"},
      {"d_model", "d_{\\text{model}}"},
      {"n_{l - 1}", "n_{l - 1}"},
      {"W^{l, Q}", "W^{l, Q}"},
      {"h^{t - 1}", "h^{t - 1}"},
      {"X^h", "X^h"},
      {"X^model", "X^{\\text{model}}"},
      {"|ax|", "|\\name{ax}|"},
      {"X + Y - Z", "X + Y - Z"},
      {"X - (Y - Z)", "X - (Y - Z)"},
      {"-X ⊙ Y", "-X \\odot Y"},
      {"(-X) ⊙ Y", "(-X) \\odot Y"},
      {"X ⊙ -Y", "X \\odot -Y"},
      {"X / Y", "\\frac{X}{Y}"},
      {"X ⊙ (Y / Z)", "X \\odot \\frac{Y}{Z}"},
      {"(X / Y)^2", "\\left(\\frac{X}{Y}\\right)^2"},
      {"x^-1", "x^{-1}"},
      {"(x^2)^{1 / p}", ""},
      {"X .key Y", "X \\ndot{\\name{key}} Y"},
      {"X .{a, b} Y", "X \\ndot{\\name{a}, \\name{b}} Y"},
      {"X .{ax*} Y", "X \\ndot{\\name{ax}^*} Y"},
      {"X ⊕_seq Y", "X \\ncat{\\name{seq}} Y"},
      {"sum_ax X ⊙ Y", "\\nsum{\\name{ax}} X \\odot Y"},
      {"(sum_ax X) ⊙ Y", "\\left(\\nsum{\\name{ax}} X\\right) \\odot Y"},
      {"X ⊙ sum_ax Y", "X \\odot \\nsum{\\name{ax}} Y"},
      {"sum_{a, b} X + 1", "\\nsum{\\name{a}, \\name{b}} X + 1"},
      {"softmax_seq X", "\\nfun{\\name{seq}}{softmax} X"},
      {"softmax_seq(X + Y)", "\\nfun{\\name{seq}}{softmax}(X + Y)"},
      {"max_{a, b} X", "\\nfun{\\name{a}, \\name{b}}{max} X"},
      {"exp X", "\\exp X"},
      {"exp(-X)", "\\exp(-X)"},
      {"(exp X)^2", "(\\exp X)^2"},
      {"exp(X^2)", "\\exp(X^2)"},
      {"sqrt(|ax|)", "\\sqrt{|\\name{ax}|}"},
      {"abs X", "\\left|{X}\\right|"},
      {"max(X, 0)", "\\max(X, 0)"},
      {"where(X > 0, X, 0)", "\\mathit{where}(X > 0, X, 0)"},
      {"σ(X)", "\\sigma(X)"},
      {"Attention(Q, K, V)", "\\text{Attention}(Q, K, V)"},
      {"FullConn^l(X)", "\\text{FullConn}^l(X)"},
      {"FullConn^{l - 1}(X; Y, Z)", "\\text{FullConn}^{l - 1}(X; Y, Z)"},
      {"X_{a(i), b(2)}", "X_{\\name{a}(i), \\name{b}(2)}"},
      {"X_{a(i:j)}", "X_{\\name{a}(i:j)}"},
      {"X_{seq -> seq'}", "X_{\\name{seq} \\rightarrow \\name{seq}'}"},
      {"X_{(a, b) -> c}", "X_{(\\name{a}, \\name{b}) \\rightarrow \\name{c}}"},
      {"X_{c -> (a[2], b)}", "X_{\\name{c} \\rightarrow (\\name{a}[2], \\name{b})}"},
      {"X_{a -> b}_{b(1)}", "{X_{\\name{a} \\rightarrow \\name{b}}}_{\\name{b}(1)}"},
      {"X^*", "X^*"},
      {"X^†", "X^\\dagger"},
      {"X^{*†}", "X^{*\\dagger}"},
      {"X^* ⊙ Y", "X^* \\odot Y"},
      {"I_{ax, ax*}", "I_{\\name{ax}, \\name{ax}^*}"},
      {"[X = Y]", "[X = Y]"},
      {"[1, 2]_{ax}",
       "\\begin{array}[b]{@{}c@{}}\\name{ax}\\\\\\begin{bmatrix} 1 & 2 \\end{bmatrix}\\end{array}"},
      {"[[1, 2], [3, 4]]_{height, width}",
       "\\name{height}\\begin{array}[b]{@{}c@{}}\\name{width}\\\\\\begin{bmatrix} 1 & 2 \\\\ 3 & 4 "
       "\\end{bmatrix}\\end{array}"},
      {"cases {X if i = j; Y otherwise}",
       "\\begin{cases} X & \\text{if } i = j \\\\ Y & \\text{otherwise} \\end{cases}"},
      {"cases {X if i odd; Y if i even}",
       "\\begin{cases} X & \\text{if } i \\text{odd} \\\\ Y & \\text{if } i \\text{even} "
       "\\end{cases}"},
      {"‖X‖", "\\|X\\|"},
      {"∂X", "\\partial X"},
      {"∂(X ⊙ Y)", "\\partial (X \\odot Y)"},
      {"∂f(X; H)", "\\partial f(X; H)"},
      {"∂(sum_ax U)", "\\partial \\left(\\nsum{\\name{ax}} U\\right)"},
      {"∂Y/∂X", "\\frac{\\partial Y}{\\partial X}"},
      {"∂^2 Y/∂X^* ∂X^†", "\\frac{\\partial^2 Y}{\\partial X^*\\, \\partial X^\\dagger}"},
      {"lim_{α -> ∞} X", "\\lim_{\\alpha \\rightarrow \\infty} X"},
      {"sum_{i ∈ I} X_{ax(i)}", "\\sum_{i \\in I} X_{\\name{ax}(i)}"},
      {"sum_i X_{ax(i)}", "\\sum_i X_{\\name{ax}(i)}"},
      {"max {X_{ax(i)} | i ∈ I}", "\\max\\{X_{\\name{ax}(i)} \\mid i \\in I\\}"},
      {"X|_{a = b}", "\\left.X\\right|_{a = b}"},
      {"□ .ax □", "\\mathord{-} \\ndot{\\name{ax}} \\mathord{-}"},
      {"f_𝓢 X", "\\nfun{\\mathcal{S}}{f} X"},
      {"sum_{hidden_1'} X", ""},
      {"X_{hidden_1' -> ax'*}", "X_{\\name{hidden}_1' \\rightarrow \\name{ax}^{\\prime*}}"},
      {"a < b ∧ c ≥ d", "a < b \\land c \\geq d"},
      {"log_softmax_ax X", "\\nfun{\\name{ax}}{log\\_softmax} X"},
  };
  for (const auto& [text, latex] : rows) {
    SCOPED_TRACE(text);
    const Tree tree = from_text(text);
    if (!latex.empty()) {
      EXPECT_EQ(to_text(tree), text);
      EXPECT_EQ(to_latex(tree), latex);
    }
    EXPECT_EQ(from_text(to_text(tree)), tree) << to_text(tree);
    EXPECT_EQ(from_tex(to_latex(tree)), tree) << to_latex(tree);
  }
}

TEST(printing, spells_statements) {
  const std::vector<Row> rows = {
      {"X ∈ R[seq]", "X \\in \\mathbb{R}^{\\name{seq}}"},
      {"X, Y ∈ R[seq, key[n]]", "X, Y \\in \\mathbb{R}^{\\name{seq} \\times \\name{key}[n]}"},
      {"x ∈ R", "x \\in \\mathbb{R}"},
      {"I ∈ [n]^{seq}", "I \\in [n]^{\\name{seq}}"},
      {"i ∈ [n - 1]", "i \\in [n - 1]"},
      {"M ∈ {0, 1}^{seq}", "M \\in \\{0, 1\\}^{\\name{seq}}"},
      {"A ∈ F^{𝓢}", "A \\in F^{\\mathcal{S}}"},
      {"A ∈ R[a] = R[b]", "A \\in \\mathbb{R}^{\\name{a}} = \\mathbb{R}^{\\name{b}}"},
      {"f_ax : R[ax] × R -> R[ax]",
       "\\nfun{\\name{ax}}{f} \\colon \\mathbb{R}^{\\name{ax}} \\times \\mathbb{R} \\rightarrow "
       "\\mathbb{R}^{\\name{ax}}"},
      {"□ .ax □ : R[ax] × R[ax] -> R",
       "\\mathord{-} \\ndot{\\name{ax}} \\mathord{-} \\colon \\mathbb{R}^{\\name{ax}} \\times "
       "\\mathbb{R}^{\\name{ax}} \\rightarrow \\mathbb{R}"},
      {"norm_p_ax : R[ax] × R -> R",
       "\\nfun{\\name{ax}}{norm\\_p} \\colon \\mathbb{R}^{\\name{ax}} \\times \\mathbb{R} "
       "\\rightarrow \\mathbb{R}"},
      {"f(X) = sum_ax X + 1", "f(X) = \\nsum{\\name{ax}} X + 1"},
      {"f(X) := X", "f(X) := X"},
      {"= X ≈ Y", "= X \\approx Y"},
      {"S = X ∈ R[seq]", "S = X \\in \\mathbb{R}^{\\name{seq}}"},
      {"|a| = |b| = 28", "|\\name{a}| = |\\name{b}| = 28"},
      {"|hidden| = |hidden'|", "|\\name{hidden}| = |\\name{hidden}'|"},
      {"t = 1, …, n", "t = 1, \\ldots, n"},
  };
  for (const auto& [text, latex] : rows) {
    SCOPED_TRACE(text);
    const Statement one = statement(text);
    EXPECT_EQ(to_text(one), text);
    EXPECT_EQ(to_latex(one), latex);
    const auto again = parse_line(latex_tokens(latex), is_known);
    ASSERT_EQ(again.size(), 1);
    EXPECT_EQ(to_text(again[0].statement), text);
  }
}

TEST(printing, cites_the_rule_of_a_step) {
  const Tree x{Form::name, {}, "X", {}, {}};
  const Equation equation{{x, x}, {{"=", "(3)", {}}}};
  EXPECT_EQ(to_text(Statement(equation)), "X = X");
  EXPECT_EQ(to_latex(Statement(equation)), "X \\stackrel{\\text{(3)}}{=} X");
}

TEST(axis_names, are_sorted_and_without_decorations) {
  EXPECT_THAT(axis_names(statement("Y_{b(i)} = sum_{seq'} X_{a -> ax*} .{hidden_1, seq} Z + |k|")),
              ElementsAre("a", "ax", "b", "hidden", "k", "seq"));
  EXPECT_THAT(axis_names(statement("f_ax : R[ax, key[|val|]] × R[𝓢] -> R")),
              ElementsAre("ax", "key", "val"));
}

/// Both laws for a tree that the parser gave or could have given.
void expect_round_trips(const Tree& tree) {
  const std::string text = to_text(tree);
  const std::string latex = to_latex(tree);
  try {
    EXPECT_EQ(from_text(text), tree) << text << "\nis read as\n" << to_text(from_text(text));
  } catch (const Error& error) {
    ADD_FAILURE() << text << "\n" << error.message() << " at " << error.span()->begin;
  }
  EXPECT_EQ(from_tex(latex), tree) << text << "\n"
                                   << latex << "\nis read as\n"
                                   << to_text(from_tex(latex));
}

TEST(printing, of_random_trees_is_undone_by_parsing) {
  for_each_seed(2000, [](Generator& generator) {
    expect_round_trips(random_tree(generator, static_cast<int>(generator.integer(1, 6))));
  });
}

/// True for formulas without sense that parse: a function where only names can stand, as in
/// lim_{exp → 2} X, and a sum of nothing, as in exp sum_ax.
bool is_senseless(const Tree& tree) {
  if (tree.form == Form::apply && tree.text == "sum" && tree.children.size() != 1) return true;
  if (tree.form == Form::name && is_known(tree.text.substr(0, tree.text.find('_')))) return true;
  return std::ranges::any_of(tree.children, is_senseless) ||
         std::ranges::any_of(tree.sub, is_senseless) ||
         std::ranges::any_of(tree.super, is_senseless);
}

TEST(printing, of_whatever_parses_is_undone_by_parsing) {
  const std::vector<std::string> pieces = {
      "X",       "Y",      "i",         "2",         "0.5",         "n_l",
      "X'",      "exp",    "log",       "sum_ax",    "max_",        "softmax_{a, b}",
      "sum_",    "{",      "}",         "(",         ")",           "[",
      "]",       ",",      ";",         "_",         "^",           "+",
      "-",       "⊙",      "/",         ".ax",       ".{a, b*}",    "⊕_ax",
      "=",       "<",      "∧",         "¬",         "|",           "|ax|",
      "‖",       "∂",      "∂/∂",       "→",         "∞",           "…",
      "□",       "*",      "†",         "∈",         "lim_{X → 2}", "_{a → b}",
      "_{a(i)}", "_{a(X)", "_{a(1:2)}", "^{*†}",     "^*",          "I_{a, b}",
      "cases {", "if",     "odd",       "otherwise", "_{i ∈",       "|_{X = 2}",
      "(X + Y)", "log(X)", "log^2",     "_{1, k}",   "_{n - 1}",    "^{a, b}"};
  int parsed = 0;
  for_each_seed(20000, [&](Generator& generator) {
    std::string source;
    for (auto left = generator.integer(1, 9); left > 0; --left) {
      source += generator.pick(pieces) + (generator.chance(0.8) ? " " : "");
    }
    try {
      const Tree tree = from_text(source);
      if (is_senseless(tree)) return;
      ++parsed;
      SCOPED_TRACE(source);
      expect_round_trips(tree);
    } catch (const Error&) {
      // Most are no formulas.
    }
  });
  EXPECT_GE(parsed, 200);
}

TEST(printing, of_numbers_without_a_text_is_undone_by_parsing) {
  for (const double value : {0.1, 1e-7, 1e30, 2.5e+100}) {
    const Tree number{Form::number, {}, {}, {}, {}, value};
    EXPECT_EQ(from_text(to_text(number)).number, number.number) << to_text(number);
  }
}

TEST(printing, of_every_word_is_undone_by_parsing) {
  const Tree x{Form::name, {}, "X", {}, {}};
  const auto try_name = [&](std::string_view name, int arity, std::vector<std::string> axes) {
    SCOPED_TRACE(name);
    Tree tree{Form::apply, {}, std::string(name), std::move(axes), {}};
    for (int k = 0; k < arity; ++k) tree.children.push_back(x);
    expect_round_trips(tree);
    expect_round_trips({Form::apply, {}, "mul", {}, {tree, tree}});
    expect_round_trips({Form::apply, {}, "pow", {}, {tree, tree}});
    expect_round_trips({Form::apply, {}, "exp", {}, {tree}});
  };
  for (const Word& word : elementwise_words) try_name(word.name, word.arity(), {});
  for (const Reduction& reduction : reductions) try_name(reduction.name, 1, {"ax"});
  for (const Primitive& primitive : primitives()) {
    std::vector<std::string> axes{"a", "b"};
    axes.resize(static_cast<std::size_t>(primitive.axes()));
    try_name(primitive.name, primitive.arity(), axes);
  }
  for (const Word& word : elementwise_words) {
    for (const std::string_view partial : word.partials) {
      if (!partial.empty()) expect_round_trips(from_text(partial));
    }
  }
}

TEST(printing, of_every_phrase_is_undone_by_parsing) {
  for (const Phrase& phrase : phrases()) {
    SCOPED_TRACE(phrase.signature.name);
    expect_round_trips(phrase.meaning.body);
    expect_round_trips(phrase.computed().body);
    for (const Definition& local : phrase.meaning.locals) expect_round_trips(local.body);
    const Statement signature = phrase.signature;
    EXPECT_EQ(to_text(statement(to_text(signature))), to_text(signature));
  }
}

TEST(printing, of_deep_and_long_formulas_is_undone_by_parsing) {
  std::string deep, closing, row = "x";
  for (int k = 0; k < 60; ++k) {
    deep += "exp(1 + ";
    closing += ")";
  }
  for (int k = 0; k < 850; ++k) row += k % 3 == 0 ? " + x" : k % 3 == 1 ? " ⊙ y" : " - z";
  expect_round_trips(from_text(row));
  EXPECT_EQ(to_text(from_text(row)), row);
  expect_round_trips(from_text(deep + "x" + closing));
  std::string product = "x";
  for (int k = 0; k < 950; ++k) product += " ⊙ y";
  std::string longer = product.substr(1);
  expect_round_trips(from_text("((" + product + ")" + longer + ")" + longer));
}

}  // namespace
}  // namespace axial::notation
