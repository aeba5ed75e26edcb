// Every call that section 2 of the specification fixes, as it is written there.
#include <axial/axial.hpp>
#include <gmock/gmock.h>

using namespace axial;

// The specification writes sqrt(K.size(key)), which is the square root of the C library.
#pragma GCC diagnostic ignored "-Wconversion"

namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::Pointwise;

Axis height{"height"}, width{"width"}, layer{"layer"};
Tensor A = tensor(height[3] * width[3], {3, 1, 4, 1, 5, 9, 2, 6, 5});
Tensor x = tensor(height[3], {2, 7, 1});

TEST(spelling, of_values_puts_the_last_axis_fastest) {
  EXPECT_EQ(A.type(), float32);
  EXPECT_THAT(A.values({height, width}), ElementsAre(3, 1, 4, 1, 5, 9, 2, 6, 5));
  EXPECT_THAT(A.values({width, height}), ElementsAre(3, 1, 2, 1, 5, 6, 4, 9, 5));
}

TEST(spelling, of_indexing) {
  const double element = A[height(0), width(2)].item();
  EXPECT_EQ(element, 4);
  const Tensor row = A[height(0)];
  EXPECT_EQ(row.shape(), Shape(width[3]));
  EXPECT_THAT(row.values({width}), ElementsAre(3, 1, 4));
}

TEST(spelling, of_renaming_and_flattening) {
  EXPECT_EQ(A[height >> height.prime()].shape(), height.prime()[3] * width[3]);
  const Tensor flat = A[(height & width) >> layer];
  EXPECT_EQ(flat.shape(), Shape(layer[9]));
  EXPECT_THAT(flat.values({layer}), ElementsAre(3, 1, 4, 1, 5, 9, 2, 6, 5));
}

TEST(spelling, of_elementwise_operations) {
  EXPECT_THAT((A + x).values({height, width}), ElementsAre(5, 3, 6, 8, 12, 16, 3, 7, 6));
  EXPECT_THAT((A * x).values({height, width}), ElementsAre(6, 2, 8, 7, 35, 63, 2, 6, 5));
  const double corner = sigmoid(A)[height(0), width(0)].item();
  EXPECT_NEAR(corner, 1 / (1 + std::exp(-3.0)), 1e-7);
}

TEST(spelling, of_contractions) {
  EXPECT_THAT((A * height * x).values({width}), ElementsAre(15, 43, 76));
  EXPECT_EQ((A * (height & width) * A).item(), 9 + 1 + 16 + 1 + 25 + 81 + 4 + 36 + 25);
  EXPECT_TRUE(identical(dot(height, A, x), A * height * x));
}

TEST(spelling, of_reductions_and_functions_along_axes) {
  EXPECT_THAT(sum(height, A).values({width}), ElementsAre(6, 12, 18));
  EXPECT_EQ(mean(height & width, A).item(), 4);
  EXPECT_THAT(sum(width, softmax(width, A)).values({height}),
              Pointwise(DoubleNear(1e-6), {1.0, 1.0, 1.0}));
  EXPECT_THAT(argmax(width, A).values({height, width}), ElementsAre(0, 0, 1, 0, 0, 1, 0, 1, 0));
}

TEST(spelling, of_index) {
  Axis vocab{"vocab"}, seq{"seq"}, emb{"emb"};
  Tensor E = tensor(vocab[3] * emb[2], {0, 1, 10, 11, 20, 21});
  Tensor I = tensor(seq[4], {2, 0, 2, 1}, int64);
  EXPECT_THAT(index(vocab, E, I).values({seq, emb}), ElementsAre(20, 21, 0, 1, 20, 21, 10, 11));
  EXPECT_TRUE(identical(E[vocab(I)], index(vocab, E, I)));
  EXPECT_TRUE(identical(index(vocab, E, 1), E[vocab(1)]));
}

TEST(spelling, of_windows) {
  Axis seq{"seq"}, kernel{"kernel"};
  Tensor X = tensor(seq[4], {1, 2, 3, 4});
  EXPECT_THAT(unroll(seq, kernel[3], X).values({seq, kernel}), ElementsAre(1, 2, 3, 2, 3, 4));
  EXPECT_THAT(pool(seq, kernel[2], X).values({seq, kernel}), ElementsAre(1, 2, 3, 4));
}

