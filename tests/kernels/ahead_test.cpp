#include <gtest/gtest.h>

#include <set>

#include "axial/kernels/product_ahead.hpp"
#include "kernels/offsets.hpp"

namespace axial::kernels {
namespace {

TEST(ahead, a_matrix_is_a_stretch_in_any_order_unless_there_are_gaps) {
  const auto fill = [](const Table& lines, const Table& terms) {
    const Stretch found = stretch(lines, terms);
    return std::pair{found.first, found.count};
  };
  using Pair = std::pair<std::int64_t, std::int64_t>;
  EXPECT_EQ(fill(offsets(6, 10), offsets(10, 1)), Pair(0, 60));
  EXPECT_EQ(fill(offsets(6, 1), offsets(10, 6)), Pair(0, 60));
  EXPECT_EQ(fill({30, 40, 50}, offsets(10, 1)), Pair(30, 30));
  // Some terms of rows that lie one behind the other.
  EXPECT_EQ(fill(offsets(6, 10), offsets(5, 1)), Pair(0, 0));
  // Windows share elements.
  EXPECT_EQ(fill(offsets(6, 1), offsets(10, 1)), Pair(0, 15));
}

/// The lines of the cache that the tiles of a block look at, panel by panel.
std::set<std::int64_t> fetched(Fetching<float> fetching, const float* from, std::int64_t panels,
                               std::int64_t rows, std::int64_t terms) {
  std::set<std::int64_t> lines;
  for (std::int64_t panel = 0; panel < panels; ++panel) {
    const auto ahead = fetching.share(Fetching<float>::turns(rows, terms));
    for (std::int64_t tile = 0; tile * tile_rows < rows; ++tile) {
      const Ahead& own = ahead[static_cast<std::size_t>(tile % 2)];
      for (std::int64_t k = 0; k < terms && own.from != nullptr; ++k) {
        const auto* place = own.from + (tile / 2 * terms + k) * own.step;
        lines.insert((place - reinterpret_cast<const std::byte*>(from)) / 64);
      }
    }
  }
  return lines;
}

TEST(ahead, tiles_together_fetch_every_line_once_they_are_through) {
  constexpr std::int64_t rows = 24, panels = 3, terms = 100;
  constexpr std::int64_t turns = panels * Fetching<float>::turns(rows, terms);
  const std::vector<float> memory(20'000);
  const float* from = memory.data();
  for (const std::int64_t of_rows : {0, 1000}) {
    for (const std::int64_t of_columns : {16, 4001, 9000}) {
      const Fetching<float> fetching(from, {0, of_rows}, from, {of_rows, of_columns}, turns);
      const auto lines = fetched(fetching, from, panels, rows, terms);
      for (std::int64_t line = 0; line < (of_rows + of_columns) / 16; ++line) {
        EXPECT_TRUE(lines.contains(line)) << line << " of " << of_rows << " and " << of_columns;
      }
    }
  }
}

TEST(ahead, nothing_is_fetched_where_columns_have_gaps) {
  const std::vector<float> memory(100);
  const Fetching<float> fetching(memory.data(), {0, 50}, memory.data(), {}, 10);
  EXPECT_TRUE(fetched(fetching, memory.data(), 1, 12, 10).empty());
}

}  // namespace
}  // namespace axial::kernels
