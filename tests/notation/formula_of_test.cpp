// Expressions as formulas: how they look, and the law that they mean the same when they are read.
#include "axial/notation/formula_of.hpp"

#include <gmock/gmock.h>

#include <set>

#include "axial/axial.hpp"
#include "axial/expr/lambda.hpp"
#include "axial/expr/traverse.hpp"
#include "axial/notation/latex.hpp"
#include "axial/notation/lexer.hpp"
#include "axial/notation/print.hpp"
#include "axial/tex/document.hpp"
#include "diagnostics/expect.hpp"
#include "notation/sexpr.hpp"
#include "support/generator.hpp"
#include "support/random_expression.hpp"
#include "support/tolerance.hpp"

namespace axial::notation {
namespace {

using diagnostics::expect_error;
using expr::Expr;
using expr::make;
using support::for_each_seed;
using support::Generator;

/// Tensors with names, sizes for axes, and positions as in documents or as in C++.
class World : public Scope {
 public:
  std::map<Axis, std::int64_t> sizes;
  std::int64_t first = 1;

  std::optional<std::int64_t> size(Axis axis) const override {
    const auto found = sizes.find(axis);
    return found == sizes.end() ? Scope::size(axis) : found->second;
  }
  ElementType reals() const override { return float64; }
  std::int64_t first_position() const override { return first; }

