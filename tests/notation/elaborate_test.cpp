// Formulas into expressions: what names, functions and sizes stand for.
#include "axial/notation/elaborate.hpp"

#include <gmock/gmock.h>

#include "axial/axial.hpp"
#include "diagnostics/expect.hpp"
#include "notation/sexpr.hpp"

namespace axial::notation {
namespace {

using diagnostics::error_of;
using diagnostics::expect_error;
using ::testing::ElementsAre;

const Axis height{"height"}, width{"width"}, seq{"seq"};
const Tensor A = tensor(height[3] * width[3], {3, 1, 4, 1, 5, 9, 2, 6, 5});
const Tensor x = tensor(height[3], {2, 7, 1});
const Tensor whole = tensor(seq[2], {2, 0}, int64);

Scope scope() {
  Scope names;
  names.tensors.emplace("A", A.expression());
  names.tensors.emplace("x", x.expression());
  names.tensors.emplace("I", whole.expression());
  return names;
}

Tensor meaning(std::string_view source, const Scope& names = scope()) {
  return Tensor(elaborate(parse_formula(source, is_function), names));
}

TEST(formula, means_what_cpp_means) {
  EXPECT_TRUE(identical(meaning("A .height x"), A * height * x));
  EXPECT_TRUE(identical(meaning("sum_{height, width} A"), sum(height & width, A)));
  EXPECT_TRUE(identical(meaning("A + x ⊙ x"), A + x * x));
  EXPECT_TRUE(identical(meaning("softmax_width A"), softmax(width, A)));
  EXPECT_TRUE(identical(meaning("max_height A"), max(height, A)));
  EXPECT_TRUE(identical(meaning("max(A, x)"), max(A, x)));
  EXPECT_TRUE(identical(meaning("index_height(A, I)"), index(height, A, whole)));
  EXPECT_TRUE(identical(meaning("cumsum_height x"), cumsum(height, x)));
  EXPECT_TRUE(identical(meaning("norm_p_height(x, 3)"), norm_p(height, x, 3)));
  EXPECT_TRUE(identical(meaning("det_{height, width} A"), det(height & width, A)));
  EXPECT_TRUE(identical(meaning("where(A > 3, A, 0)"), where(A > 3, A, 0)));
}

TEST(formula, may_put_several_axes_under_a_phrase) {
  EXPECT_TRUE(identical(meaning("mean_{height, width} A"), mean(height & width, A)));
  EXPECT_TRUE(identical(meaning("softmax_{height, width} A"), softmax(height & width, A)));
  EXPECT_TRUE(identical(meaning("norm_{height, width} A"), norm(height & width, A)));
}

TEST(sizes, are_those_of_the_tensors_in_scope) {
  EXPECT_EQ(meaning("|height|").item(), 3);
  Scope names = scope();
  names.formal_axes.emplace("ax", height & width);
  EXPECT_EQ(meaning("|ax|", names).item(), 9);
  expect_error("unknown-axis", [] { meaning("|depth|"); });
}

TEST(formal_axes, stand_for_one_or_several_axes) {
  Scope names = scope();
  names.formal_axes.emplace("ax", height);
  EXPECT_TRUE(identical(meaning("sum_ax A", names), sum(height, A)));
  names.formal_axes.insert_or_assign("ax", height & width);
  EXPECT_TRUE(identical(meaning("sum_ax A", names), sum(height & width, A)));
}

TEST(truth, is_one_or_zero_in_the_type_of_what_is_compared) {
  const Tensor truth = meaning("[x = 7]");
  EXPECT_EQ(truth.type(), float32);
  EXPECT_THAT(truth.values({height}), ElementsAre(0, 1, 0));
  EXPECT_EQ(meaning("[I = 0]").type(), int64);
  EXPECT_EQ(meaning("x = 7").type(), boolean);
}

TEST(identities, have_the_type_of_reals_that_the_environment_says) {
  const Tensor renamed = meaning("A .height I_{height, seq}");
  EXPECT_TRUE(identical(renamed, A[height >> seq]));
}

TEST(square_brackets, group_what_is_no_comparison) {
  EXPECT_TRUE(identical(meaning("[x + x] ⊙ x"), meaning("(x + x) ⊙ x")));
  EXPECT_TRUE(identical(meaning("[x + x]_{height(1)}"), meaning("(x + x)_{height(1)}")));
}

TEST(numbers, take_the_type_that_they_meet) {
  EXPECT_EQ(meaning("I + 1").type(), int64);
  EXPECT_EQ(meaning("x + 1").type(), float32);
  expect_error("element-type", [] { meaning("I + 0.5"); });
}

TEST(errors, stand_at_the_part_that_is_wrong) {
  const auto place = [](std::string_view source) {
    const auto error = error_of([&] { meaning(source); });
    return std::string(
        source.substr(error->span()->begin, error->span()->end - error->span()->begin));
  };
  EXPECT_EQ(place("x + B"), "B");
  EXPECT_EQ(place("x + sum_depth A"), "sum_depth A");
  EXPECT_EQ(place("exp(x) + exp(I)"), "exp(I)");
  EXPECT_EQ(place("1 + x .width x"), "x .width x");
}

TEST(errors, inside_a_phrase_stand_where_the_phrase_is_used) {
  for (const std::string source : {"x + mean_seq I", "x + softmax_seq I", "x + var_seq I"}) {
    const auto error = error_of([&] { meaning(source); });
    ASSERT_TRUE(error.has_value());
    EXPECT_EQ(error->span(), (Span{4, source.size()})) << source;
  }
}

TEST(functions, are_known_by_name) {
  EXPECT_TRUE(is_function("exp"));
  EXPECT_TRUE(is_function("sum"));
  EXPECT_TRUE(is_function("det"));
  EXPECT_TRUE(is_function("index"));
  EXPECT_TRUE(is_function("softmax"));
  EXPECT_FALSE(is_function("no_such_function"));
  EXPECT_FALSE(is_function(""));
}

TEST(functions, are_refused_with_the_wrong_number_of_operands_or_axes) {
  expect_error("wrong-arity", [] { meaning("exp(x, x)"); });
  expect_error("wrong-arity", [] { meaning("max_height(x, x)"); });
  expect_error("wrong-arity", [] { meaning("index_height(x)"); });
  expect_error("wrong-arity", [] { meaning("det_height A"); });
  expect_error("wrong-arity", [] { meaning("softmax_height(x, x)"); });
  expect_error("wrong-arity", [] { meaning("norm_p_height x"); });
}

}  // namespace
}  // namespace axial::notation
