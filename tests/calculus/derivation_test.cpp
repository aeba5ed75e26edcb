// Derivations: the results of the paper, and that every step has the value of the one before.
#include "axial/calculus/derivation.hpp"

#include <gmock/gmock.h>

#include "axial/axial.hpp"
#include "axial/calculus/derivative.hpp"
#include "axial/expr/traverse.hpp"
#include "axial/notation/elaborate.hpp"
#include "axial/notation/parse.hpp"
#include "axial/notation/print.hpp"
#include "calculus/agreement.hpp"
#include "support/generator.hpp"
#include "support/random_expression.hpp"

namespace axial::calculus {
namespace {

using notation::Form;
using notation::Tree;
using support::for_each_seed;
using support::Generator;

const Axis ax("ax"), seq("seq"), key("key"), val("val"), layer("layer"), hidden("hidden"),
    out("out"), kernel("kernel"), batch("batch"), user("user"), item("item"), factor("factor");

/// Tensors that formulas of these tests may use, by name.
struct Table : notation::Scope {
  notation::Names names;

  Table() {
    const std::vector<std::pair<std::string, Shape>> shapes{{"X", ax[3]},
                                                            {"Y", ax[3]},
                                                            {"P", ax[3]},
                                                            {"A", ax[3] * ax.prime()[3]},
                                                            {"ε", {}},
                                                            {"Q", key[3]},
                                                            {"K", seq[4] * key[3]},
                                                            {"V", seq[4] * val[2]},
                                                            {"x", layer[3]},
                                                            {"W", layer[3] * hidden[2]},
                                                            {"b", hidden[2]},
                                                            {"U", hidden[2] * out[2]},
                                                            {"Z", batch[4] * layer[3]},
                                                            {"B", batch[4]},
                                                            {"L", user[3] * factor[2]},
                                                            {"R", item[2] * factor[2]},
                                                            {"M", user[3] * item[2]},
                                                            {"S", seq[4]},
                                                            {"w", kernel[2]}};
    std::uint64_t seed = 1;
    for (const auto& [name, shape] : shapes) {
      const Tensor value = abs(Random(seed++).normal(shape, 0, 1, float64)) + 0.1;
      const Expr leaf = detached(value).expression();
      tensors.emplace(name, leaf);
      names.emplace(leaf.identity(), Tree{Form::name, {}, name, {}, {}});
    }
    const Expr positions = axial::tensor(out[2], {3, 1}, int64).expression();
    tensors.emplace("J", positions);
    names.emplace(positions.identity(), Tree{Form::name, {}, "J", {}, {}});
  }
  ElementType reals() const override { return float64; }

