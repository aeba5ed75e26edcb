// Tensors whose names the compiler knows: their values are those of plain tensors.
#include <axial/axial.hpp>
#include <gmock/gmock.h>

#include "diagnostics/expect.hpp"

using namespace axial;

namespace {

using diagnostics::expect_error;
using ::testing::ElementsAre;

constexpr axis<"seq"> seq;
constexpr axis<"key"> key;
constexpr axis<"val"> val;
constexpr axis<"layer"> layer;
constexpr axis<"heads"> heads;

const Tensor plain_K = tensor(seq[2] * key[3], {1, 2, 3, 4, 5, 6});
const Named<"seq", "key"> K(plain_K);
const Named<"key"> q(tensor(key[3], {1, 0, 2}));

TEST(named, holds_a_tensor_with_its_axes) {
  EXPECT_EQ(K.shape(), seq[2] * key[3]);
  EXPECT_EQ(K.type(), float32);
  EXPECT_EQ(K.size(seq), 2);
  EXPECT_EQ(K.size(Axis("key")), 3);
  EXPECT_THAT(K.values({key, seq}), ElementsAre(1, 4, 2, 5, 3, 6));
  EXPECT_THAT(q.values<float>(key), ElementsAre(1, 0, 2));
}

TEST(named, comes_from_a_tensor_with_exactly_these_axes) {
  expect_error("unknown-axis", [] { Named<"seq", "val">{plain_K}; });
  expect_error("unexpected-axis", [] { Named<"seq">{plain_K}; });
  expect_error("unexpected-axis", [] { Named<>{plain_K}; });
  const Named<"key", "seq"> other_order(plain_K);
  EXPECT_TRUE(identical(other_order, plain_K));
}

TEST(named, becomes_a_tensor_by_itself) {
  const Tensor tensor = K;
  EXPECT_TRUE(identical(tensor, plain_K));
  EXPECT_TRUE(identical(K + plain_K, plain_K * 2));
}

TEST(named, without_a_value_is_empty_or_zero) {
  EXPECT_EQ((Named<"seq", "key">().shape()), seq[0] * key[0]);
  EXPECT_EQ(Named<>().item(), 0);
  EXPECT_EQ(Named<>(2.5).item(), 2.5);
  const Named<> number = 3;
  EXPECT_EQ(number.item(), 3);
}

TEST(named, is_a_value) {
  Named<"key"> copy = q;
  copy = copy + 1;
  EXPECT_THAT(copy.values(key), ElementsAre(2, 1, 3));
  EXPECT_THAT(q.values(key), ElementsAre(1, 0, 2));
}

TEST(named, computes_what_tensors_compute) {
  const Tensor plain_q = q;
  EXPECT_TRUE(identical(q * key * K, plain_q * Axis(key) * plain_K));
  EXPECT_TRUE(identical(softmax(seq, K), softmax(Axis("seq"), plain_K)));
  EXPECT_TRUE(identical(sum(seq & key, K), sum(Axis("seq") & Axis("key"), plain_K)));
  EXPECT_TRUE(identical(K[seq(1)], plain_K[Axis("seq")(1)]));
  EXPECT_TRUE(
      identical(K[seq(0, 1), key >> val], plain_K[Axis("seq")(0, 1), Axis("key") >> Axis("val")]));
  EXPECT_TRUE(
      identical(K[(seq & key) >> layer], plain_K[(Axis("seq") & Axis("key")) >> Axis("layer")]));
  EXPECT_TRUE(
      identical(K[(key & seq) >> layer], plain_K[(Axis("key") & Axis("seq")) >> Axis("layer")]));
}

TEST(named, flattens_and_splits_in_the_order_written) {
  const auto flat = K[(key & seq) >> layer];
  EXPECT_THAT(flat.values(layer), ElementsAre(1, 4, 2, 5, 3, 6));
  EXPECT_TRUE(identical(flat[layer >> (key[3] & seq)], K));
  EXPECT_TRUE(identical(flat[layer >> (key & seq[2])], K));
  expect_error("size-clash", [&] { flat[layer >> (key[4] & seq)]; });
}

TEST(named, still_checks_sizes_when_the_program_runs) {
  expect_error("size-clash", [] { K + Named<"key">(ones(key[4])); });
  expect_error("index-out-of-range", [] { K[seq(2)]; });
  expect_error("window-size", [] { unroll(key, heads[4], K); });
}

TEST(named, can_be_evaluated_and_printed) {
  const auto doubled = eval(K * 2);
  static_assert(std::same_as<decltype(doubled), const Named<"seq", "key">>);
  eval(doubled, q);
  std::ostringstream text, plain;
  text << doubled;
  plain << Tensor(doubled);
  EXPECT_EQ(text.str(), plain.str());
}

TEST(named, scalars_can_be_asked_for_their_value) {
  EXPECT_EQ(sum(seq & key, K).item(), 21);
  EXPECT_EQ((K[seq(1), key(2)].item()), 6);
}

/// One definition for tensors of both kinds.
template <class Queries, class Keys, class Values>
auto attention(const Queries& Q, const Keys& keys, const Values& V) {
  return softmax(seq, Q * key * keys / std::sqrt(static_cast<double>(keys.size(key)))) * seq * V;
}

TEST(generic_functions, serve_tensors_of_both_kinds) {
  const Named<"seq", "val"> V(tensor(seq[2] * val[2], {1, 2, 3, 4}));
  const auto named = attention(q, K, V);
  static_assert(std::same_as<decltype(named), const Named<"val">>);
  const Tensor plain = attention(Tensor(q), plain_K, Tensor(V));
  EXPECT_TRUE(identical(named, plain));
  const auto many = attention(Named<"key", "seq'">(ones(key[3] * seq.prime()[4])), K, V);
  static_assert(std::same_as<decltype(many), const Named<"val", "seq'">>);
}

TEST(generic_functions, may_be_concepts_of_tensors) {
  const auto energy = [](const TensorLike auto& x) { return sum(key, x * x); };
  EXPECT_EQ(energy(q).item(), 5);
  EXPECT_EQ(energy(Tensor(q)).item(), 5);
  static_assert(std::same_as<decltype(energy(K)), Named<"seq">>);
}

TEST(function, takes_named_arguments_and_gives_a_tensor) {
  const Function total = function({key}, Axes{}, [](Tensor x) { return sum(key, x); });
  EXPECT_THAT(total(K).values(seq), ElementsAre(6, 15));
  static_assert(std::same_as<decltype(total(K)), Tensor>);
}

TEST(decorated_axes, of_the_compiler_and_of_the_program_meet) {
  const auto primed = K[key >> key.prime()];
  EXPECT_EQ(primed.shape(), seq[2] * Axis("key").prime()[3]);
  const Named<"key'", "seq"> same(plain_K[Axis("key") >> Axis("key'")]);
  EXPECT_TRUE(identical(primed, same));
  const Named<"key", "key'*"> derivative(ones(key[2] * key.star().prime()[2]));
  EXPECT_EQ(derivative.size(key.prime().star()), 2);
}

}  // namespace
