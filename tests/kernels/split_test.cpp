#include "axial/kernels/split.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "axial/kernels/product.hpp"
#include "kernels/offsets.hpp"
#include "support/generator.hpp"

namespace axial::kernels {
namespace {

constexpr float infinite = std::numeric_limits<float>::infinity();
constexpr float largest_float = std::numeric_limits<float>::max();
constexpr float no_number = std::numeric_limits<float>::quiet_NaN();

/// Lines of numbers, each of a magnitude of its own that most of its numbers share, and all small ones.
struct Matrix {
  Table places, terms;
  std::vector<float> numbers;

  Matrix(std::int64_t lines, std::int64_t count, const std::vector<float>& magnitudes,
         support::Generator& generator) {
    const bool turns = generator.chance(0.5);
    // Neither lines nor terms are neighbours everywhere.
    const std::int64_t step = generator.integer(1, 2);
    places = offsets(lines, step * (turns ? 1 : count));
    terms = offsets(count, step * (turns ? lines : 1));
    numbers = kernels::numbers<float>(step * lines * count, generator);
    for (const std::int64_t place : places) {
      const float magnitude = generator.pick(magnitudes);
      for (const std::int64_t term : terms) {
        float& number = numbers[static_cast<std::size_t>(place + term)];
        if (magnitude == largest_float) {
          number = std::copysign(magnitude, number);
        } else if (magnitude < 1 || generator.chance(0.7)) {
          number *= magnitude;
        }
      }
    }
  }

  double at(std::int64_t line, std::int64_t term) const {
    return numbers[static_cast<std::size_t>(places[static_cast<std::size_t>(line)] +
                                            terms[static_cast<std::size_t>(term)])];
  }
  /// The largest finite magnitude of a line.
  double largest(std::int64_t line) const {
    double found = 0;
    for (std::int64_t k = 0; k < std::ssize(terms); ++k) {
      if (std::isfinite(at(line, k))) found = std::max(found, std::abs(at(line, k)));
    }
    return found;
  }
};

/// The stated bound: that of any product of float32, and, if numbers of very different magnitudes stand
/// side by side, what parts lose that are less than the least normal number.
void expect_product(const Matrix& a, const Matrix& b, bool are_different, std::int64_t i,
                    std::int64_t j, float actual) {
  double sum = 0, size = 0;
  const std::int64_t terms = std::ssize(a.terms);
  for (std::int64_t k = 0; k < terms; ++k) {
    sum += a.at(i, k) * b.at(j, k);
    size += std::abs(a.at(i, k) * b.at(j, k));
  }
  const auto expected = static_cast<float>(sum);
  if (!std::isfinite(expected)) {
    EXPECT_TRUE(std::isnan(expected) ? std::isnan(actual) : expected == actual)
        << expected << " became " << actual;
    return;
  }
  constexpr double epsilon = std::numeric_limits<float>::epsilon();
  constexpr double least = std::numeric_limits<float>::min();
  const auto count = static_cast<double>(terms);
  const double lost = are_different ? 1 + a.largest(i) + b.largest(j) : 1;
  const double allowed = 2 * count * size * epsilon + 8 * count * least * lost;
  EXPECT_NEAR(actual, sum, allowed)
      << "row " << i << ", column " << j << " of " << terms << " terms";
}

Product split_product(const Matrix& a, const Matrix& b) {
  return {.a_batch = {0},
          .a_rows = a.places,
          .a_terms = a.terms,
          .b_batch = {0},
          .b_terms = b.terms,
          .b_columns = b.places,
          .splits = true};
}

void compare(const std::vector<float>& of_rows, const std::vector<float>& of_columns,
             support::Generator& generator) {
  const auto side = [&] { return generator.pick(Table{1, 15, 16, 32, 33, 50, 100, 130}); };
  const std::int64_t rows = side(), columns = side();
  const std::int64_t terms = generator.pick(Table{1, 16, 31, 32, 33, 100, 512, 600, 1030});
  const Matrix a(rows, terms, of_rows, generator), b(columns, terms, of_columns, generator);
  const bool are_different = of_rows.size() + of_columns.size() > 2;
  const Product product = split_product(a, b);
  std::vector<float> c(static_cast<std::size_t>(rows * columns));
  if (generator.chance(0.5)) {
    Team team(static_cast<int>(generator.integer(1, 3)), 0);
    multiply(product, a.numbers.data(), b.numbers.data(), c.data(), team);
  } else {
    // Columns first, then some rows at a time.
    std::vector<std::byte> packed(packed_bytes(product));
    pack_columns(product, 0, b.numbers.data(), packed.data());
    for (std::int64_t row = 0; row < rows; row += 40) {
      multiply_rows(product, 0, {row, std::min(rows, row + 40)}, a.numbers.data(), packed.data(),
                    c.data() + row * columns);
    }
  }
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::int64_t j = 0; j < columns; ++j) {
      expect_product(a, b, are_different, i, j, c[static_cast<std::size_t>(i * columns + j)]);
    }
  }
}