  Names names() const {
    Names all;
    for (const auto& [name, tensor] : tensors) {
      all.emplace(tensor.identity(), Tree{Form::name, {}, name, {}, {}});
    }
    return all;
  }
};

const Axis a{"a"}, b{"b"}, seq{"seq"}, key{"key"}, val{"val"}, layer{"layer"}, heads{"heads"};

World world() {
  World all;
  Random random(3);
  const auto add = [&](const std::string& name, const Shape& shape) {
    all.tensors.emplace(name, random.normal(shape, 0, 1, float64).expression());
  };
  add("Q", seq.prime()[4] * key[3]);
  add("K", seq[5] * key[3]);
  add("V", seq[5] * val[2]);
  add("X", seq[5] * layer[6]);
  add("Y", seq[5] * layer[6]);
  add("x", Shape(layer[6]));
  add("y", Shape(layer[6]));
  add("γ", Shape(layer[6]));
  add("c", Shape{});
  all.tensors.emplace("J", tensor(heads[2], {2, 1}, int64).expression());
  return all;
}

Tree from_tex(std::string_view source) {
  Tokens tokens = from_latex(tex::read_formula(source), [](std::string_view) { return false; });
  tokens.push_back({TokenKind::end, "", {source.size(), source.size()}});
  return parse_formula(std::move(tokens), is_function);
}

/// The formula of what a formula denotes.
std::string again(std::string_view source, const World& names = world()) {
  const Expr meaning = elaborate(parse_formula(source, is_function), names);
  return to_text(formula_of(meaning, names.names(), names.first));
}

std::string text(const Tensor& tensor, const World& names = world()) {
  return to_text(formula_of(tensor.expression(), names.names()));
}

void expect_kept(const std::vector<std::string>& formulas) {
  for (const std::string& formula : formulas) EXPECT_EQ(again(formula), formula);
}

TEST(formulas_of_expressions, are_those_that_the_expressions_came_from) {
  expect_kept({
      "softmax_seq((Q .key K) / sqrt(|key|)) .seq V",
      "exp X / sum_seq exp X",
      "γ ⊙ (X - mean_layer X) / sqrt(var_layer X + 1e-05) + x",
      "standardize_layer(X, 0.5)",
      "X_{seq -> seq'}",
      "X_{layer -> layer', seq -> layer}",
      "X^*",
      "X^†",
      "X_{layer -> layer*}",
      "I_{layer, layer*}",
      "|key|",
      "max_{seq, layer} X",
      "cumsum_seq X",
      "-cross_entropy_layer(X, Y)",
      "gelu X",
  });
}

TEST(formulas_of_expressions, say_where_elements_come_from) {
  expect_kept({
      "X_{seq(2)}",
      "X_{seq(2), layer(6)}",
      "X_{seq(2:4)}",
      "X_{seq(2:4), layer(1)}",
      "index_layer(x, J)",
      "index_layer(x, J + 1)",
      "X_{(seq, layer) -> a}",
      "X_{layer -> (heads[2], a)}",
      "X_{layer -> (heads[1], a[2], b)}",
      "unroll_{layer, key} X",
      "pool_{layer, key} X",
      "X ⊕_seq Y ⊕_seq X",
      "X ⊕_seq (Y ⊕_seq X)",
  });
  World from_zero = world();
  from_zero.first = 0;
  EXPECT_EQ(again("X_{seq(0), layer(1:3)}", from_zero), "X_{seq(0), layer(1:3)}");
  EXPECT_EQ(again("index_layer(x, J)", from_zero), "index_layer(x, J)");
}

TEST(formulas_of_expressions, have_parentheses_where_binding_needs_them) {
  expect_kept({
      "(X + Y) ⊙ (X - Y)",
      "X + Y ⊙ X - Y",
      "X - (Y - X)",
      "X / (Y ⊙ X)",
      "X / Y / X",
      "(X / Y)^2",
      "X^2 / Y",
      "(X^2)^c",
      "X^{c + 1}",
      "(-x) ⊙ y",
      "x ⊙ -y",
      "-x ⊙ y",
      "exp(x + y)",
      "exp(x^2)",
      "(exp x)^2",
      "(sum_layer x) ⊙ y",
      "y ⊙ sum_layer x",
      "(Q .key K) .seq (V .val V)",
      "x .layer (x ⊙ y)",
      "(x + y) .layer x",
      "(x + y)_{layer(1)}",
      "(exp x)_{layer -> a}",
      "where(x > 0 ∧ ¬(y ≤ 1), x, -2.5)",
      "[x = max_layer x] ⊙ y",
  });
}

TEST(formulas_of_expressions, say_numbers_as_they_are_read) {
  expect_kept({"x + 0.1", "x - 1e-07", "x ⊙ -2", "x + 12345678901", "x ⊙ -∞", "x + 1e30"});
  const World names = world();
  const Tensor x(names.tensors.at("x"));
  EXPECT_EQ(text(x + 2.0, names), "x + 2");
  EXPECT_EQ(text(x * std::numeric_limits<double>::quiet_NaN(), names), "x ⊙ (0 / 0)");
  const Expr strong = make(expr::Literal{.value = -3, .element = float64, .weak = false});
  EXPECT_EQ(text(Tensor(strong), names), "-3");
}

TEST(formulas_of_expressions, subtract_what_is_added_negated) {
  const World names = world();
  const Tensor x(names.tensors.at("x")), y(names.tensors.at("y"));
  EXPECT_EQ(text(x + -y, names), "x - y");
  EXPECT_EQ(text(x - -y, names), "x + y");
}

TEST(formulas_of_expressions, call_phrases_by_their_names) {
  const World names = world();
  for (const Phrase& phrase : phrases()) {
    std::vector<Tensor> arguments;
    for (const Domain& domain : phrase.signature.parameters) {
      arguments.emplace_back(names.tensors.at(domain.axes.empty() ? "c" : "X"));
    }
    const std::vector<Axes> axes(phrase.signature.axes.size(), layer);
    const std::string formula = text(plain::phrase(phrase.signature.name, axes, arguments), names);
    EXPECT_TRUE(formula.starts_with(phrase.signature.name)) << formula;
    EXPECT_EQ(again(formula, names), formula);
  }
}

TEST(contractions, of_several_factors_are_split_where_both_sides_have_the_axes) {
  const World names = world();
  const Tensor X(names.tensors.at("X")), x(names.tensors.at("x")), c(names.tensors.at("c"));
  EXPECT_EQ(text(dot(layer, x, X, x), names), "x .layer (X ⊙ x)");
  EXPECT_EQ(text(dot(layer, c, x, X), names), "(c ⊙ x) .layer X");
  EXPECT_EQ(text(dot(layer & seq, x, X, c), names), "sum_{layer, seq} x ⊙ X ⊙ c");
  EXPECT_EQ(text(Tensor(make(expr::Contract{{}}, {x.expression(), c.expression()})), names),
            "x ⊙ c");
}

TEST(reshapes, between_several_axes_pass_through_one) {
  const World names = world();
  const Expr& X = names.tensors.at("X");
  const Expr reshaped = make(expr::Reshape{seq & layer, a[3] * b[10]}, {X});
  EXPECT_EQ(text(Tensor(reshaped), names), "X_{(seq, layer) -> a}_{a -> (a[3], b)}");
  const Expr renamed = make(expr::Reshape{seq & layer, a[5] * b[6]}, {X});
  EXPECT_EQ(text(Tensor(renamed), names), "X_{seq -> a, layer -> b}");
}

TEST(repetition, is_left_out_but_counted_by_sums) {
  const World names = world();
  const Expr& x = names.tensors.at("x");
  const Expr repeated = make(expr::Broadcast{Shape(seq[5])}, {x});
  EXPECT_EQ(text(Tensor(repeated), names), "x");
  EXPECT_EQ(text(sum(seq & layer, Tensor(repeated)), names), "|seq| ⊙ sum_layer x");
  EXPECT_EQ(text(max(seq, Tensor(repeated)), names), "x");
  EXPECT_EQ(text(dot(seq, Tensor(repeated), Tensor(names.tensors.at("X"))), names),
            "sum_seq x ⊙ X");
  EXPECT_EQ(text(Tensor(repeated)[seq >> a] * Tensor(names.tensors.at("X")), names), "x ⊙ X");
}

TEST(truth_values, are_brackets_where_they_have_the_type_of_what_is_compared) {
  const World names = world();
  const Tensor x(names.tensors.at("x")), y(names.tensors.at("y")), J(names.tensors.at("J"));
  EXPECT_EQ(text(to(float64, x < y), names), "[x < y]");
  EXPECT_EQ(text(to(float64, J == 1), names), "cases {1 if J = 1; 0 otherwise}");
  EXPECT_EQ(text(to(float64, any(layer, x < y)), names),
            "cases {1 if any_layer(x < y); 0 otherwise}");
  EXPECT_EQ(text(to(boolean, x), names), "x ≠ 0");
  EXPECT_EQ(text(to(float32, x), names), "x");
}

TEST(axes_that_nobody_may_write, are_given_primes) {
  const World names = world();
  const Expr& X = names.tensors.at("X");
  const Axis hidden = fresh(seq, {});
  const Expr apart = make(expr::Rename{{{seq, hidden}}}, {X});
  const Expr product = make(expr::Contract{layer}, {X, apart});
  EXPECT_EQ(text(Tensor(product), names), "X .layer X_{seq -> seq'}");
  EXPECT_EQ(text(Tensor(make(expr::Contract{hidden}, {apart, product})), names),
            "X_{seq -> seq'} .seq' (X .layer X_{seq -> seq'})");
}

TEST(names, stand_for_whatever_has_them) {
  World names = world();
  const Tensor x(names.tensors.at("x"));
  const Tensor s = softmax(layer, x);
  names.tensors.emplace("s_1", s.expression());
  EXPECT_EQ(text(s, names), "s_1");
  EXPECT_EQ(text(s * s + x, names), "s_1 ⊙ s_1 + x");
  expect_error("needs-value",
               [&] { text(x + tensor(layer[6], {1, 2, 3, 4, 5, 6}, float64), names); });
  expect_error("needs-value", [&] {
    text(Tensor(make(expr::Parameter{"p", {Shape(layer[6]), float64}})), names);
  });
}

TEST(what_the_notation_cannot_say, is_explained) {
  const World names = world();
  const Tensor X(names.tensors.at("X")), x(names.tensors.at("x"));
  EXPECT_EQ(text(pad(seq, 1, 2, X), names), "pad_seq(X, 1, 2)");
  EXPECT_EQ(text(reverse(layer, x), names), "slice_layer(x, 6, 1, -1)");
  EXPECT_EQ(text(Tensor(make(expr::Iota{a[3]})), names), "positions_a");
  EXPECT_EQ(text(Tensor(make(expr::Window{layer, a[2], 3}, {x.expression()})), names),
            "window_{layer, a}(x, 3, 1)");
}

TEST(long_formulas, are_written_without_recursion_or_refused) {
  const World names = world();
  const Expr& x = names.tensors.at("x");
  const auto chain = [&](std::string_view word, int length, bool binary) {
    Expr all = x;
    for (int k = 0; k < length; ++k) {
      all = make(expr::Map{find_word(word)}, binary ? std::vector{all, x} : std::vector{all});
    }
    return all;
  };
  EXPECT_EQ(again(text(Tensor(chain("add", 3, true)), names)), "x + x + x + x");
  EXPECT_GT(text(Tensor(chain("add", 9'000, true)), names).size(), 30'000);
  expect_error("too-large", [&] { text(Tensor(chain("add", 30'000, true)), names); });
  expect_error("too-large", [&] { text(Tensor(chain("exp", 30'000, false)), names); });
  Expr doubled = x;
  for (int k = 0; k < 60; ++k) doubled = make(expr::Map{find_word("mul")}, {doubled, doubled});
  expect_error("too-large", [&] { text(Tensor(doubled), names); });
  const std::string deepest = text(Tensor(chain("neg", 99, false)), names);
  EXPECT_EQ(again(deepest), deepest);
}

/// True if a formula says exactly what the node is, in a world where its axes have their sizes.
bool can_be_said(const Expr& node, World& names) {
  const auto has_size = [&](Axis axis, std::int64_t size) {
    return names.sizes.emplace(axis, size).first->second == size;
  };
  if (const auto* delta = node.as<expr::Delta>()) {
    return has_size(delta->row.axis, delta->row.size) && has_size(delta->column, delta->row.size);
  }
  if (const auto* window = node.as<expr::Window>()) {
    return window->stride == 1 && (window->dilation == 1 || window->kernel.size == 1) &&
           has_size(window->kernel.axis, window->kernel.size);
  }
  if (const auto* slice = node.as<expr::Slice>()) return slice->step == 1 || slice->count == 1;
  if (const auto* cast = node.as<expr::Cast>()) {
    return !is_integer(cast->element) && !is_integer(node.operands()[0].element());
  }
  return node.as<expr::Leaf>() == nullptr && node.as<expr::Pad>() == nullptr &&
         node.as<expr::Iota>() == nullptr && node.as<expr::Broadcast>() == nullptr &&
         node.as<expr::Scan>() == nullptr && node.as<expr::Call>() == nullptr &&
         node.as<expr::Fold>() == nullptr && node.as<expr::Scatter>() == nullptr;
}

::testing::AssertionResult means(const Tree& formula, const Expr& expression, const World& names) {
  const Tensor read(elaborate(formula, names)), meant(expression);
  if (read.shape() != meant.shape()) {
    return ::testing::AssertionFailure() << to_text(read.shape()) << to_text(meant.shape());
  }
  const auto found = read.values(meant.shape().names()),
             expected = meant.values(meant.shape().names());
  for (std::size_t k = 0; k < found.size(); ++k) {
    if (support::near(found[k], expected[k], 1e-5 * (1 + std::abs(expected[k])))) continue;
    return ::testing::AssertionFailure() << found[k] << " instead of " << expected[k];
  }
  return ::testing::AssertionSuccess();
}

/// Names for leaves, for what cannot be said, and for parts that would be written at length.
struct Naming {
  World names;
  std::int64_t said = 0, not_said = 0;
  std::set<std::size_t> kinds_said = {};

  void name_parts_of(const Expr& expression) {
    std::unordered_map<const expr::Node*, std::int64_t> lengths;
    for (const Expr& node : expr::post_order({&expression, 1})) {
      std::int64_t length = 1;
      for (const Expr& operand : node.operands()) length += lengths.at(operand.identity());
      const bool is_said = can_be_said(node, names);
      const bool is_long = length > 300 && node.identity() != expression.identity();
      if (!is_said || is_long) {
        names.tensors.emplace(fmt::format("T_{}", names.tensors.size()), node);
        length = 1;
      }
      lengths.emplace(node.identity(), length);
      if (is_said) kinds_said.insert(node.kind().index());
      said += is_said ? 1 : 0;
      not_said += is_said || node.as<expr::Leaf>() != nullptr ? 0 : 1;
    }
  }
};

TEST(formulas_of_expressions, mean_the_same_when_they_are_read) {
  std::int64_t said = 0, not_said = 0;
  int mere_names = 0;
  std::set<std::size_t> kinds;
  for_each_seed(400, [&](Generator& generator) {
    const Expr expression = support::random_expression(generator);
    Naming naming;
    naming.names.first = generator.integer(0, 1);
    naming.name_parts_of(expression);
    const World& names = naming.names;
    const Tree formula = formula_of(expression, names.names(), names.first);
    const std::string text = to_text(formula), latex = to_latex(formula);
    EXPECT_TRUE(means(formula, expression, names)) << text;
    EXPECT_TRUE(means(parse_formula(text, is_function), expression, names)) << text;
    EXPECT_TRUE(means(from_tex(latex), expression, names)) << latex;
    mere_names += formula.form == Form::name ? 1 : 0;
    said += naming.said;
    not_said += naming.not_said;
    kinds.merge(naming.kinds_said);
  });
  // All but Leaf, Parameter, Pad, Broadcast, Iota, Scan, Call, Fold and Scatter.
  EXPECT_EQ(kinds.size(), std::variant_size_v<expr::Kind> - 9);
  EXPECT_LT(static_cast<double>(not_said), 0.15 * static_cast<double>(said));
  EXPECT_LT(mere_names, 40);
}

}  // namespace
}  // namespace axial::notation