  Expr read(std::string_view formula) const {
    return notation::elaborate(notation::parse_formula(formula, notation::is_function), *this);
  }
  std::string text(const Expr& expression) const {
    return notation::to_text(formula_of(Step{expression}, {}, names));
  }
};

struct Case {
  std::string_view formula, variable, derivative;
};

// clang-format off
const Case results[] = {
    // Section 5 of the paper.
    {"X .ax X", "X", "2 X^*"},
    {"softmax_ax X", "X", "softmax_ax X ⊙ (I_{ax, ax*} - (softmax_ax X)^*)"},
    {"softmax_seq(Q .key K) .seq V", "V", "(softmax_seq(Q .key K))^* ⊙ I_{val, val*}"},
    {"softmax_seq(Q .key K) .seq V", "Q", "V .seq (softmax_seq(Q .key K) ⊙ (K_{key -> key*} - softmax_seq(Q .key K) .seq K_{key -> key*}))"},
    {"softmax_seq(Q .key K) .seq V", "K", "(softmax_seq(Q .key K))^* ⊙ Q^* ⊙ (V_{seq -> seq*} - softmax_seq(Q .key K) .seq V)"},
    // What is written again and again.
    {"standardize_ax(X, ε)", "X", "(I_{ax, ax*} - 1 / |ax| - standardize_ax(X, ε) ⊙ standardize_ax(X, ε)^* / |ax|) / sqrt(var_ax X + ε)"},
    {"logsumexp_ax X", "X", "(softmax_ax X)^*"},
    {"norm_ax X", "X", "X^* / norm_ax X"},
    {"mean_ax X", "X", "1 / |ax|"},
    {"var_ax X", "X", "2 (X - mean_ax X)^* / |ax|"},
    {"max_ax X", "X", "(argmax_ax X)^*"},
    {"cross_entropy_ax(X, P)", "X", "(sum_ax P) ⊙ (softmax_ax X)^* - P^*"},
    {"log_softmax_ax X", "X", "I_{ax, ax*} - (softmax_ax X)^*"},
    {"(A .ax X) .{ax'} X_{ax -> ax'}", "X", "X_{ax -> ax'} .ax' A_{ax -> ax*} + (A .ax X)_{ax' -> ax*}"},
    {"tanh(W .layer x + b) .hidden U", "x", "U .hidden ((1 - (tanh(W .layer x + b))^2) ⊙ W_{layer -> layer*})"},
    {"exp X ⊙ Y", "X", "Y ⊙ exp X ⊙ I_{ax, ax*}"},
    {"X / Y", "Y", "-X ⊙ I_{ax, ax*} / Y^2"},
    {"log(sum_ax exp X)", "X", "(softmax_ax X)^*"},
    {"softplus X", "X", "sigmoid X ⊙ I_{ax, ax*}"},
    {"log(1 + exp(-X))", "X", "-sigmoid(-X) ⊙ I_{ax, ax*}"},
    {"1 / (1 + exp(-X))", "X", "sigmoid X ⊙ (1 - sigmoid X) ⊙ I_{ax, ax*}"},
    {"sum_batch log(1 + exp(-(Z .layer x)))", "x", "-sigmoid(-Z .layer x) .batch Z_{layer -> layer*}"},
    {"gelu X", "X", "(1 + erf(X / sqrt(2)) + sqrt(2) ⊙ X ⊙ exp(-X^2 / 2) / sqrt π) ⊙ I_{ax, ax*} / 2"},
    {"silu X", "X", "(sigmoid X + silu X ⊙ (1 - sigmoid X)) ⊙ I_{ax, ax*}"},
    {"relu(W .layer x + b) .hidden U", "W", "[W .layer x + b > 0]^* ⊙ x^* ⊙ U_{hidden -> hidden*}"},
    {"prod_ax X", "X", "prod_ax X / X^*"},
    {"cross_entropy_ax(X, softmax_ax X)", "X", "(softmax_ax X)^* ⊙ (softmax_ax X .ax log_softmax_ax X - (log_softmax_ax X)^*)"},
    {"-(sum_batch (B ⊙ log sigmoid(Z .layer x) + (1 - B) ⊙ log(1 - sigmoid(Z .layer x))))", "x", "(sigmoid(Z .layer x) - B) .batch Z_{layer -> layer*}"},
    {"standardize_layer(Z, ε)", "Z", "(I_{layer, layer*} - 1 / |layer| - standardize_layer(Z, ε) ⊙ standardize_layer(Z, ε)_{layer -> layer*} / |layer|) ⊙ I_{batch, batch*} / sqrt(var_layer Z + ε)"},
    {"w .kernel unroll_{seq, kernel} V", "V", "(w .kernel unroll_{seq, kernel}(I_{seq, seq*})) ⊙ I_{val, val*}"},
    {"log X / log 2", "X", "I_{ax, ax*} / (log(2) ⊙ X)"},
    // Formulas that are printed count positions from one.
    {"index_seq(V, J)", "V", "index_seq(I_{seq, seq*}, J + 1) ⊙ I_{val, val*}"},
    {"mean_{batch, layer} Z^2", "Z", "2 Z^* / (|batch| ⊙ |layer|)"},
};
// clang-format on

class Results : public ::testing::TestWithParam<Case> {};

TEST_P(Results, read_like_those_of_the_paper) {
  const Table table;
  const auto& [formula, variable, derivative] = GetParam();
  const Derivation derivation =
      derive(table.read(formula), table.tensors.at(std::string(variable)));
  EXPECT_EQ(table.text(derivation.derivative), derivative);
}

/// The value of a step: what is pending stands for the differential of its subject, and the
/// parameters of lemmas for random tensors.
class Evaluation {
 public:
  Evaluation(const Pending& pending, const Expr& variable) : pending_(pending) {
    vary(variable, variable);
    for (const auto& [node, unfinished] : pending) {
      if (unfinished.subject.as<expr::Parameter>() != nullptr) name(unfinished.subject);
    }
  }

  Tensor operator()(const Expr& expression) {
    for (const Expr& node : expr::post_order({&expression, 1})) {
      const bool free = node.as<expr::Parameter>() != nullptr;
      if (free && !pending_.contains(node.identity())) name(node);
    }
    expr::Substitution values;
    for (const Expr& node : expr::post_order({&expression, 1})) {
      const auto found = pending_.find(node.identity());
      if (found != pending_.end()) values.emplace(node.identity(), change(found->second.subject));
    }
    return Tensor(expr::substitute(expr::substitute(expression, values), leaves_));
  }

