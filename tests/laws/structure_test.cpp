// Laws of indexing, renaming, reshaping and concatenation on random shapes.
#include <gtest/gtest.h>

#include "axial/axial.hpp"
#include "support/generator.hpp"
#include "support/lifting.hpp"
#include "support/tolerance.hpp"

namespace axial {
namespace {

using support::at;
using support::close_to;
using support::for_each_seed;
using support::Generator;
using support::same;

constexpr int seeds = 50;

const Axis a("a"), b("b"), c("c"), d("d");

/// A random tensor over a, b and c.
Tensor random_tensor(Generator& generator) { return generator.tensor(generator.shape(a & b & c)); }

TEST(indexing, by_one_record_and_another_is_indexing_by_their_union) {
  for_each_seed(seeds, [](Generator& generator) {
    const Tensor X = random_tensor(generator);
    const Axes first = generator.subset(a & b & c);
    const Shape S = restrict(X.shape(), first), T = X.shape() - first;
    const Record s = generator.pick(records(S)), t = generator.pick(records(T));
    EXPECT_TRUE(same(at(at(X, s), t), at(X, s | t)));
    EXPECT_EQ(at(X, s).shape(), T);
  });
}

TEST(indexing, by_several_indices_at_once_is_indexing_one_by_one) {
  for_each_seed(seeds, [](Generator& generator) {
    const Tensor X = random_tensor(generator);
    const std::int64_t i = generator.integer(0, X.size(a) - 1),
                       j = generator.integer(0, X.size(b) - 1);
    EXPECT_TRUE(same((X[a(i), b(j)]), X[a(i)][b(j)]));
    EXPECT_TRUE(same((X[b(j), a(i)]), X[a(i)][b(j)]));
  });
}

TEST(indexing, by_a_tensor_of_positions_reads_each_of_them) {
  for_each_seed(seeds, [](Generator& generator) {
    const Tensor X = random_tensor(generator);
    const double last = static_cast<double>(X.size(a)) - 1;
    const Tensor I =
        generator.tensor(generator.shape(Axes(d))* restrict(X.shape(), b), 0, last, int64);
    const Tensor Y = index(a, X, I);
    EXPECT_EQ(Y.shape(), (X.shape() - a) * d[I.size(d)]);
    for (const Record& record : records(Y.shape())) {
      const auto position = static_cast<std::int64_t>(at(I, restrict(record, b & d)).item());
      const Record source = restrict(record, b & c) | Record(a(position));
      EXPECT_EQ(at(Y, record).item(), at(X, source).item());
    }
  });
}

TEST(indexing, by_all_positions_changes_nothing) {
  for_each_seed(seeds, [](Generator& generator) {
    const Tensor X = random_tensor(generator);
    EXPECT_TRUE(same(index(a, X, iota(a[X.size(a)])), X));
  });
}

TEST(indexing, by_a_permutation_and_its_order_changes_nothing) {
  for_each_seed(seeds, [](Generator& generator) {
    const Tensor X = random_tensor(generator);
    const Tensor permutation = Random(generator.seed()).permutation(a[X.size(a)]);
    EXPECT_TRUE(same(index(a, index(a, X, permutation), order(a, permutation)), X));
  });
}

TEST(rename, commutes_with_a_sum_over_another_axis) {
  for_each_seed(seeds, [](Generator& generator) {
    const Tensor X = random_tensor(generator);
    EXPECT_TRUE(same(sum(b, X[a >> d]), sum(b, X)[a >> d]));
  });
}

TEST(rename, follows_the_axis_that_is_summed) {
  for_each_seed(seeds, [](Generator& generator) {
    const Tensor X = random_tensor(generator);
    EXPECT_TRUE(same(sum(d, X[a >> d]), sum(a, X)));
    EXPECT_TRUE(close_to(sum(b & d, X[a >> d]), sum(b & a, X), 49, 2 * 49));
  });
}

TEST(rename, commutes_with_elementwise_functions) {
  for_each_seed(seeds, [](Generator& generator) {
    const Tensor X = random_tensor(generator), Y = generator.tensor(X.shape());
    EXPECT_TRUE(same((X + Y)[a >> d], X[a >> d] + Y[a >> d]));
  });
}

TEST(rename, is_contraction_with_an_identity) {
  for_each_seed(seeds, [](Generator& generator) {
    const Tensor X = random_tensor(generator);
    EXPECT_TRUE(close_to(X * a * identity(a[X.size(a)], d, float64), X[a >> d], X.size(a)));
    EXPECT_TRUE(close_to(X * a * identity(a, d), X[a >> d], X.size(a)));
  });
}

TEST(rename, there_and_back_changes_nothing) {
  for_each_seed(seeds, [](Generator& generator) {
    const Tensor X = random_tensor(generator);
    EXPECT_TRUE(same(X[a >> d][d >> a], X));
    EXPECT_TRUE(same(X[a >> a], X));
  });
}

TEST(rename, of_two_axes_at_once_exchanges_them) {
  for_each_seed(seeds, [](Generator& generator) {
    const Tensor X = random_tensor(generator);
    const Tensor swapped = X[a >> b, b >> a];
    EXPECT_TRUE(same(swapped, X[a >> d][b >> a][d >> b]));
    EXPECT_EQ(swapped.size(a), X.size(b));
    EXPECT_TRUE(same((swapped[b >> a, a >> b]), X));
  });
}

TEST(rename, of_different_axes_commutes) {
  for_each_seed(seeds, [](Generator& generator) {
    const Tensor X = random_tensor(generator);
    const Axis e("e");
    EXPECT_TRUE(same(X[a >> d][b >> e], X[b >> e][a >> d]));
    EXPECT_TRUE(same((X[a >> d, b >> e]), X[a >> d][b >> e]));
  });
}

TEST(identity, is_symmetric_and_its_own_square) {
  for_each_seed(10, [](Generator& generator) {
    const std::int64_t n = generator.pick(support::law_sizes);
    const Tensor I = identity(a[n], b, float64);
    EXPECT_TRUE(same((I[a >> b, b >> a]), I));
    EXPECT_TRUE(close_to(I * b * identity(b[n], c, float64), identity(a[n], c, float64), n));
    EXPECT_EQ(sum(a & b, I).item(), static_cast<double>(n));
  });
}

TEST(reshape, is_undone_by_its_split) {
  for_each_seed(seeds, [](Generator& generator) {
    const Tensor X = random_tensor(generator);
    const Tensor flat = X[(a & b) >> d];
    EXPECT_EQ(flat.shape(), d[X.size(a) * X.size(b)] * c[X.size(c)]);
    EXPECT_TRUE(same(flat[d >> (a[X.size(a)] & b)], X));
    EXPECT_TRUE(same(flat[d >> (a & b[X.size(b)])], X));
  });
}

TEST(reshape, undoes_a_split) {
  for_each_seed(seeds, [](Generator& generator) {
    const std::int64_t m = generator.pick(support::law_sizes),
                       n = generator.pick(support::law_sizes);
    const Tensor X = generator.tensor(d[m * n] * generator.shape(Axes(c)));
    const Tensor split = X[d >> (a[m] & b)];
    EXPECT_EQ(split.shape(), (X.shape() - d) * a[m] * b[n]);
    EXPECT_TRUE(same(split[(a & b) >> d], X));
  });
}

TEST(reshape, lets_the_last_axis_vary_fastest) {
  for_each_seed(seeds, [](Generator& generator) {
    const Tensor X = random_tensor(generator);
    const Tensor flat = X[(b & a) >> d];
    const std::int64_t i = generator.integer(0, X.size(a) - 1),
                       j = generator.integer(0, X.size(b) - 1);
    EXPECT_TRUE(same(flat[d(j * X.size(a) + i)], (X[a(i), b(j)])));
  });
}

TEST(reshape, of_three_axes_is_reshaping_two_and_two) {
  for_each_seed(seeds, [](Generator& generator) {
    const Tensor X = random_tensor(generator);
    const Axis e("e");
    EXPECT_TRUE(same(X[(a & b & c) >> d], X[(a & b) >> e][(e & c) >> d]));
  });
}

TEST(reshape, preserves_sums) {
  for_each_seed(seeds, [](Generator& generator) {
    const Tensor X = random_tensor(generator);
    EXPECT_TRUE(close_to(sum(d, X[(a & b) >> d]), sum(a & b, X), 49, 2 * 49));
  });
}

TEST(concatenation, of_slices_is_the_whole) {
  for_each_seed(seeds, [](Generator& generator) {
    const Tensor X = random_tensor(generator);
    const std::int64_t n = X.size(a), first = generator.integer(0, n),
                       second = generator.integer(first, n);
    EXPECT_TRUE(same(concat(a, X[a(0, first)], X[a(first, second)], X[a(second, n)]), X));
  });
}

TEST(concatenation, of_stacked_slices_is_the_whole) {
  for_each_seed(seeds, [](Generator& generator) {
    const Tensor X = random_tensor(generator);
    std::vector<Tensor> slices;
    for (std::int64_t i = 0; i < X.size(a); ++i) slices.push_back(X[a(i)]);
    EXPECT_TRUE(same(stack(a, slices), X));
  });
}

TEST(concatenation, has_the_parts_as_slices) {
  for_each_seed(seeds, [](Generator& generator) {
    const Tensor X = random_tensor(generator);
    const std::int64_t n = X.size(a), m = generator.pick(support::law_sizes);
    const Tensor Y = generator.tensor((X.shape() - a) * a[m]), whole = concat(a, X, Y);
    EXPECT_TRUE(same(whole[a(0, n)], X));
    EXPECT_TRUE(same(whole[a(n, n + m)], Y));
  });
}

TEST(concatenation, is_associative) {
  for_each_seed(seeds, [](Generator& generator) {
    const Tensor X = random_tensor(generator), Y = generator.tensor(X.shape());
    const Tensor Z = generator.tensor(X.shape());
    EXPECT_TRUE(same(concat(a, X, concat(a, Y, Z)), concat(a, concat(a, X, Y), Z)));
    EXPECT_TRUE(same(concat(a, X, Y, Z), concat(a, concat(a, X, Y), Z)));
  });
}

TEST(padding, is_undone_by_a_slice) {
  for_each_seed(seeds, [](Generator& generator) {
    const Tensor X = random_tensor(generator);
    const std::int64_t before = generator.integer(0, 3), after = generator.integer(0, 3);
    EXPECT_TRUE(same(pad(a, before, after, X, 4.5)[a(before, before + X.size(a))], X));
  });
}

TEST(reversal, twice_changes_nothing) {
  for_each_seed(seeds, [](Generator& generator) {
    const Tensor X = random_tensor(generator);
    EXPECT_TRUE(same(reverse(a, reverse(a, X)), X));
  });
}

TEST(windows, that_follow_one_another_are_a_split) {
  for_each_seed(seeds, [](Generator& generator) {
    const std::int64_t k = generator.pick(support::law_sizes),
                       m = generator.pick(support::law_sizes);
    const Tensor X = generator.tensor(a[m * k] * generator.shape(Axes(b)));
    EXPECT_TRUE(same(pool(a, d[k], X), X[a >> (a & d[k])]));
    EXPECT_TRUE(same(unroll(a, d[k], X, {.stride = k}), pool(a, d[k], X)));
  });
}

TEST(windows, of_size_one_add_an_axis_of_size_one) {
  for_each_seed(seeds, [](Generator& generator) {
    const Tensor X = random_tensor(generator);
    EXPECT_TRUE(same(unroll(a, d[1], X), broadcast(X, d[1])));
  });
}

}  // namespace
}  // namespace axial
