// Helpers for text that people read.
#include "axial/base/text.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace axial {
namespace {

std::optional<std::string_view> near(std::string_view wanted,
                                     const std::vector<std::string_view>& candidates) {
  return nearest(wanted, candidates);
}

TEST(nearest, finds_a_misspelt_name) {
  EXPECT_EQ(near("heigth", {"width", "height", "layer"}), "height");
  EXPECT_EQ(near("with", {"width", "height"}), "width");
  EXPECT_EQ(near("layers", {"layer", "heads"}), "layer");
  EXPECT_EQ(near("seq", {"key", "seq'"}), "seq'");
}

TEST(nearest, prefers_the_fewest_changes_and_then_the_first) {
  EXPECT_EQ(near("hidden", {"hidden_1", "hiden", "hidde"}), "hiden");
  EXPECT_EQ(near("hidden", {"hidde", "hiden"}), "hidde");
}

TEST(nearest, finds_nothing_among_other_words) {
  EXPECT_EQ(near("vocabulary", {"height", "width"}), std::nullopt);
  EXPECT_EQ(near("key", {}), std::nullopt);
}

TEST(nearest, does_not_take_another_short_word_for_a_misspelling) {
  EXPECT_EQ(near("key", {"seq", "val"}), std::nullopt);
  EXPECT_EQ(near("a", {"b", "c"}), std::nullopt);
  EXPECT_EQ(near("B", {"A", "x"}), std::nullopt);
}

TEST(nearest, survives_long_names) {
  const std::string long_name(5'000, 'x');
  EXPECT_EQ(near(long_name, {"height"}), std::nullopt);
  EXPECT_EQ(near("height", {long_name}), std::nullopt);
}

TEST(display_width, counts_code_points) {
  EXPECT_EQ(display_width(""), 0);
  EXPECT_EQ(display_width("abc"), 3);
  EXPECT_EQ(display_width("ax†"), 3);
  EXPECT_EQ(display_width("⊙ε"), 2);
}

}  // namespace
}  // namespace axial
