#include "axial/base/few.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>

namespace axial {
namespace {

using Texts = Few<std::string, 2>;

/// Texts that are too long to be kept in a string itself, so that a leak or a second end would be seen.
Texts texts(int count) {
  Texts result;
  for (int k = 0; k < count; ++k) result.push_back(std::string(40, 'a') + std::to_string(k));
  return result;
}

std::vector<std::string> listed(const Texts& texts) { return {texts.begin(), texts.end()}; }

TEST(few, copies_and_moves_keep_all_elements_inside_and_outside) {
  for (const int count : {0, 1, 2, 3, 4, 5, 9}) {
    const Texts original = texts(count);
    EXPECT_EQ(original.size(), static_cast<std::size_t>(count));
    Texts copy = original;
    Texts moved = std::move(copy);
    EXPECT_EQ(listed(moved), listed(original));
    for (const int other : {0, 2, 3}) {
      Texts target = texts(other);
      target = original;
      EXPECT_EQ(listed(target), listed(original));
      Texts source = original;
      target = std::move(source);
      EXPECT_EQ(listed(target), listed(original));
    }
  }
}

TEST(few, what_was_moved_away_is_empty_and_can_be_used_again) {
  for (const int count : {2, 5}) {
    Texts source = texts(count);
    const Texts taken = std::move(source);
    EXPECT_TRUE(source.empty());  // NOLINT(bugprone-use-after-move): this is what it promises
    for (int k = 0; k < 4; ++k) source.push_back("again");
    EXPECT_EQ(source.size(), 4U);
    EXPECT_EQ(listed(taken), listed(texts(count)));
  }
}

TEST(few, a_list_can_be_assigned_to_itself) {
  for (const int count : {2, 5}) {
    Texts list = texts(count);
    const Texts& same = list;
    list = same;
    EXPECT_EQ(listed(list), listed(texts(count)));
  }
}

TEST(few, an_element_of_the_list_can_be_added_to_it) {
  Texts list = texts(1);
  for (int k = 0; k < 6; ++k) list.push_back(list[0]);
  EXPECT_EQ(list.size(), 7U);
  for (const std::string& text : list) EXPECT_EQ(text, texts(1)[0]);
}

TEST(few, the_last_element_comes_away_first) {
  Few<std::unique_ptr<int>, 2> list;
  for (int k = 0; k < 5; ++k) list.push_back(std::make_unique<int>(k));
  for (int k = 5; k-- > 0;) EXPECT_EQ(*list.pop_back(), k);
  EXPECT_TRUE(list.empty());
}

TEST(few, a_copy_that_fails_leaves_nothing_behind) {
  struct Fragile {
    explicit Fragile(std::shared_ptr<int> left) : copies_left(std::move(left)) {}
    Fragile(const Fragile& other) : copies_left(other.copies_left) {
      if (--*copies_left < 0) throw std::runtime_error("no more copies");
    }
    Fragile(Fragile&&) = default;
    std::shared_ptr<int> copies_left;
  };
  const auto copies_left = std::make_shared<int>(2);
  {
    Few<Fragile, 1> list;
    for (int k = 0; k < 3; ++k) list.push_back(Fragile(copies_left));
    using List = Few<Fragile, 1>;
    EXPECT_THROW(List{list}, std::runtime_error);
    EXPECT_EQ(copies_left.use_count(), 4);
  }
  EXPECT_EQ(copies_left.use_count(), 1);
}

TEST(few, a_vector_becomes_the_same_list) {
  std::vector<int> numbers(20);
  std::iota(numbers.begin(), numbers.end(), 0);
  const Few<int, 3> list = numbers;
  EXPECT_TRUE(std::ranges::equal(list, numbers));
}

}  // namespace
}  // namespace axial
