#include "axial/kernels/turn.hpp"

#include <gtest/gtest.h>

#include "support/generator.hpp"

namespace axial::kernels {
namespace {

template <class T>
void compare(support::Generator& generator) {
  const auto side = [&] { return generator.integer(1, 70); };
  Turn turn;
  turn.element_bytes = sizeof(T);
  turn.rows = side();
  turn.columns = side();
  turn.from_stride = turn.columns + generator.integer(0, 3);
  turn.to_stride = turn.rows + generator.integer(0, 3);
  const std::int64_t matrices = generator.integer(1, 5);
  for (std::int64_t k = 0; k < matrices; ++k) {
    turn.from.push_back(k * turn.rows * turn.from_stride);
    turn.to.push_back((matrices - 1 - k) * turn.columns * turn.to_stride);
  }
  std::vector<T> from,
      to(static_cast<std::size_t>(matrices * turn.columns * turn.to_stride), T{-1});
  for (std::int64_t k = 0; k < matrices * turn.rows * turn.from_stride; ++k) from.push_back(T(k));
  std::vector<T> expected = to;
  for (std::int64_t k = 0; k < matrices; ++k) {
    for (std::int64_t i = 0; i < turn.rows; ++i) {
      for (std::int64_t j = 0; j < turn.columns; ++j) {
        const auto matrix = static_cast<std::size_t>(k);
        expected[static_cast<std::size_t>(turn.to[matrix] + j * turn.to_stride + i)] =
            from[static_cast<std::size_t>(turn.from[matrix] + i * turn.from_stride + j)];
      }
    }
  }
  Team team(static_cast<int>(generator.integer(1, 3)));
  kernels::turn(turn, from.data(), to.data(), team);
  ASSERT_EQ(to, expected) << turn.rows << " × " << turn.columns;
}

TEST(turn, of_every_size_writes_rows_as_columns_and_nothing_else) {
  support::for_each_seed(60, [](support::Generator& generator) {
    compare<float>(generator);
    compare<double>(generator);
  });
}

}  // namespace
}  // namespace axial::kernels