TEST(spelling, of_identities) {
  Axis ax{"ax"};
  Tensor X = tensor(ax[2], {5, 6});
  EXPECT_TRUE(identical(identity(ax, ax.star()) * ax * X, X[ax >> ax.star()]));
  EXPECT_THAT(identity(ax[2], ax.star()).values({ax, ax.star()}), ElementsAre(1, 0, 0, 1));
}

TEST(spelling, of_questions) {
  EXPECT_EQ(A.shape(), width[3] * height[3]);
  EXPECT_EQ(A.size(height), 3);
  static_assert(std::same_as<decltype(A.values({height, width})), std::vector<double>>);
  static_assert(std::same_as<decltype(x.item()), double>);
}

TEST(spelling, of_names_sets_and_shapes) {
  Axis a{"a"}, b{"b"};
  SizedAxis sized = height[3];
  Axes pair = a & b, none = Axes{};
  Shape shape = a[2] * b[3];
  NamedIndex first = height(0);
  EXPECT_EQ(sized.size, 3);
  EXPECT_EQ(pair.count(), 2);
  EXPECT_TRUE(none.empty());
  EXPECT_EQ(shape.volume(), 6);
  EXPECT_EQ(first.position, 0);
  EXPECT_EQ(a.prime().star().dagger().name(), "a'*†");
}

TEST(spelling, of_functions_with_signatures) {
  Axis seq{"seq"}, key{"key"}, val{"val"};
  Function attention =
      function({key, seq & key, seq & val}, val, [=](Tensor Q, Tensor K, Tensor V) {
        return softmax(seq, Q * key * K / sqrt(K.size(key))) * seq * V;
      });
  Tensor Q = tensor(key[4], {0, 0, 0, 0}), K = ones(seq[2] * key[4]),
         V = tensor(seq[2] * val[1], {2, 4});
  EXPECT_THAT(attention(Q, K, V).values({val}), ElementsAre(3));
  Function energy = function({layer}, Axes{}, [](Tensor y) { return sum(layer, y * y); });
  EXPECT_EQ(energy(tensor(layer[3], {1, 2, 3})).item(), 14);
}

TEST(spelling, of_errors_is_a_standard_exception_that_names_the_axis) {
  try {
    sum(layer, A);
    FAIL();
  } catch (const std::exception& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("layer"));
  }
}

TEST(spelling, of_forcing_a_value) {
  Tensor y = A + 1, z = y * 2;
  eval(y);
  eval(y, z);
  const double corner = z[height(0), width(0)].item();
  EXPECT_EQ(corner, 8);
}

TEST(spelling, of_files) {
  const std::string path = ::testing::TempDir() + "axial_spelling.safetensors";
  save(path, {{"A", A}, {"x", x}});
  const auto tensors = load(path);
  EXPECT_TRUE(identical(tensors.at("A"), A));
  EXPECT_TRUE(identical(tensors.at("x"), x));
  std::remove(path.c_str());
}

namespace compile_time {

constexpr axis<"seq"> seq;
constexpr axis<"key"> key;
constexpr axis<"val"> val;

TEST(spelling, of_names_that_the_compiler_checks) {
  Named<"seq", "key"> K;
  Named<"key", "seq"> same_type;
  static_assert(std::same_as<decltype(K), decltype(same_type)>);
  K = Named<"seq", "key">(tensor(seq[2] * key[2], {1, 0, 0, 1}));
  Named<"key"> Q(tensor(key[2], {1, 1}));
  auto weights = softmax(seq, Q * key * K);
  static_assert(std::same_as<decltype(weights), Named<"seq">>);
  EXPECT_THAT(weights.values({seq}), ElementsAre(0.5, 0.5));
}

TEST(spelling, of_functions_with_names_that_the_compiler_knows) {
  Function attention = function({key, seq & key, seq & val}, val, [](Tensor Q, Tensor K, Tensor V) {
    return softmax(seq, Q * key * K / sqrt(K.size(key))) * seq * V;
  });
  Tensor Q = zeros(key[4]), K = ones(seq[2] * key[4]), V = tensor(seq[2] * val[1], {2, 4});
  EXPECT_THAT(attention(Q, K, V).values({val}), ElementsAre(3));
}

}  // namespace compile_time

}  // namespace
