// Functions with signatures, and recurrences.
#include <axial/axial.hpp>
#include <gmock/gmock.h>

#include "diagnostics/expect.hpp"

namespace axial {
namespace {

using diagnostics::expect_error;
using ::testing::ElementsAre;

const Axis seq{"seq"}, key{"key"}, val{"val"}, layer{"layer"}, batch{"batch"}, hidden{"hidden"};

const Function total = function("total", {seq}, Axes{}, [](Tensor x) { return sum(seq, x); });

TEST(function, sees_exactly_the_axes_of_its_signature) {
  std::vector<Shape> seen;
  const Function spy = function({seq, Axes{}}, Axes{}, [&](Tensor x, Tensor y) {
    seen = {x.shape(), y.shape()};
    return sum(seq, x) + y;
  });
  const Tensor result = spy(ones(seq[3] * batch[2]), ones(key[4]));
  EXPECT_THAT(seen, ElementsAre(Shape(seq[3]), Shape{}));
  EXPECT_EQ(result.shape(), batch[2] * key[4]);
}

TEST(function, may_be_lifted_over_an_axis_that_another_argument_has_as_its_own) {
  const Function attention =
      function({key, seq & key, seq & val}, val, [](Tensor Q, Tensor K, Tensor V) {
        return softmax(seq, Q * key * K / std::sqrt(static_cast<double>(K.size(key)))) * seq * V;
      });
  Random random(1);
  const Tensor Q = random.normal(seq[5] * key[4]), K = random.normal(seq[3] * key[4]);
  const Tensor V = random.normal(seq[3] * val[2]);
  const Tensor result = attention(Q, K, V);
  EXPECT_EQ(result.shape(), seq[5] * val[2]);
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(identical(result[seq(i)], attention(Q[seq(i)], K, V)));
}

TEST(function, may_be_lifted_over_an_axis_that_its_body_uses) {
  const Tensor W = Random(2).normal(layer.prime()[3] * layer[2]);
  const Function full_conn = function(
      {layer}, layer, [&](Tensor x) { return sigmoid(W * layer * x)[layer.prime() >> layer]; });
  const Tensor x = Random(3).normal(layer[2] * layer.prime()[4]);
  const Tensor result = full_conn(x);
  EXPECT_EQ(result.shape(), layer[3] * layer.prime()[4]);
  for (int i = 0; i < 4; ++i) {
    EXPECT_TRUE(identical(result[layer.prime()(i)], full_conn(x[layer.prime()(i)])));
  }
}

TEST(function, takes_numbers_and_gives_numbers) {
  const Function square = function({Axes{}}, Axes{}, [](Tensor x) { return x * x; });
  EXPECT_EQ(square(3).item(), 9);
  EXPECT_EQ(square(0.1).item(), 0.1 * 0.1);
  EXPECT_EQ((ones(seq[2], float64) * square(3)).type(), float64);
  EXPECT_EQ(square(ones(seq[2], int32)).type(), int32);
}

TEST(function, may_take_no_argument_and_many) {
  const Function constant = function("constant", {}, Axes{}, [] { return Tensor(7); });
  EXPECT_EQ(constant().item(), 7);
  const Axes none;
  const Function eight = function({none, none, none, none, none, none, none, none}, none,
                                  [](Tensor a, Tensor b, Tensor c, Tensor d, Tensor e, Tensor f,
                                     Tensor g, Tensor h) { return a + b + c + d + e + f + g + h; });
  EXPECT_EQ(eight(1, 2, 3, 4, 5, 6, 7, 8).item(), 36);
}

TEST(function, may_call_other_functions_and_itself_in_layers) {
  const Function twice = function({seq}, Axes{}, [](Tensor x) { return total(x) + total(2 * x); });
  EXPECT_EQ(twice(ones(seq[3])).item(), 9);
  EXPECT_THAT(twice(ones(seq[3] * batch[2])).values({batch}), ElementsAre(9, 9));
}

TEST(function, is_a_value) {
  Function copy = total;
  copy = function({seq}, Axes{}, [](Tensor x) { return max(seq, x); });
  EXPECT_EQ(copy(iota(seq[4])).item(), 3);
  EXPECT_EQ(total(iota(seq[4])).item(), 6);
}

TEST(function, may_be_applied_to_a_list) {
  EXPECT_EQ(total.apply({ones(seq[3])}).item(), 3);
  expect_error("wrong-arity", [] { total.apply({}); });
}

TEST(function, body_may_capture_tensors_with_other_axes) {
  const Tensor weights = tensor(seq[3], {1, 2, 3});
  const Function weighted = function({seq}, Axes{}, [&](Tensor x) { return x * seq * weights; });
  EXPECT_THAT(weighted(ones(seq[3] * key[2])).values({key}), ElementsAre(6, 6));
}

TEST(scan, runs_a_recurrence_along_an_axis) {
  const auto add = [](Tensor s, Tensor x) { return s + x; };
  const Tensor x = tensor(seq[4], {1, 2, 3, 4});
  EXPECT_THAT(scan(seq, 0, x, add).values({seq}), ElementsAre(1, 3, 6, 10));
  EXPECT_THAT(scan(seq, 10, x, add).values({seq}), ElementsAre(11, 13, 16, 20));
  EXPECT_THAT(scan(seq, 0, x, add, {.reverse = true}).values({seq}), ElementsAre(10, 9, 7, 4));
}

TEST(scan, keeps_all_states_and_is_lifted_over_other_axes) {
  const Tensor x = Random(4).normal(seq[3] * batch[2] * hidden[2]);
  const Tensor W = Random(5).normal(hidden[2] * hidden.prime()[2]);
  const auto step = [&](Tensor h, Tensor input) {
    return sigmoid(W * hidden * h + input[hidden >> hidden.prime()])[hidden.prime() >> hidden];
  };
  const Tensor states = scan(seq, zeros(hidden[2]), x, step);
  EXPECT_EQ(states.shape(), seq[3] * batch[2] * hidden[2]);
  Tensor h = zeros(hidden[2]);
  for (int t = 0; t < 3; ++t) {
    h = step(h, x[seq(t)]);
    EXPECT_TRUE(identical(states[seq(t)], h));
  }
}

TEST(scan, takes_several_sequences_and_captured_tensors) {
  const Tensor x = tensor(seq[3], {1, 2, 3}), y = tensor(seq[3], {10, 20, 30}),
               c = tensor(key[2], {1, 2});
  const Tensor states = scan(seq, zeros(key[2]), {x, y},
                             [&](Tensor s, Tensor a, Tensor b) { return s + c * (a + b); });
  EXPECT_THAT(states.values({seq, key}), ElementsAre(11, 22, 33, 66, 66, 132));
}

TEST(scan, of_several_states_gives_them_all) {
  const Tensor x = ones(seq[6], int64);
  const auto fibonacci = [](Tensor a, Tensor b, Tensor) { return std::vector<Tensor>{b, a + b}; };
  const auto states = scan(seq, std::vector<Tensor>{0, 1}, std::vector<Tensor>{x}, fibonacci);
  ASSERT_EQ(states.size(), 2);
  EXPECT_THAT(states[0].values({seq}), ElementsAre(1, 1, 2, 3, 5, 8));
}

TEST(scan, over_an_empty_axis_has_no_states) {
  const Tensor states =
      scan(seq, zeros(key[2]), zeros(seq[0] * key[2]), [](Tensor s, Tensor x) { return s + x; });
  EXPECT_EQ(states.shape(), seq[0] * key[2]);
  EXPECT_EQ(states.values({seq, key}).size(), 0);
}

TEST(scan, over_a_long_axis_is_one_node) {
  const Tensor states = scan(seq, 0, ones(seq[10'000]), [](Tensor s, Tensor x) { return s + x; });
  EXPECT_NE(states.expression().as<expr::Scan>(), nullptr);
  EXPECT_EQ(states[seq(9'999)].item(), 10'000);
}

TEST(scan, may_stand_inside_a_function) {
  const Function last = function({seq}, Axes{}, [](Tensor x) {
    return scan(seq, 0, x, [](Tensor s, Tensor y) { return s + y; })[seq(x.size(seq) - 1)];
  });
  EXPECT_THAT(last(ones(seq[3] * batch[2])).values({batch}), ElementsAre(3, 3));
}

}  // namespace
}  // namespace axial
