#include "axial/kernels/product.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "kernels/offsets.hpp"
#include "support/generator.hpp"

namespace axial::kernels {
namespace {

template <class T>
void compare(std::int64_t batch, std::int64_t rows, std::int64_t columns, std::int64_t terms,
             bool turns_a, bool turns_b, int threads, support::Generator& generator) {
  Product product{.element = element_type_of<T>(),
                  .a_batch = offsets(batch, rows * terms),
                  .a_rows = offsets(rows, turns_a ? 1 : terms),
                  .a_terms = offsets(terms, turns_a ? rows : 1),
                  .b_batch = offsets(batch, columns * terms),
                  .b_terms = offsets(terms, turns_b ? 1 : columns),
                  .b_columns = offsets(columns, turns_b ? terms : 1)};
  std::vector<T> a, b, c(static_cast<std::size_t>(batch * rows * columns));
  for (std::int64_t k = 0; k < batch * rows * terms; ++k) a.push_back(T(generator.real(-1, 1)));
  for (std::int64_t k = 0; k < batch * columns * terms; ++k) b.push_back(T(generator.real(-1, 1)));
  if (generator.integer(0, 1) == 1) choose_packing(product);
  Team team(threads);
  multiply(product, a.data(), b.data(), c.data(), team);
  for (std::int64_t m = 0; m < batch; ++m) {
    for (std::int64_t i = 0; i < rows; ++i) {
      for (std::int64_t j = 0; j < columns; ++j) {
        double sum = 0, size = 0;
        for (std::int64_t k = 0; k < terms; ++k) {
          const auto at = [](const Table& x, std::int64_t n) {
            return x[static_cast<std::size_t>(n)];
          };
          const double term =
              double{a[static_cast<std::size_t>(at(product.a_batch, m) + at(product.a_rows, i) +
                                                at(product.a_terms, k))]} *
              double{b[static_cast<std::size_t>(at(product.b_batch, m) + at(product.b_terms, k) +
                                                at(product.b_columns, j))]};
          sum += term;
          size += std::abs(term);
        }
        const double actual = c[static_cast<std::size_t>((m * rows + i) * columns + j)];
        // Each term is rounded at most twice.
        const double allowed =
            2 * static_cast<double>(terms) * size * std::numeric_limits<T>::epsilon();
        ASSERT_NEAR(actual, sum, allowed) << rows << " × " << columns << " × " << terms;
      }
    }
  }
}

TEST(product, of_every_shape_and_order_is_the_sum_of_products) {
  support::for_each_seed(60, [](support::Generator& generator) {
    const auto side = [&] { return generator.pick(Table{1, 2, 5, 6, 7, 16, 17, 33, 100}); };
    const std::int64_t terms = generator.pick(Table{1, 3, 16, 64, 255, 257, 600});
    const int threads = static_cast<int>(generator.integer(1, 3));
    const std::int64_t batch = generator.integer(1, 3);
    if (generator.chance(0.5)) {
      compare<float>(batch, side(), side(), terms, generator.chance(0.5), generator.chance(0.5),
                     threads, generator);
    } else {
      compare<double>(batch, side(), side(), terms, generator.chance(0.5), generator.chance(0.5),
                      threads, generator);
    }
  });
}

}  // namespace
}  // namespace axial::kernels
