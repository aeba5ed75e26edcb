// Shapes, records and their algebra (Definitions 2 and 3 of the paper).
#include "axial/tensor/shape.hpp"

#include <gmock/gmock.h>

#include <set>
#include <thread>

#include "diagnostics/expect.hpp"

namespace axial {
namespace {

using diagnostics::expect_error;
using ::testing::ElementsAre;

const Axis height{"height"}, width{"width"}, layer{"layer"};
const Shape image = height[3] * width[2];

TEST(shape, does_not_depend_on_the_order_of_axes) {
  EXPECT_EQ(image, width[2] * height[3]);
  EXPECT_EQ(image, (Shape{width[2], height[3]}));
  EXPECT_NE(image, height[3] * width[3]);
  EXPECT_NE(image, Shape(height[3]));
  EXPECT_EQ(to_text(width[2] * height[3]), "{height[3], width[2]}");
}

TEST(shape, remembers_the_order_in_which_it_was_written) {
  EXPECT_THAT((width[2] * height[3]).written(), ElementsAre(width[2], height[3]));
  EXPECT_THAT((width[2] * height[3]).sorted(), ElementsAre(height[3], width[2]));
}

TEST(shape, is_written_as_others_with_the_same_order) {
  EXPECT_TRUE(image.is_written_as(height[3] * width[2]));
  EXPECT_FALSE(image.is_written_as(width[2] * height[3]));
  EXPECT_FALSE(image.is_written_as(height[3] * width[4]));
  EXPECT_FALSE(image.is_written_as({}));
  EXPECT_TRUE(Shape().is_written_as({}));
}

TEST(shape, is_the_same_whoever_made_it) {
  constexpr int sizes = 300;
  std::vector<std::vector<Shape>> made(4);
  {
    std::vector<std::jthread> threads;
    for (std::vector<Shape>& mine : made) {
      threads.emplace_back([&mine] {
        for (int size = 0; size < sizes; ++size) mine.push_back(height[size] * width[size % 7]);
      });
    }
  }
  for (const std::vector<Shape>& others : made) {
    for (std::size_t k = 0; k < others.size(); ++k) {
      EXPECT_TRUE(others[k].is_written_as(made[0][k]));
      EXPECT_EQ(others[k].size(height), static_cast<std::int64_t>(k));
    }
  }
}

TEST(shape, of_a_scalar_is_empty) {
  EXPECT_EQ(Shape{}.order(), 0);
  EXPECT_EQ(Shape{}.volume(), 1);
  EXPECT_EQ(to_text(Shape{}), "{}");
  EXPECT_EQ(Shape{} * image, image);
}

TEST(shape, finds_sizes_by_name) {
  EXPECT_EQ(image.size(height), 3);
  EXPECT_EQ(image.find(width), 2);
  EXPECT_EQ(image.find(layer), std::nullopt);
  EXPECT_TRUE(image.contains(width));
  EXPECT_FALSE(image.contains(layer));
  EXPECT_EQ(image.names(), height & width);
  expect_error("unknown-axis", [] { image.size(layer); });
}

TEST(shape, has_each_name_once) {
  expect_error("repeated-axis", [] { height[3] * height[3]; });
  expect_error("repeated-axis", [] { image* Shape(width[4]); });
}

TEST(shape, counts_its_records) {
  EXPECT_EQ(image.volume(), 6);
  EXPECT_EQ((image * layer[0]).volume(), 0);
  EXPECT_EQ((height[1LL << 30] * width[1LL << 29]).volume(), 1LL << 59);
}

TEST(shape, refuses_to_count_beyond_all_measure) {
  expect_error("too-large", [] { (height[1LL << 30] * width[1LL << 30]).volume(); });
  expect_error("too-large", [] { Shape(height[INT64_MAX]).volume(); });
  expect_error("too-large",
               [] { (height[INT64_MAX] * width[INT64_MAX] * layer[INT64_MAX]).volume(); });
}

TEST(shape, with_an_empty_axis_has_no_records_however_large_the_others_are) {
  EXPECT_EQ((height[INT64_MAX] * width[0] * layer[INT64_MAX]).volume(), 0);
  EXPECT_EQ((width[0] * height[INT64_MAX] * layer[INT64_MAX]).volume(), 0);
}

TEST(shape, may_have_many_axes) {
  std::vector<SizedAxis> axes;
  for (int i = 0; i < 40; ++i) axes.push_back(Axis("ax_" + std::to_string(i))[2]);
  const Shape wide(axes);
  EXPECT_EQ(wide.order(), 40);
  EXPECT_EQ(wide.volume(), 1LL << 40);
  std::ranges::reverse(axes);
  EXPECT_EQ(wide, Shape(axes));
}

TEST(compatible, means_that_no_name_has_two_sizes) {
  EXPECT_TRUE(compatible(image, height[3]));
  EXPECT_TRUE(compatible(image, layer[7]));
  EXPECT_TRUE(compatible(image, {}));
  EXPECT_FALSE(compatible(image, height[4]));
  EXPECT_FALSE(compatible(height[4] * layer[1], image));
}

TEST(orthogonal, means_that_no_name_is_common) {
  EXPECT_TRUE(orthogonal(image, layer[3]));
  EXPECT_TRUE(orthogonal({}, {}));
  EXPECT_FALSE(orthogonal(image, layer[3] * width[2]));
  EXPECT_FALSE(orthogonal(image, width[9]));
}

TEST(shape_union, holds_the_axes_of_both) {
  EXPECT_EQ(image | Shape(layer[4]), height[3] * width[2] * layer[4]);
  EXPECT_EQ(image | image, image);
  EXPECT_EQ(image | Shape(height[3] * layer[4]), height[3] * width[2] * layer[4]);
  EXPECT_EQ(Shape{} | image, image);
  expect_error("size-clash", [] { image | Shape(width[5]); });
}

TEST(shape_difference, drops_names) {
  EXPECT_EQ(image - height, Shape(width[2]));
  EXPECT_EQ(image - (height & width), Shape{});
  EXPECT_EQ(image - layer, image);
}

TEST(restriction, keeps_names) {
  EXPECT_EQ(restrict(image, height), Shape(height[3]));
  EXPECT_EQ(restrict(image, Axes{}), Shape{});
  EXPECT_THAT(restrict(image, width & height).written(), ElementsAre(width[2], height[3]));
  expect_error("unknown-axis", [] { restrict(image, layer); });
}

TEST(shape, contains_its_parts) {
  EXPECT_TRUE(contains(image, height[3]));
  EXPECT_TRUE(contains(image, image));
  EXPECT_TRUE(contains(image, {}));
  EXPECT_FALSE(contains(image, height[4]));
  EXPECT_FALSE(contains(image, layer[1]));
}

TEST(shape_algebra, follows_the_laws_of_sets) {
  const Shape s = height[3] * width[2], t = width[2] * layer[5], u = layer[5] * height[3];
  EXPECT_EQ(s | t, t | s);
  EXPECT_EQ((s | t) | u, s | (t | u));
  EXPECT_EQ((s | t) - t.names(), s - t.names());
  EXPECT_TRUE(orthogonal(s - t.names(), t));
  EXPECT_TRUE(contains(s | t, s));
}

TEST(record, is_a_set_of_named_indices) {
  const Record record{height(1), width(2)};
  EXPECT_EQ(record, (Record{width(2), height(1)}));
  EXPECT_NE(record, (Record{width(1), height(2)}));
  EXPECT_EQ(record[height], 1);
  EXPECT_EQ(record.names(), height & width);
  EXPECT_EQ(record.count(), 2);
  EXPECT_EQ(to_text(record), "{height(1), width(2)}");
  EXPECT_EQ(to_text(Record{}), "{}");
  expect_error("unknown-axis", [&] { record[layer]; });
  expect_error("repeated-axis", [] { Record{height(1), height(1)}; });
}

TEST(record, unites_with_others_and_is_restricted) {
  const Record s = height(1), t{width(2), layer(0)};
  EXPECT_EQ(s | t, (Record{layer(0), height(1), width(2)}));
  EXPECT_EQ(restrict(s | t, width & layer), t);
  EXPECT_EQ(restrict(s, Axes{}), Record{});
  expect_error("repeated-axis", [&] { s | Record(height(2)); });
  expect_error("unknown-axis", [&] { restrict(s, width); });
}

TEST(records, are_all_records_of_a_shape_each_once) {
  const std::vector<Record> all = records(image);
  EXPECT_EQ(all.size(), 6);
  EXPECT_EQ(all[0], (Record{height(0), width(0)}));
  EXPECT_EQ(all[1], (Record{height(0), width(1)}));
  EXPECT_EQ(all[5], (Record{height(2), width(1)}));
  std::set<std::string> texts;
  for (const Record& record : all) texts.insert(to_text(record));
  EXPECT_EQ(texts.size(), 6);
}

TEST(records, of_a_scalar_are_one_and_of_an_empty_axis_none) {
  EXPECT_THAT(records(Shape{}), ElementsAre(Record{}));
  EXPECT_TRUE(records(height[0] * width[2]).empty());
}

TEST(require_axis, says_what_was_done_and_what_there_is) {
  const auto error = diagnostics::error_of([] { require_axis(image, layer, "`sum`"); });
  EXPECT_EQ(error->message(), "`sum`: there is no axis `layer` in shape {height[3], width[2]}");
}

}  // namespace
}  // namespace axial
