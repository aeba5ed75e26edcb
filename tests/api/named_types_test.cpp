// The type that the compiler gives to every operation on tensors whose names it knows.
#include <axial/axial.hpp>
#include <gmock/gmock.h>

using namespace axial;

namespace {

constexpr axis<"seq"> seq;
constexpr axis<"key"> key;
constexpr axis<"val"> val;
constexpr axis<"layer"> layer;
constexpr axis<"kernel"> kernel;
const Axis unknown{"seq"};

using Matrix = Named<"seq", "key">;
using Vector = Named<"seq">;
using Scalar = Named<>;

/// A value of the type, for use inside decltype only.
template <class T>
const T& a();

template <class Expected, class Found>
constexpr bool is = std::same_as<Expected, std::remove_cvref_t<Found>>;

TEST(named, is_a_set_and_not_a_tuple) {
  static_assert(is<Named<"a", "b">, Named<"b", "a">>);
  static_assert(is<Named<"c", "a", "b">, Named<"b", "c", "a">>);
  static_assert(!is<Named<"a">, Named<"b">>);
  static_assert(!is<Named<"a">, Named<"a'">>);
}

TEST(named, elementwise_words_unite_the_names) {
  static_assert(is<Matrix, decltype(a<Matrix>() + a<Vector>())>);
  static_assert(is<Named<"seq", "val">, decltype(a<Vector>() * a<Named<"val">>())>);
  static_assert(is<Matrix, decltype(a<Matrix>() / 2)>);
  static_assert(is<Matrix, decltype(1 - a<Matrix>())>);
  static_assert(is<Matrix, decltype(-a<Matrix>())>);
  static_assert(is<Matrix, decltype(exp(a<Matrix>()))>);
  static_assert(is<Matrix, decltype(max(a<Matrix>(), 0))>);
  static_assert(is<Matrix, decltype(pow(a<Matrix>(), a<Vector>()))>);
  static_assert(is<Matrix, decltype(a<Matrix>() < a<Vector>())>);
  static_assert(is<Matrix, decltype(!(a<Matrix>() == 1) && a<Matrix>() > 0)>);
  static_assert(
      is<Named<"seq", "key", "val">, decltype(where(a<Matrix>() > 0, a<Named<"val">>(), 0))>);
  static_assert(is<Matrix, decltype(gelu(a<Matrix>()))>);
  static_assert(is<Matrix, decltype(silu(softplus(a<Matrix>())))>);
  static_assert(is<Scalar, decltype(a<Scalar>() + 1)>);
}

TEST(named, reductions_drop_names) {
  static_assert(is<Named<"key">, decltype(sum(seq, a<Matrix>()))>);
  static_assert(is<Scalar, decltype(sum(seq & key, a<Matrix>()))>);
  static_assert(is<Scalar, decltype(prod(key & seq, a<Matrix>()))>);
  static_assert(is<Vector, decltype(max(key, a<Matrix>()))>);
  static_assert(is<Vector, decltype(logsumexp(key, a<Matrix>()))>);
  static_assert(is<Vector, decltype(any(key, a<Matrix>() > 0))>);
  static_assert(is<Vector, decltype(mean(key, a<Matrix>()))>);
  static_assert(is<Vector, decltype(var(key, a<Matrix>()))>);
  static_assert(is<Vector, decltype(norm(key, a<Matrix>()))>);
  static_assert(is<Vector, decltype(norm_p(key, a<Matrix>(), 3))>);
  static_assert(is<Vector, decltype(index_of_max(key, a<Matrix>()))>);
  static_assert(is<Scalar, decltype(det(seq & key, a<Matrix>()))>);
  static_assert(is<Vector, decltype(cross_entropy(key, a<Matrix>(), a<Named<"key">>()))>);
}

TEST(named, reductions_take_sets_however_they_are_put_together) {
  using Cube = Named<"seq", "key", "val">;
  static_assert(is<Scalar, decltype(sum(seq & key & val, a<Cube>()))>);
  static_assert(is<Vector, decltype(sum(key & val, a<Cube>()))>);
}

TEST(named, contraction_drops_its_axes_and_unites_the_rest) {
  static_assert(is<Vector, decltype(a<Matrix>() * key * a<Named<"key">>())>);
  static_assert(is<Named<"seq", "val">, decltype(a<Matrix>() * key * a<Named<"key", "val">>())>);
  static_assert(is<Scalar, decltype(a<Matrix>() * (seq & key) * a<Matrix>())>);
  static_assert(is<Vector, decltype(dot(key, a<Matrix>(), a<Matrix>()))>);
  static_assert(is<Vector, decltype(dot(key, a<Matrix>(), a<Vector>(), a<Named<"key">>()))>);
}

TEST(named, functions_along_an_axis_keep_the_names) {
  static_assert(is<Matrix, decltype(softmax(seq, a<Matrix>()))>);
  static_assert(is<Matrix, decltype(softmax(seq & key, a<Matrix>()))>);
  static_assert(is<Matrix, decltype(log_softmax(seq, a<Matrix>()))>);
  static_assert(is<Matrix, decltype(argmax(seq, a<Matrix>()))>);
  static_assert(is<Matrix, decltype(argmin(seq, a<Matrix>()))>);
  static_assert(is<Matrix, decltype(standardize(seq, a<Matrix>()))>);
  static_assert(is<Matrix, decltype(sort(seq, a<Matrix>()))>);
  static_assert(is<Matrix, decltype(order(seq, a<Matrix>()))>);
  static_assert(is<Matrix, decltype(cumsum(seq, a<Matrix>()))>);
  static_assert(is<Matrix, decltype(reverse(seq, a<Matrix>()))>);
  static_assert(is<Matrix, decltype(pad(seq, 1, 1, a<Matrix>()))>);
  static_assert(is<Matrix, decltype(inverse(seq & key, a<Matrix>()))>);
  static_assert(is<Matrix, decltype(to(float64, a<Matrix>()))>);
  static_assert(is<Named<"key">, decltype(solve(seq, key, a<Matrix>(), a<Vector>()))>);
}

TEST(named, subscripts_compute_names) {
  static_assert(is<Named<"key">, decltype(a<Matrix>()[seq(0)])>);
  static_assert(is<Scalar, decltype(a<Matrix>()[seq(0), key(1)])>);
  static_assert(is<Matrix, decltype(a<Matrix>()[seq(0, 2)])>);
  static_assert(is<Matrix, decltype(a<Matrix>()[seq(0, 4, 2), key(0, 1)])>);
  static_assert(is<Named<"val", "key">, decltype(a<Matrix>()[seq >> val])>);
  static_assert(is<Named<"seq'", "key">, decltype(a<Matrix>()[seq >> seq.prime()])>);
  static_assert(is<Matrix, decltype(a<Matrix>()[seq >> key, key >> seq])>);
  static_assert(is<Named<"layer">, decltype(a<Matrix>()[(seq & key) >> layer])>);
  static_assert(is<Named<"val", "layer", "key">, decltype(a<Matrix>()[seq >> (val[2] & layer)])>);
  static_assert(is<Named<"val", "layer", "key">, decltype(a<Matrix>()[seq >> (val & layer[2])])>);
  static_assert(
      is<Named<"val", "layer", "key">, decltype(a<Matrix>()[seq >> (val[2] & layer[2])])>);
  static_assert(is<Named<"val">, decltype(a<Matrix>()[seq(0), key >> val])>);
}

TEST(named, indexing_by_a_tensor_replaces_a_name_by_those_of_the_indices) {
  static_assert(is<Named<"key", "val">, decltype(index(seq, a<Matrix>(), a<Named<"val">>()))>);
  static_assert(is<Named<"key">, decltype(index(seq, a<Matrix>(), 2))>);
  static_assert(is<Named<"key">, decltype(index(seq, a<Matrix>(), a<Named<"key">>()))>);
  static_assert(is<Matrix, decltype(index(seq, a<Matrix>(), a<Vector>()))>);
}

TEST(named, windows_and_selections_add_a_name) {
  static_assert(is<Named<"seq", "key", "kernel">, decltype(unroll(seq, kernel[3], a<Matrix>()))>);
  static_assert(is<Named<"seq", "key", "kernel">,
                   decltype(unroll(seq, kernel[3], a<Matrix>(), {.stride = 2}))>);
  static_assert(is<Named<"seq", "key", "kernel">, decltype(pool(seq, kernel[2], a<Matrix>()))>);
  static_assert(is<Named<"kernel", "key">, decltype(top_k(seq, kernel[2], a<Matrix>()))>);
  static_assert(is<Named<"kernel", "key">, decltype(top_k_indices(seq, kernel[2], a<Matrix>()))>);
  static_assert(is<Matrix, decltype(top_k(seq, seq[2], a<Matrix>()))>);
}

TEST(named, joining_unites_the_names) {
  static_assert(is<Matrix, decltype(concat(seq, a<Matrix>(), a<Vector>()))>);
  static_assert(is<Named<"layer", "seq", "key">, decltype(stack(layer, a<Matrix>(), a<Vector>()))>);
}

TEST(named, next_to_a_tensor_gives_a_tensor) {
  static_assert(is<Tensor, decltype(a<Matrix>() + a<Tensor>())>);
  static_assert(is<Tensor, decltype(a<Tensor>() * a<Matrix>())>);
  static_assert(is<Tensor, decltype(a<Matrix>() * key * a<Tensor>())>);
  static_assert(is<Tensor, decltype(where(a<Tensor>(), a<Matrix>(), 0))>);
  static_assert(is<Tensor, decltype(index(seq, a<Matrix>(), a<Tensor>()))>);
  static_assert(is<Tensor, decltype(concat(seq, a<Matrix>(), a<Tensor>()))>);
}

TEST(named, with_an_axis_that_only_the_program_knows_gives_a_tensor) {
  static_assert(is<Tensor, decltype(sum(unknown, a<Matrix>()))>);
  // The names stay, whatever the axis is.
  static_assert(is<Matrix, decltype(softmax(unknown & Axis("key"), a<Matrix>()))>);
  static_assert(is<Tensor, decltype(a<Matrix>()[unknown(0)])>);
  static_assert(is<Tensor, decltype(a<Matrix>()[unknown >> Axis("val")])>);
  static_assert(is<Tensor, decltype(a<Matrix>()[seq(0), Axis("key")(1)])>);
  static_assert(is<Tensor, decltype(a<Matrix>() * unknown * a<Matrix>())>);
}

TEST(named, axes_used_on_a_tensor_give_a_tensor) {
  static_assert(is<Tensor, decltype(sum(seq, a<Tensor>()))>);
  static_assert(is<Tensor, decltype(softmax(seq, a<Tensor>() * key * a<Tensor>()))>);
  static_assert(is<Tensor, decltype(a<Tensor>()[seq(0), key >> val])>);
}

TEST(decorations, are_known_to_the_compiler) {
  static_assert(is<axis<"seq'">, decltype(seq.prime())>);
  static_assert(is<axis<"seq'*†">, decltype(seq.dagger().star().prime())>);
  static_assert(is<axis<"seq''*">, decltype(seq.prime().star().prime())>);
  static_assert(is<axis<"seq*†">, decltype(seq.dagger().star())>);
  EXPECT_EQ(Axis(seq.dagger().star().prime()), Axis("seq").star().dagger().prime());
}

TEST(axis, of_the_compiler_is_that_of_the_program) {
  EXPECT_EQ(Axis(seq), Axis("seq"));
  EXPECT_EQ(Axes(seq & key), Axis("seq") & Axis("key"));
  EXPECT_EQ(Shape(seq[2] * key[3]), Axis("key")[3] * Axis("seq")[2]);
  EXPECT_THAT(Axes(key & seq & val).written(),
              ::testing::ElementsAre(Axis("key"), Axis("seq"), Axis("val")));
}

}  // namespace