 private:
  void vary(const Expr& node, const Expr& leaf) {
    const Tensor direction = Random(99 + changes_.size()).normal(node.shape(), 0, 1, float64);
    changes_.emplace_back(leaf, direction.expression());
  }
  /// Gives a parameter of a lemma a value, and a direction to change in.
  void name(const Expr& parameter) {
    if (leaves_.contains(parameter.identity())) return;
    const Tensor value =
        abs(Random(7 + leaves_.size()).normal(parameter.shape(), 0, 1, float64)) + 0.1;
    const Expr leaf = detached(value).expression();
    leaves_.emplace(parameter.identity(), leaf);
    const auto is_varied = [&](const auto& entry) {
      return entry.second.subject.identity() == parameter.identity();
    };
    if (std::ranges::any_of(pending_, is_varied)) vary(parameter, leaf);
  }
  Expr change(const Expr& subject) {
    for (const Expr& node : expr::post_order({&subject, 1})) {
      if (node.as<expr::Parameter>() != nullptr) name(node);
    }
    const Expr closed = expr::substitute(subject, leaves_);
    Expr sum = zeros(closed.type());
    for (const auto& [leaf, direction] : changes_) {
      sum = plus(sum, differential(closed, leaf, direction));
    }
    return sum;
  }

  const Pending& pending_;
  expr::Substitution leaves_;
  std::vector<std::pair<Expr, Expr>> changes_;
};

void expect_equal_steps(const std::vector<Step>& steps, Evaluation& value) {
  for (std::size_t k = 1; k < steps.size(); ++k) {
    EXPECT_TRUE(agree(value(steps[k].expression), value(steps[k - 1].expression), 1e-8))
        << "step " << k << ": " << cited(steps[k]);
  }
}

TEST_P(Results, follow_step_by_step) {
  const Table table;
  const Expr variable = table.tensors.at(std::string(GetParam().variable));
  const Expr result = table.read(GetParam().formula);
  const Derivation derivation = derive(result, variable);
  Evaluation value(derivation.pending, variable);
  for (const Lemma& lemma : derivation.lemmas) {
    SCOPED_TRACE(lemma.title);
    expect_equal_steps(lemma.steps, value);
  }
  std::vector<Step> steps = derivation.differential;
  steps.insert(steps.end(), derivation.canonical.begin(), derivation.canonical.end());
  expect_equal_steps(steps, value);
  EXPECT_TRUE(agree(Tensor(derivation.derivative), Tensor(derivative(result, variable)), 1e-9));
}

TEST_P(Results, cite_a_rule_for_every_step_but_the_first) {
  const Table table;
  const Derivation derivation =
      derive(table.read(GetParam().formula), table.tensors.at(std::string(GetParam().variable)));
  EXPECT_EQ(derivation.differential.front().rule, nullptr);
  for (std::size_t k = 1; k < derivation.differential.size(); ++k) {
    EXPECT_NE(derivation.differential[k].rule, nullptr);
  }
  for (const Step& step : derivation.canonical) EXPECT_NE(step.rule, nullptr);
}

INSTANTIATE_TEST_SUITE_P(calculus, Results, ::testing::ValuesIn(results), [](const auto& tested) {
  return "formula" + std::to_string(tested.index);
});

TEST(derivations, of_softmax_take_the_steps_of_the_paper) {
  const Table table;
  const Derivation derivation = derive(table.read("softmax_ax X"), table.tensors.at("X"));
  ASSERT_EQ(derivation.lemmas.size(), 1);
  std::vector<std::string> rules;
  for (const Step& step : derivation.lemmas[0].steps) rules.push_back(cited(step));
  EXPECT_THAT(rules, ::testing::ElementsAre("", "definition of softmax", "quotient rule",
                                            "elementwise rule (exp)", "summation rule",
                                            "elementwise rule (exp)", "distributive law", "algebra",
                                            "definition of softmax", "distributive law"));
}

TEST(derivations, of_attention_by_its_keys_pass_through_the_form_of_the_paper) {
  const Table table;
  const Derivation derivation =
      derive(table.read("softmax_seq(Q .key K) .seq V"), table.tensors.at("K"));
  const std::string last = notation::to_text(
      formula_of(derivation.differential.back(), derivation.pending, table.names));
  EXPECT_EQ(
      last,
      "V .seq (softmax_seq(Q .key K) ⊙ (Q .key ∂K - softmax_seq(Q .key K) .seq (Q .key ∂K)))");
}

void derivations_of_random_expressions_end_in_the_derivative(int seeds) {
  for_each_seed(seeds, [](Generator& generator) {
    const Tensor x = generator.tensor(generator.shape(Axis("a") & Axis("b")));
    const Expr y = support::random_expression(
        generator,
        {.operations = 6, .max_volume = 40, .smooth = true, .variables = {x.expression()}});
    const Derivation derivation = derive(y, x.expression());
    EXPECT_TRUE(agree(Tensor(derivation.derivative), Tensor(derivative(y, x.expression())), 1e-7));
    Evaluation value(derivation.pending, x.expression());
    expect_equal_steps(derivation.differential, value);
  });
}

TEST(derivations, of_random_expressions_end_in_the_derivative) {
  derivations_of_random_expressions_end_in_the_derivative(8);
}
TEST(slow_derivations, of_random_expressions_end_in_the_derivative) {
  derivations_of_random_expressions_end_in_the_derivative(40);
}

TEST(derivations, cite_the_differentials_of_one_phrase_on_several_axes_apart) {
  const Table table;
  const Derivation derivation =
      derive(table.read("softmax_batch Z ⊙ softmax_layer Z"), table.tensors.at("Z"));
  std::vector<std::string> titles;
  for (const Lemma& lemma : derivation.lemmas) titles.push_back(lemma.title);
  EXPECT_THAT(titles,
              ::testing::ElementsAre("differential of softmax", "differential of softmax_layer"));
}

TEST(derivations, cite_linearity_for_a_sign) {
  const Table table;
  const Derivation derivation = derive(table.read("-X"), table.tensors.at("X"));
  EXPECT_EQ(cited(derivation.differential[1]), "linearity");
}

TEST(derivations, take_one_idea_at_a_time_to_the_canonical_form) {
  const Table table;
  const Derivation derivation = derive(table.read("standardize_ax(X, ε)"), table.tensors.at("X"));
  std::vector<std::string> rules;
  for (const Step& step : derivation.canonical) rules.push_back(cited(step));
  EXPECT_THAT(rules, ::testing::ElementsAre("identity", "associativity", "definition of mean",
                                            "renaming by identity", "algebra",
                                            "definition of standardize"));
}

TEST(derivations, of_second_order_have_stars_and_daggers) {
  const Table table;
  const auto twice = [&](std::string_view formula, const std::string& variable) {
    const Expr x = table.tensors.at(variable);
    const Expr y = table.read(formula);
    const Expr second = derive(derive(y, x).derivative, x).derivative;
    EXPECT_TRUE(agree(Tensor(second), hessian(Tensor(y), Tensor(x)), 1e-9));
    return table.text(second);
  };
  EXPECT_EQ(twice("X .ax X", "X"), "2 I_{ax*, ax†}");
  EXPECT_EQ(twice("(A .ax X) .{ax'} X_{ax -> ax'}", "X"),
            "A_{ax -> ax*, ax' -> ax†} + A_{ax -> ax†, ax' -> ax*}");
  EXPECT_EQ(twice("softplus X", "X"), "sigmoid X ⊙ (1 - sigmoid X) ⊙ I_{ax, ax*} ⊙ I_{ax, ax†}");
  // Logistic regression and matrix factorisation.
  EXPECT_EQ(twice("sum_batch log(1 + exp(-B ⊙ (Z .layer x)))", "x"),
            "B^2 .batch (sigmoid(B ⊙ (Z .layer x)) ⊙ (1 - sigmoid(B ⊙ (Z .layer x))) ⊙ "
            "Z_{layer -> layer*} ⊙ Z_{layer -> layer†})");
  EXPECT_EQ(twice("-(sum_batch log(sigmoid(Z .layer x)))", "x"),
            "sigmoid(Z .layer x) .batch ((1 - sigmoid(Z .layer x)) ⊙ Z_{layer -> layer†} ⊙ "
            "Z_{layer -> layer*})");
  EXPECT_EQ(twice("sum_{user, item} (L .factor R - M)^2", "L"),
            "2 (R_{factor -> factor†} .item R_{factor -> factor*}) ⊙ I_{user*, user†}");
}

}  // namespace
}  // namespace axial::calculus