void compare_often(const std::vector<float>& of_rows, const std::vector<float>& of_columns) {
  if (split_functions() == nullptr) GTEST_SKIP() << "this machine splits no numbers";
  support::for_each_seed(
      40, [&](support::Generator& generator) { compare(of_rows, of_columns, generator); });
}

TEST(split, products_of_every_shape_and_order_are_sums_of_products) { compare_often({1}, {1}); }
TEST(split, products_of_large_and_small_rows_are_as_exact) {
  compare_often({1, 1e-6f, 1e6f, 0}, {1, 1e-9f});
}
TEST(split, products_of_numbers_beside_the_least_ones_lose_no_more) {
  compare_often({1e-20f, 1e-35f, 1e-42f, 1}, {1e-20f, 1});
  compare_often({1e-35f}, {1e30f});
  compare_often({1e-17f}, {1e-17f});
}
TEST(split, products_of_numbers_beside_the_largest_ones_are_finite_if_they_can_be) {
  compare_often({largest_float, 1}, {1e-30f, 1e-4f});
  compare_often({largest_float}, {1e-20f});
  compare_often({1e17f}, {1e17f, 1});
}
TEST(split, products_with_what_is_not_finite_are_what_they_always_are) {
  compare_often({1, 1, 1, 1, 1, 1, infinite, no_number}, {1, 1, 1, 1, 1, infinite});
}

TEST(split, products_do_not_depend_on_how_many_rows_are_computed_together) {
  if (split_functions() == nullptr) GTEST_SKIP() << "this machine splits no numbers";
  support::for_each_seed(4, [](support::Generator& generator) {
    const Matrix a(96, 1100, {1}, generator), b(50, 1100, {1}, generator);
    const Product product = split_product(a, b);
    std::vector<std::byte> packed(packed_bytes(product));
    pack_columns(product, 0, b.numbers.data(), packed.data());
    const auto rows = [&](std::int64_t together) {
      std::vector<float> c(96 * 50);
      for (std::int64_t row = 0; row < 96; row += together) {
        multiply_rows(product, 0, {row, std::min<std::int64_t>(96, row + together)},
                      a.numbers.data(), packed.data(), c.data() + row * 50);
      }
      return c;
    };
    for (const std::int64_t together : {1, 6, 16, 42}) EXPECT_EQ(rows(96), rows(together));
  });
}

TEST(split, sums_that_are_not_normal_numbers_outlive_zeros) {
  if (split_functions() == nullptr) GTEST_SKIP() << "this machine splits no numbers";
  support::Generator generator(1);
  Matrix a(32, 1024, {0}, generator), b = a;
  for (std::int64_t k = 0; k < 10; ++k) {
    const std::int64_t term = a.terms[static_cast<std::size_t>(k)];
    for (const std::int64_t place : a.places) {
      a.numbers[static_cast<std::size_t>(place + term)] = 1e-20f;
      b.numbers[static_cast<std::size_t>(place + term)] = 1e-20f;
    }
  }
  std::vector<float> c(32 * 32);
  Team team(1);
  multiply(split_product(a, b), a.numbers.data(), b.numbers.data(), c.data(), team);
  for (const float each : c) EXPECT_NEAR(each, 1e-39, 1e-43);
}

TEST(split, products_are_at_least_as_exact_as_sums_one_by_one) {
  if (split_functions() == nullptr) GTEST_SKIP() << "this machine splits no numbers";
  support::for_each_seed(4, [](support::Generator& generator) {
    const Matrix a(32, 4096, {1}, generator), b(32, 4096, {1}, generator);
    std::vector<float> c(32 * 32);
    Team team(1);
    multiply(split_product(a, b), a.numbers.data(), b.numbers.data(), c.data(), team);
    double error = 0, plain_error = 0;
    for (std::int64_t i = 0; i < 32; ++i) {
      for (std::int64_t j = 0; j < 32; ++j) {
        double sum = 0;
        float plain = 0;
        for (std::int64_t k = 0; k < 4096; ++k) {
          sum += a.at(i, k) * b.at(j, k);
          plain += static_cast<float>(a.at(i, k) * b.at(j, k));
        }
        error += std::abs(c[static_cast<std::size_t>(i * 32 + j)] - sum);
        plain_error += std::abs(plain - sum);
      }
    }
    EXPECT_LT(error, plain_error);
  });
}

}  // namespace
}  // namespace axial::kernels
