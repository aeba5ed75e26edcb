#include "axial/kernels/tile.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "kernels/offsets.hpp"
#include "support/generator.hpp"

namespace axial::kernels {
namespace {

/// Columns are copied into a panel and multiplied with rows that lie as they are.
template <class T>
void compare(const PanelFunctions<T>& functions, support::Generator& generator) {
  const std::int64_t rows = generator.integer(1, 14), terms = generator.integer(1, 40);
  const std::int64_t wide = functions.columns;
  const std::vector<T> a = numbers<T>(rows * terms, generator);
  const std::vector<T> b = numbers<T>(wide * terms, generator);
  const bool turns = generator.chance(0.5);
  const Table columns = offsets(wide, turns ? terms : 1);
  const Table b_terms = offsets(terms, turns ? 1 : wide);
  std::vector<T> packed(static_cast<std::size_t>(wide * terms + strip_margin<T>));
  functions.pack({b.data(), columns.data(), wide, b_terms.data(), terms}, std::ssize(packed),
                 packed.data());
  const Table a_rows = offsets(rows, terms), a_terms = offsets(terms, 1);
  const Table packed_terms = offsets(terms, wide);
  const std::int64_t stride = wide + generator.integer(0, 3);
  std::vector<T> c(static_cast<std::size_t>(rows * stride), T{2});
  const bool adds = generator.chance(0.5);
  functions.multiply({.a = a.data(),
                      .a_rows = a_rows.data(),
                      .a_terms = a_terms.data(),
                      .rows = rows,
                      .b = packed.data(),
                      .b_terms = packed_terms.data(),
                      .terms = terms,
                      .c = c.data(),
                      .c_stride = stride,
                      .adds = adds,
                      .across = generator.chance(0.5),
                      .in_place = generator.chance(0.5)});
  const auto at = [](const auto& values, std::int64_t place) {
    return double{values[static_cast<std::size_t>(place)]};
  };
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::int64_t j = 0; j < stride; ++j) {
      double sum = adds || j >= wide ? 2 : 0;
      for (std::int64_t k = 0; j < wide && k < terms; ++k) {
        sum += at(a, i * terms + k) * at(b, turns ? j * terms + k : k * wide + j);
      }
      const double allowed = 2 * static_cast<double>(terms + 1) * std::numeric_limits<T>::epsilon();
      ASSERT_NEAR(at(c, i * stride + j), sum, allowed * static_cast<double>(terms + 2))
          << rows << " × " << wide << " × " << terms;
    }
  }
}

template <class T>
void compare_machines(support::Generator& generator) {
  for (const TileFunctions<T>* machine : supported_tiles<T>()) {
    for (const PanelFunctions<T>& panel : machine->panels) compare(panel, generator);
  }
}

TEST(tiles, of_every_machine_multiply_rows_with_panels_and_write_nothing_else) {
  support::for_each_seed(60, [](support::Generator& generator) {
    compare_machines<float>(generator);
    compare_machines<double>(generator);
  });
}

/// Rows and columns are multiplied along terms that are not a multiple of any vector.
template <class T>
void compare_dots(const DotFunctions<T>& functions, support::Generator& generator) {
  const std::int64_t rows = generator.integer(1, 14), columns = generator.integer(1, 14);
  const std::int64_t terms = generator.integer(1, 70), apart = terms + generator.integer(0, 3);
  const std::vector<T> a = numbers<T>(rows * apart, generator);
  const std::vector<T> b = numbers<T>(columns * apart, generator);
  const Table a_rows = offsets(rows, apart), b_columns = offsets(columns, apart);
  const auto lanes = std::int64_t{functions.lanes};
  std::vector<T> sums(static_cast<std::size_t>(rows * columns * lanes), T{2});
  functions.add({.a = a.data(),
                 .a_rows = a_rows.data(),
                 .rows = rows,
                 .b = b.data(),
                 .b_columns = b_columns.data(),
                 .columns = columns,
                 .terms = terms,
                 .sums = sums.data()});
  for (std::int64_t place = 0; place < std::ssize(sums); ++place) {
    const std::int64_t i = place / lanes / columns, j = place / lanes % columns;
    double sum = 2;
    for (std::int64_t k = place % lanes; k < terms; k += lanes) {
      sum += double{a[static_cast<std::size_t>(i * apart + k)]} *
             double{b[static_cast<std::size_t>(j * apart + k)]};
    }
    const double allowed = 2 * static_cast<double>(terms + 3) * std::numeric_limits<T>::epsilon();
    ASSERT_NEAR(double{sums[static_cast<std::size_t>(place)]}, sum,
                allowed * static_cast<double>(terms + 2))
        << rows << " × " << columns << " × " << terms;
  }
}

TEST(tiles, of_every_machine_multiply_rows_with_columns_along_their_terms) {
  support::for_each_seed(60, [](support::Generator& generator) {
    for (const auto* machine : supported_tiles<float>()) compare_dots(machine->dots, generator);
    for (const auto* machine : supported_tiles<double>()) compare_dots(machine->dots, generator);
  });
}

TEST(tiles, have_panels_from_the_widest_to_the_narrowest) {
  for (const auto* machine : supported_tiles<float>()) {
    EXPECT_EQ(machine->panels.back().columns, narrowest_panel<float>);
    EXPECT_LE(machine->panels.front().columns, widest_panel<float>);
  }
}

}  // namespace
}  // namespace axial::kernels
