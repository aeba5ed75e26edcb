// How formulas bind (section 3 of the specification), and how far parsing goes.
#include "axial/notation/parse.hpp"

#include <gmock/gmock.h>

#include "diagnostics/expect.hpp"
#include "notation/sexpr.hpp"

namespace axial::notation {
namespace {

using diagnostics::error_of;
using diagnostics::expect_error;
using ::testing::ElementsAre;
using ::testing::Field;

TEST(binding, of_powers_is_tightest) {
  EXPECT_EQ(lisp("x^2 y"), "(mul (pow x 2) y)");
  EXPECT_EQ(lisp("2 x^2"), "(mul 2 (pow x 2))");
  EXPECT_EQ(lisp("exp x^2"), "(exp (pow x 2))");
  EXPECT_EQ(lisp("-x^2"), "(neg (pow x 2))");
  EXPECT_EQ(lisp("x^(y + 1)"), "(pow x (add y 1))");
  EXPECT_EQ(lisp("mean_ax (X - 1)^2"), "(mean_ax (pow (sub X 1) 2))");
}

TEST(binding, of_juxtaposition_is_tighter_than_functions) {
  EXPECT_EQ(lisp("exp 2 x"), "(exp (mul 2 x))");
  EXPECT_EQ(lisp("1 / (2 y)"), "(div 1 (mul 2 y))");
  EXPECT_EQ(lisp("1 / 2 y"), "(div 1 (mul 2 y))");
  EXPECT_EQ(lisp("2 (x + y)"), "(mul 2 (add x y))");
}

TEST(binding, of_functions_is_tighter_than_products) {
  EXPECT_EQ(lisp("softmax_ax X ⊙ Y"), "(mul (softmax_ax X) Y)");
  EXPECT_EQ(lisp("exp x / y"), "(div (exp x) y)");
  EXPECT_EQ(lisp("exp x .ax y"), "(dot_ax (exp x) y)");
  EXPECT_EQ(lisp("exp X / sum_ax exp X"), "(div (exp X) (sum_ax (exp X)))");
  EXPECT_EQ(lisp("exp log x"), "(exp (log x))");
}

TEST(binding, of_products_goes_from_left_to_right) {
  EXPECT_EQ(lisp("a / b ⊙ c"), "(mul (div a b) c)");
  EXPECT_EQ(lisp("a .ax b .ax c"), "(dot_ax (dot_ax a b) c)");
  EXPECT_EQ(lisp("a * b"), "(mul a b)");
}

TEST(binding, of_sums_reaches_over_products) {
  EXPECT_EQ(lisp("sum_ax X ⊙ Y"), "(sum_ax (mul X Y))");
  EXPECT_EQ(lisp("Σ_ax X ⊙ Y + Z"), "(add (sum_ax (mul X Y)) Z)");
  EXPECT_EQ(lisp("sum_a sum_b X Y"), "(sum_a (sum_b (mul X Y)))");
  EXPECT_EQ(lisp("2 ⊙ sum_ax X ⊙ Y"), "(mul 2 (sum_ax (mul X Y)))");
}

TEST(binding, of_sums_is_the_same_behind_a_juxtaposed_factor) {
  EXPECT_EQ(lisp("2 sum_ax X ⊙ Y"), "(mul 2 (sum_ax (mul X Y)))");
}

TEST(binding, of_plus_and_minus_is_loose) {
  EXPECT_EQ(lisp("a + b ⊙ c"), "(add a (mul b c))");
  EXPECT_EQ(lisp("a - b - c"), "(sub (sub a b) c)");
  EXPECT_EQ(lisp("exp X + b"), "(add (exp X) b)");
  EXPECT_EQ(lisp("-a + b"), "(add (neg a) b)");
  EXPECT_EQ(lisp("a - -b"), "(sub a (neg b))");
}

TEST(binding, of_comparisons_is_loosest) {
  EXPECT_EQ(lisp("a + 1 < b ⊙ c"), "(less (add a 1) (mul b c))");
  EXPECT_EQ(lisp("[X = max_ax X]"), "(truth (equal X (max_ax X)))");
  EXPECT_EQ(lisp("where(a >= b, 1, 0)"), "(where (greater_equal a b) 1 0)");
}

TEST(formula, may_negate_a_factor) {
  EXPECT_EQ(lisp("2 ⊙ -x"), "(mul 2 (neg x))");
  EXPECT_EQ(lisp("x / -2"), "(div x (neg 2))");
  EXPECT_EQ(lisp("x^-1"), "(pow x (neg 1))");
}

TEST(formula, may_put_a_factor_before_a_call) {
  EXPECT_EQ(lisp("x exp(y)"), "(mul x (exp y))");
  EXPECT_EQ(lisp("(x + y) sqrt(|ax|)"), "(mul (add x y) (sqrt |ax|))");
}

TEST(formula, may_be_surrounded_by_space) {
  EXPECT_EQ(lisp("  x + 1"), "(add x 1)");
  EXPECT_EQ(lisp("x + 1  "), "(add x 1)");
  EXPECT_EQ(lisp("\nx + 1\n"), "(add x 1)");
  EXPECT_EQ(lisp("x + 1 # comment"), "(add x 1)");
}

TEST(formula, puts_axes_under_functions) {
  EXPECT_EQ(lisp("sum_{a, b} X"), "(sum_a,b X)");
  EXPECT_EQ(lisp("softmax_{seq'} X"), "(softmax_seq' X)");
  EXPECT_EQ(lisp("softmax_seq' X"), "(softmax_seq' X)");
  EXPECT_EQ(lisp("sum_hidden_1 X"), "(sum_hidden_1 X)");
  EXPECT_EQ(lisp("X .{a, b} Y"), "(dot_a,b X Y)");
  EXPECT_EQ(lisp("norm_p_ax(X, 3)"), "(norm_p_ax X 3)");
  EXPECT_EQ(lisp("index_ax(X, order_ax X)"), "(index_ax X (order_ax X))");
  EXPECT_EQ(lisp("|ax| x"), "(mul |ax| x)");
}

TEST(formula, keeps_numbers_exactly) {
  EXPECT_EQ(parse_formula("9007199254740993", is_function).number, Number(9'007'199'254'740'993));
  EXPECT_EQ(parse_formula("0.1", is_function).number, Number(0.1));
  EXPECT_EQ(parse_formula("1e3", is_function).number, Number(1e3));
  EXPECT_EQ(parse_formula("99999999999999999999", is_function).number, Number(1e20));
}

TEST(formula, refuses_numbers_that_cannot_be_represented) {
  expect_error("syntax", [] { parse_formula("1e400", is_function); });
  expect_error("syntax", [] { parse_formula("1e-400", is_function); });
}

TEST(formula, knows_the_place_of_every_part) {
  const std::string source = "a + exp(b ⊙ c)";
  const Tree tree = parse_formula(source, is_function);
  const auto part = [&](const Tree& t) {
    return source.substr(t.span.begin, t.span.end - t.span.begin);
  };
  EXPECT_EQ(part(tree), source);
  EXPECT_EQ(part(tree.children[1]), "exp(b ⊙ c)");
  EXPECT_EQ(part(tree.children[1].children[0]), "b ⊙ c");
}

TEST(formula, is_refused_where_it_goes_wrong) {
  const auto place = [](std::string_view source) {
    return error_of([&] { parse_formula(source, is_function); })->span()->begin;
  };
  EXPECT_EQ(place("a + "), 4);
  EXPECT_EQ(place("a b )"), 4);
  EXPECT_EQ(place("(a + b"), 6);
  EXPECT_EQ(place("exp(a,)"), 6);
  EXPECT_EQ(place("sum_{a b} X"), 7);
  EXPECT_EQ(place("|ax x"), 5);
  EXPECT_EQ(place("a < b < c"), 6);
}

TEST(formula, may_be_nested_up_to_a_limit) {
  const auto nested = [](int depth) {
    return std::string(static_cast<std::size_t>(depth), '(') + "x" +
           std::string(static_cast<std::size_t>(depth), ')');
  };
  EXPECT_EQ(lisp(nested(50)), "x");
  expect_error("syntax", [&] { lisp(nested(10'000)); });
  for (const std::string opening :
       {"(", "[", "exp ", "exp(", "-", "¬", "sum_a ", "2 exp ", "x / sum_a "}) {
    std::string source;
    for (int i = 0; i < 100'000; ++i) source += opening;
    SCOPED_TRACE(opening);
    expect_error("syntax", [&] { lisp(source + "x"); });
  }
}

/// x followed by `count` times the same operator and operand.
std::string row(const std::string& link, int count) {
  std::string source = "x";
  for (int i = 0; i < count; ++i) source += link;
  return source;
}

TEST(formula, may_be_long_up_to_a_limit) {
  for (const std::string link : {" + x", " - x", " ⊙ x", " x", " .ax x", " / x"}) {
    SCOPED_TRACE(link);
    EXPECT_EQ(parse_formula(row(link, 900), is_function).children.size(), 2);
    expect_error("syntax", [&] { parse_formula(row(link, 100'000), is_function); });
  }
}

TEST(formula, that_is_long_can_be_elaborated) {
  Scope scope;
  scope.tensors.emplace("x", expr::make(expr::Literal{.value = 1, .weak = false}));
  EXPECT_EQ(elaborate(parse_formula(row(" + x", 900), is_function), scope).shape(), Shape{});
}

TEST(formula, may_have_many_arguments_axes_and_digits) {
  std::string arguments = "foo", axes = "a0", digits(10'000, '9');
  for (int i = 1; i < 10'000; ++i) {
    arguments += ", x";
    axes += ", a" + std::to_string(i);
  }
  EXPECT_EQ(parse_formula("exp(" + arguments + ")", is_function).children.size(), 10'000);
  EXPECT_EQ(parse_formula("sum_{" + axes + "} X", is_function).axes.size(), 10'000);
  expect_error("syntax", [&] { parse_formula(digits, is_function); });
}

TEST(statements, are_signatures_and_definitions) {
  const auto nothing = [](std::string_view) { return false; };
  const Statements all = parse_statements(
      "# a comment\n"
      "f_ax : R[ax, seq] × R -> R[ax]\n"
      "f_ax(X, y) = X + E\n"
      "  E = exp_y\n"
      "\n"
      "f_ax(X, y) := X\n",
      nothing);
  ASSERT_EQ(all.signatures.size(), 1);
  const Signature& signature = all.signatures[0];
  EXPECT_EQ(signature.name, "f");
  EXPECT_THAT(signature.axes, ElementsAre("ax"));
  ASSERT_EQ(signature.parameters.size(), 2);
  EXPECT_THAT(signature.parameters[0].axes,
              ElementsAre(Field(&AxisTerm::name, "ax"), Field(&AxisTerm::name, "seq")));
  EXPECT_TRUE(signature.parameters[1].axes.empty());
  EXPECT_THAT(signature.result.axes, ElementsAre(Field(&AxisTerm::name, "ax")));
  ASSERT_EQ(all.definitions.size(), 2);
  EXPECT_THAT(all.definitions[0].parameters, ElementsAre("X", "y"));
  EXPECT_FALSE(all.definitions[0].computed);
  EXPECT_TRUE(all.definitions[1].computed);
  ASSERT_EQ(all.definitions[0].locals.size(), 1);
  EXPECT_EQ(all.definitions[0].locals[0].name, "E");
}

TEST(statements, make_declared_names_functions_from_there_on) {
  const auto nothing = [](std::string_view) { return false; };
  const Statements all =
      parse_statements("f : R -> R\nf x = x\ng : R -> R\ng x = f x + 1", nothing);
  EXPECT_EQ(as_lisp(all.definitions[1].body), "(add (f x) 1)");
}

TEST(statements, may_be_missing_altogether) {
  const auto nothing = [](std::string_view) { return false; };
  for (const std::string_view source : {"", "\n\n", "  \n", "# only a comment", "  # indented"}) {
    EXPECT_TRUE(parse_statements(source, nothing).definitions.empty()) << source;
  }
}

}  // namespace
}  // namespace axial::notation
