// The prelude: every phrase is well formed, computes what it means, and has a spelling in C++.
#include "axial/notation/phrases.hpp"

#include <gmock/gmock.h>

#include <set>

#include "axial/axial.hpp"
#include "axial/expr/lambda.hpp"
#include "diagnostics/expect.hpp"
#include "notation/sexpr.hpp"

namespace axial::notation {
namespace {

using diagnostics::expect_error;

const Axis seq{"seq"}, batch{"batch"};

/// Random arguments on the axes of the signature, `seq` for every formal axis, `extra` for all.
std::vector<Tensor> arguments_of(const Phrase& phrase, const Shape& extra = {}) {
  Random random(7);
  std::vector<Tensor> arguments;
  for (const Domain& domain : phrase.signature.parameters) {
    const Shape own = domain.axes.empty() ? Shape{} : Shape(seq[5]);
    // Positive, since some phrases take powers; a scalar next to a vector is a parameter like p.
    arguments.push_back(random.uniform(own * (own.order() > 0 ? extra : Shape{}), 0.5, 2, float64));
  }
  return arguments;
}

std::vector<Axes> axes_of(const Phrase& phrase) {
  return std::vector<Axes>(phrase.signature.axes.size(), seq);
}

std::vector<expr::Expr> expressions(const std::vector<Tensor>& tensors) {
  std::vector<expr::Expr> all;
  for (const Tensor& tensor : tensors) all.push_back(tensor.expression());
  return all;
}

TEST(phrases, are_there) {
  EXPECT_GE(phrases().size(), 10);
  EXPECT_NE(find_phrase("softmax"), nullptr);
  EXPECT_EQ(find_phrase("no_such_phrase"), nullptr);
}

TEST(phrases, have_names_of_their_own) {
  std::set<std::string> names;
  for (const Phrase& phrase : phrases()) {
    const std::string& name = phrase.signature.name;
    EXPECT_TRUE(names.insert(name).second) << name;
    EXPECT_EQ(find_word(name), nullptr) << name;
    EXPECT_EQ(find_reduction(name), nullptr) << name;
    EXPECT_EQ(find_primitive(name), nullptr) << name;
  }
}

TEST(phrases, have_definitions_that_match_their_signatures) {
  for (const Phrase& phrase : phrases()) {
    EXPECT_FALSE(phrase.meaning.computed) << phrase.signature.name;
    for (const Definition& definition : {phrase.meaning, phrase.computed()}) {
      EXPECT_EQ(definition.name, phrase.signature.name);
      EXPECT_EQ(definition.axes.size(), phrase.signature.axes.size()) << definition.name;
      EXPECT_EQ(definition.parameters.size(), phrase.signature.parameters.size())
          << definition.name;
    }
  }
}

TEST(phrases, have_results_of_the_shape_that_their_signatures_say) {
  for (const Phrase& phrase : phrases()) {
    const Shape own = phrase.signature.result.axes.empty() ? Shape{} : Shape(seq[5]);
    const Tensor result =
        plain::phrase(phrase.signature.name, axes_of(phrase), arguments_of(phrase));
    EXPECT_EQ(result.shape(), own) << phrase.signature.name;
    EXPECT_EQ(result.type(), float64) << phrase.signature.name;
  }
}

TEST(phrases, are_lifted) {
  for (const Phrase& phrase : phrases()) {
    const auto lifted =
        plain::phrase(phrase.signature.name, axes_of(phrase), arguments_of(phrase, batch[2]));
    if (phrase.signature.axes.empty()) continue;
    EXPECT_TRUE(lifted.shape().contains(batch)) << phrase.signature.name;
    auto first = arguments_of(phrase, batch[2]);
    for (Tensor& argument : first) {
      if (argument.shape().contains(batch)) argument = argument[batch(0)];
    }
    EXPECT_TRUE(
        identical(lifted[batch(0)], plain::phrase(phrase.signature.name, axes_of(phrase), first)))
        << phrase.signature.name;
  }
}

TEST(phrases, compute_what_they_mean) {
  for (const Phrase& phrase : phrases()) {
    const auto arguments = expressions(arguments_of(phrase));
    const Tensor meant(apply_phrase(phrase, phrase.meaning, axes_of(phrase), arguments));
    const Tensor computed(apply_phrase(phrase, phrase.computed(), axes_of(phrase), arguments));
    const Axes order = meant.shape().names();
    EXPECT_THAT(computed.values(order),
                ::testing::Pointwise(::testing::DoubleNear(1e-12), meant.values(order)))
        << phrase.signature.name;
  }
}

TEST(phrases, have_the_same_type_however_they_are_computed) {
  for (const Phrase& phrase : phrases()) {
    const auto arguments = expressions(arguments_of(phrase));
    const auto meant = apply_phrase(phrase, phrase.meaning, axes_of(phrase), arguments);
    const auto computed = apply_phrase(phrase, phrase.computed(), axes_of(phrase), arguments);
    EXPECT_EQ(meant.type(), computed.type()) << phrase.signature.name;
  }
}

TEST(phrases, over_an_empty_axis_compute_what_they_mean) {
  const Tensor empty = zeros(seq[0]);
  for (const Phrase& phrase : phrases()) {
    if (phrase.signature.result.axes.empty() || phrase.signature.parameters.size() != 1) continue;
    const std::vector<expr::Expr> arguments{empty.expression()};
    try {
      apply_phrase(phrase, phrase.meaning, {seq}, arguments);
    } catch (const Error&) {
      continue;  // without a meaning there is nothing to compute
    }
    EXPECT_NO_THROW(plain::phrase(phrase.signature.name, {seq}, {empty}).array())
        << phrase.signature.name;
  }
}

TEST(phrases, are_calls_that_know_their_names_and_axes) {
  const Tensor x = ones(seq[3] * batch[2]);
  const auto softmax = plain::phrase("softmax", {seq}, {x}).expression();
  const auto* call = softmax.as<expr::Call>();
  ASSERT_NE(call, nullptr);
  EXPECT_EQ(call->function->name, "softmax");
  EXPECT_EQ(call->function->axes, Axes(seq));
}

TEST(phrases, refuse_the_wrong_number_of_arguments_or_axes) {
  for (const Phrase& phrase : phrases()) {
    SCOPED_TRACE(phrase.signature.name);
    std::vector<Tensor> arguments = arguments_of(phrase);
    arguments.push_back(arguments[0]);
    expect_error("wrong-arity",
                 [&] { plain::phrase(phrase.signature.name, axes_of(phrase), arguments); });
    expect_error("wrong-arity", [&] { plain::phrase(phrase.signature.name, axes_of(phrase), {}); });
  }
}

}  // namespace
}  // namespace axial::notation
