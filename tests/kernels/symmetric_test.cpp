#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "axial/kernels/product.hpp"
#include "kernels/offsets.hpp"
#include "support/generator.hpp"

namespace axial::kernels {
namespace {

/// X' diag(s) X for matrices X of so many terms and rows.
template <class T>
struct Weighted {
  std::int64_t batch, rows, terms;
  std::vector<T> weighted, plain;
  Product product;

  Weighted(std::int64_t matrices, std::int64_t n, std::int64_t k, support::Generator& generator)
      : batch(matrices), rows(n), terms(k) {
    const bool turns_a = generator.chance(0.5), turns_b = generator.chance(0.5);
    product = {.element = element_type_of<T>(),
               .a_batch = offsets(batch, rows * terms),
               .a_rows = offsets(rows, turns_a ? 1 : terms),
               .a_terms = offsets(terms, turns_a ? rows : 1),
               .b_batch = offsets(batch, rows * terms),
               .b_terms = offsets(terms, turns_b ? 1 : rows),
               .b_columns = offsets(rows, turns_b ? terms : 1),
               .is_symmetric = true};
    product.packs_rows = generator.chance(0.5);
    plain.resize(static_cast<std::size_t>(batch * rows * terms));
    weighted = plain;
    for (std::int64_t m = 0; m < batch; ++m) {
      for (std::int64_t t = 0; t < terms; ++t) {
        // Powers of two, so that the product with them is exact.
        const T weight = generator.pick(std::vector<T>{-2, T(0.5), 1, 4});
        for (std::int64_t i = 0; i < rows; ++i) {
          const T x = T(generator.real(-1, 1));
          element(plain, product.b_batch, m, product.b_columns, i, product.b_terms, t) = x;
          element(weighted, product.a_batch, m, product.a_rows, i, product.a_terms, t) = weight * x;
        }
      }
    }
  }

  static T& element(std::vector<T>& x, const Table& matrices, std::int64_t m, const Table& lines,
                    std::int64_t i, const Table& terms, std::int64_t t) {
    const auto at = [](const Table& table, std::int64_t k) {
      return table[static_cast<std::size_t>(k)];
    };
    return x[static_cast<std::size_t>(at(matrices, m) + at(lines, i) + at(terms, t))];
  }

  std::vector<T> computed(const Product& as, int threads) const {
    std::vector<T> c(static_cast<std::size_t>(batch * rows * rows),
                     std::numeric_limits<T>::quiet_NaN());
    Team team(threads, 0);
    multiply(as, weighted.data(), plain.data(), c.data(), team);
    return c;
  }
};

template <class T>
void compare(support::Generator& generator) {
  const auto rows = generator.pick(Table{1, 2, 6, 7, 15, 16, 17, 33, 65, 100, 200, 259});
  const auto terms = generator.pick(Table{1, 3, 64, 257, 600});
  const Weighted<T> some(generator.integer(1, 3), rows, terms, generator);
  Product whole = some.product;
  whole.is_symmetric = false;
  const std::vector<T> expected = some.computed(whole, 1), found = some.computed(some.product, 1);
  for (std::int64_t m = 0; m < some.batch; ++m) {
    for (std::int64_t i = 0; i < rows; ++i) {
      for (std::int64_t j = 0; j <= i; ++j) {
        const auto below = static_cast<std::size_t>((m * rows + i) * rows + j);
        const auto above = static_cast<std::size_t>((m * rows + j) * rows + i);
        ASSERT_EQ(found[below], expected[below]) << i << ", " << j << " of " << rows;
        ASSERT_EQ(found[above], expected[below]) << j << ", " << i << " of " << rows;
      }
    }
  }
  for (const int threads : {2, 3}) ASSERT_EQ(some.computed(some.product, threads), found);
}

TEST(symmetric_product, has_one_half_of_the_whole_product_on_both_sides_of_the_diagonal) {
  support::for_each_seed(40, [](support::Generator& generator) {
    if (generator.chance(0.5)) {
      compare<float>(generator);
    } else {
      compare<double>(generator);
    }
  });
}

TEST(symmetric_product, takes_about_half_the_operations) {
  support::Generator generator(1);
  Weighted<float> large(1, 600, 600, generator);
  Product whole = large.product;
  whole.is_symmetric = false;
  EXPECT_DOUBLE_EQ(large.product.operations(), whole.operations() * 601 / 1200);
  EXPECT_LT(cost(large.product), 0.65 * cost(whole));
}

TEST(symmetric_product, that_is_small_is_computed_as_a_whole) {
  support::Generator generator(1);
  Weighted<float> small(1, 8, 100, generator);
  choose_way(small.product);
  EXPECT_FALSE(small.product.is_symmetric);
}

}  // namespace
}  // namespace axial::kernels
