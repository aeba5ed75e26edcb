#include "axial/kernels/product.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "axial/kernels/split.hpp"
#include "kernels/offsets.hpp"
#include "support/generator.hpp"

namespace axial::kernels {
namespace {

/// The last element that a table of each kind reaches.
std::int64_t reach(const Table& batch, const Table& lines, const Table& terms) {
  return std::ranges::max(batch) + std::ranges::max(lines) + std::ranges::max(terms);
}

/// Random operands, multiplied: every element is the sum of its terms' products.
template <class T>
void expect_sums(const Product& product, int threads, support::Generator& generator) {
  const std::int64_t batch = product.batch(), rows = product.rows();
  const std::int64_t columns = product.columns(), terms = product.terms();
  std::vector<T> a, b, c(static_cast<std::size_t>(batch * rows * columns));
  const std::int64_t a_last = reach(product.a_batch, product.a_rows, product.a_terms);
  const std::int64_t b_last = reach(product.b_batch, product.b_columns, product.b_terms);
  for (std::int64_t k = 0; k <= a_last; ++k) a.push_back(T(generator.real(-1, 1)));
  for (std::int64_t k = 0; k <= b_last; ++k) b.push_back(T(generator.real(-1, 1)));
  Team team(threads, 0);
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
  if (generator.integer(0, 1) == 1) choose_way(product);
  if (product.element == float32 && split_functions() != nullptr && generator.chance(0.3)) {
    product.runs = {};
    product.splits = true;
  }
  expect_sums<T>(product, threads, generator);
}

TEST(product, of_every_shape_and_order_is_the_sum_of_products) {
  support::for_each_seed(60, [](support::Generator& generator) {
    const auto side = [&] { return generator.pick(Table{1, 2, 5, 6, 7, 16, 17, 33, 100}); };
    const std::int64_t terms = generator.pick(Table{1, 3, 16, 64, 255, 257, 600, 1100});
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

TEST(product, of_matrices_that_are_fetched_on_the_way_is_the_sum_of_products) {
  support::for_each_seed(2, [](support::Generator& generator) {
    for (const auto& [batch, rows, columns, terms] :
         {std::array{40, 50, 70, 130}, {3, 200, 230, 600}, {1, 64, 2100, 300}}) {
      for (const bool turns_a : {false, true}) {
        for (const bool turns_b : {false, true}) {
          Product product{.a_batch = offsets(batch, rows * terms),
                          .a_rows = offsets(rows, turns_a ? 1 : terms),
                          .a_terms = offsets(terms, turns_a ? rows : 1),
                          .b_batch = offsets(batch, columns * terms),
                          .b_terms = offsets(terms, turns_b ? 1 : columns),
                          .b_columns = offsets(columns, turns_b ? terms : 1)};
          product.packs_rows = generator.chance(0.5);
          expect_sums<float>(product, 1 + static_cast<int>(turns_a), generator);
        }
      }
    }
  });
}

TEST(product, of_fewer_rows_or_columns_than_threads_is_the_sum_of_products) {
  support::Generator generator(1);
  for (const auto& [rows, columns] : {std::array{7, 5}, {5, 7}}) {
    compare<double>(1, rows, columns, 100'003, false, false, 5, generator);
  }
}

/// The gradient of a small kernel: few rows and columns, and as terms all places of an image and of its
/// windows, which lie side by side within a line of the image only.
TEST(product, of_few_rows_and_columns_passes_terms_that_lie_side_by_side) {
  constexpr std::int64_t height = 9, width = 70, kernel = 3, wider = width + kernel - 1;
  Table a_terms, b_terms, windows;
  for (std::int64_t y = 0; y < height; ++y) {
    for (std::int64_t x = 0; x < width; ++x) {
      a_terms.push_back(y * width + x);
      b_terms.push_back(y * wider + x);
    }
  }
  for (std::int64_t y = 0; y < kernel; ++y) {
    for (std::int64_t x = 0; x < kernel; ++x) windows.push_back(y * wider + x);
  }
  Product product{.a_batch = {0, 3},
                  .a_rows = offsets(6, height * width),
                  .a_terms = a_terms,
                  .b_batch = {0, 1},
                  .b_terms = b_terms,
                  .b_columns = windows};
  choose_way(product);
  EXPECT_EQ(product.runs, Table(height, width));
  support::for_each_seed(4, [&](support::Generator& generator) {
    for (const int threads : {1, 2, 3}) expect_sums<float>(product, threads, generator);
  });
}

/// Columns in runs that lie apart, which no thread may read across.
template <class T>
void compare_gaps(std::int64_t runs, std::int64_t length, int threads,
                  support::Generator& generator) {
  Product product{.element = element_type_of<T>(),
                  .a_batch = {0},
                  .a_rows = offsets(8, 64),
                  .a_terms = offsets(64, 1),
                  .b_batch = {0},
                  .b_terms = offsets(64, 2 * runs * length),
                  .b_columns = {}};
  for (std::int64_t run = 0; run < runs; ++run) {
    for (std::int64_t k = 0; k < length; ++k) product.b_columns.push_back(2 * run * length + k);
  }
  choose_way(product);
  expect_sums<T>(product, threads, generator);
}

TEST(product, reads_columns_in_place_only_where_they_lie_side_by_side) {
  support::for_each_seed(2, [](support::Generator& generator) {
    for (const int threads : {1, 2, 3}) {
      for (const auto& [runs, length] : {std::pair{5, 64}, {23, 8}, {3, 96}, {7, 16}}) {
        compare_gaps<float>(runs, length, threads, generator);
        compare_gaps<double>(runs, length, threads, generator);
      }
    }
  });
}

}  // namespace
}  // namespace axial::kernels
