// Names of axes, their decorations, and sets of them (Definition 1 of the paper).
#include "axial/tensor/axis.hpp"

#include <gmock/gmock.h>

#include <set>
#include <thread>
#include <unordered_set>

#include "diagnostics/expect.hpp"

namespace axial {
namespace {

using diagnostics::expect_error;
using ::testing::ElementsAre;

const Axis height{"height"}, width{"width"}, layer{"layer"}, ax{"ax"};

TEST(axis, is_its_name) {
  EXPECT_EQ(height.name(), "height");
  EXPECT_EQ(height, Axis("height"));
  EXPECT_NE(height, width);
}

TEST(axis, names_may_hold_digits_subscripts_and_letters_of_any_script) {
  for (const std::string name :
       {"a", "A", "x2", "hidden_1", "kh_l", "W_in_2", "größe", "ось", "軸"}) {
    EXPECT_EQ(Axis(name).name(), name);
  }
}

TEST(axis, decorations_are_part_of_the_name) {
  EXPECT_EQ(height.prime().name(), "height'");
  EXPECT_EQ(height.star().name(), "height*");
  EXPECT_EQ(height.dagger().name(), "height†");
  EXPECT_NE(height.prime(), height);
  EXPECT_NE(height.prime(), height.prime().prime());
  EXPECT_EQ(height.prime(), Axis("height'"));
  EXPECT_EQ(height.dagger(), Axis("height†"));
}

TEST(axis, decorations_have_one_order) {
  EXPECT_EQ(height.dagger().star().prime().name(), "height'*†");
  EXPECT_EQ(height.star().prime(), height.prime().star());
  EXPECT_EQ(Axis("height†*'"), Axis("height'*†"));
  EXPECT_EQ(Axis("hidden_1*'").name(), "hidden_1'*");
}

TEST(axis, typographic_primes_are_primes) {
  EXPECT_EQ(Axis("seq′"), Axis("seq'"));
  EXPECT_EQ(Axis("seq′'"), Axis("seq''"));
}

TEST(axis, is_ordered_by_name) {
  EXPECT_LT(height, width);
  EXPECT_LT(height, height.prime());
  EXPECT_EQ(height <=> Axis("height"), std::strong_ordering::equal);
  const std::set<Axis> sorted{width, layer, height};
  EXPECT_THAT(sorted, ElementsAre(height, layer, width));
}

TEST(axis, equal_names_have_equal_hashes) {
  const std::hash<Axis> hash;
  EXPECT_EQ(hash(height), hash(Axis("height")));
  EXPECT_EQ(hash(height.star().prime()), hash(Axis("height'*")));
  const std::unordered_set<Axis> set{height, Axis("height"), height.prime()};
  EXPECT_EQ(set.size(), 2);
}

TEST(axis, is_the_same_on_every_thread) {
  std::vector<std::jthread> threads;
  std::vector<const char*> texts(8);
  for (std::size_t t = 0; t < texts.size(); ++t) {
    threads.emplace_back([&texts, t] {
      for (int i = 0; i < 500; ++i) {
        const Axis name("thread_" + std::to_string(i));
        if (i == 250) texts[t] = name.name().data();
      }
    });
  }
  threads.clear();
  for (const char* text : texts) EXPECT_EQ(text, Axis("thread_250").name().data());
}

TEST(axis, may_have_a_very_long_name) {
  const std::string name(1'000'000, 'x');
  EXPECT_EQ(Axis(name).prime().name().size(), name.size() + 1);
}

TEST(axis, rejects_everything_else) {
  for (const std::string name :
       {"",     " ",    "1",   "1a",   "a b", " a",  "a ",      "'",   "*",   "†",
        "_",    "_a",   "a_",  "a__b", "a_'", "a'b", "a'_1",    "a-b", "a.b", "a,b",
        "a[3]", "a(0)", "a&b", "{a}",  "a\t", "a\n", "\x1b[0m", "\x7f"}) {
    SCOPED_TRACE(name);
    expect_error("bad-name", [&] { Axis{name}; });
  }
}

TEST(axis, rejects_text_that_is_not_utf8) {
  for (const std::string name : {"\xff", "a\x80", "a\xc3", "a\xe2\x82", "\xc0\xaf", "\xed\xa0\x80",
                                 "a\xf5\x80\x80\x80", "a\xc3(", "\xe2\x80"}) {
    SCOPED_TRACE(::testing::PrintToString(name));
    expect_error("bad-name", [&] { Axis{name}; });
  }
}

TEST(axis, rejects_what_is_no_letter_in_unicode_either) {
  for (const std::string name :
       {"\u00a0", "a\u200b", "a\u2028b", "a×b", "a→b", "⊙", "\u0085", "\ufeffa"}) {
    SCOPED_TRACE(name);
    expect_error("bad-name", [&] { Axis{name}; });
  }
}

TEST(fresh, avoids_the_names_taken) {
  Axes taken = height & width;
  for (int i = 0; i < 5; ++i) {
    const Axis name = fresh(height, taken);
    EXPECT_FALSE(taken.contains(name));
    taken = taken & name;
  }
  EXPECT_EQ(taken.count(), 7);
}

TEST(sized_axis, has_a_size_that_is_not_part_of_the_name) {
  EXPECT_EQ(height[3].axis, height[4].axis);
  EXPECT_NE(height[3], height[4]);
  EXPECT_EQ(height[0].size, 0);
  EXPECT_EQ(height[3].prime(), height.prime()[3]);
  EXPECT_EQ(height[3].star(), height.star()[3]);
  EXPECT_EQ(height[3].dagger(), height.dagger()[3]);
  expect_error("bad-size", [] { height[-1]; });
  expect_error("bad-size", [] { height[INT64_MIN]; });
}

TEST(named_index, is_a_name_and_a_position) {
  EXPECT_EQ(height(2), (NamedIndex{height, 2}));
  EXPECT_NE(height(2), width(2));
  const NamedRange range = height(1, 5, 2);
  EXPECT_EQ(range.axis, height);
  EXPECT_EQ(range.begin, 1);
  EXPECT_EQ(range.end, 5);
  EXPECT_EQ(range.step, 2);
  EXPECT_EQ(height(1, 5).step, 1);
}

TEST(axes, are_a_set) {
  EXPECT_EQ(height & width, width & height);
  EXPECT_EQ((Axes{height, width}), height & width);
  EXPECT_NE(height & width, Axes(height));
  EXPECT_NE(Axes(height), Axes(width));
  EXPECT_EQ(Axes{}, Axes(std::vector<Axis>{}));
  EXPECT_TRUE((height & width).contains(width));
  EXPECT_FALSE((height & width).contains(layer));
  EXPECT_TRUE(Axes{}.empty());
  EXPECT_EQ((height & width & layer).count(), 3);
}

TEST(axes, remember_the_order_in_which_they_were_written) {
  EXPECT_THAT((width & height & layer).written(), ElementsAre(width, height, layer));
  EXPECT_EQ((width & height)[1], height);
}

TEST(axes, have_each_name_once) {
  expect_error("repeated-axis", [] { height & height; });
  expect_error("repeated-axis", [] { Axes{height, width, height}; });
  expect_error("repeated-axis", [] { (height & width) & (width & layer); });
}

TEST(axes, can_be_subtracted_and_intersected) {
  const Axes all = height & width & layer;
  EXPECT_EQ(all - width, height & layer);
  EXPECT_EQ(all - ax, all);
  EXPECT_EQ(all - all, Axes{});
  EXPECT_EQ(common(all, width & ax), Axes(width));
  EXPECT_TRUE(common(height & width, ax).empty());
}

TEST(axes, are_written_in_alphabetical_order) {
  EXPECT_EQ(to_text(width & height), "{height, width}");
  EXPECT_EQ(to_text(Axes{}), "{}");
}

TEST(renaming, holds_what_is_written) {
  const Renaming rename = height >> width;
  EXPECT_THAT(rename.from, ElementsAre(height));
  EXPECT_THAT(rename.to, ElementsAre(AxisPart(width)));
  const Renaming flatten = (height & width) >> layer;
  EXPECT_THAT(flatten.from, ElementsAre(height, width));
  EXPECT_THAT(flatten.to, ElementsAre(AxisPart(layer)));
}

TEST(renaming, splits_into_parts_with_and_without_sizes) {
  EXPECT_THAT((layer >> (height[2] & width)).to, ElementsAre(AxisPart(height[2]), AxisPart(width)));
  EXPECT_THAT((layer >> (height & width[2])).to, ElementsAre(AxisPart(height), AxisPart(width[2])));
  EXPECT_THAT((layer >> (height[2] & width[3])).to,
              ElementsAre(AxisPart(height[2]), AxisPart(width[3])));
  EXPECT_THAT((layer >> (height & width & ax[3])).to,
              ElementsAre(AxisPart(height), AxisPart(width), AxisPart(ax[3])));
  EXPECT_THAT((layer >> (height[2] & width & ax[3])).to,
              ElementsAre(AxisPart(height[2]), AxisPart(width), AxisPart(ax[3])));
  EXPECT_EQ(AxisPart(width).size, AxisPart::open);
}

}  // namespace
}  // namespace axial
