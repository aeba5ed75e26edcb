// Section 2 of the paper, number by number: named tensors, their indices, records and shapes. The
// paper counts positions from 1, C++ from 0.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "axial/axial.hpp"
#include "support/lifting.hpp"
#include "support/tolerance.hpp"

namespace axial {
namespace {

using support::at;
using support::close_to;
using support::same;

const Axis height("height"), width("width"), chans("chans");

Tensor example() { return tensor(height[3] * width[3], {3, 1, 4, 1, 5, 9, 2, 6, 5}); }

TEST(section_2_1, writes_the_example_in_two_orders_that_are_one_tensor) {
  const Tensor by_rows = tensor(height[3] * width[3], {3, 1, 4, 1, 5, 9, 2, 6, 5});
  const Tensor by_columns = tensor(width[3] * height[3], {3, 1, 2, 1, 5, 6, 4, 9, 5});
  EXPECT_EQ(by_rows.shape(), by_columns.shape());
  EXPECT_TRUE(identical(by_rows, by_columns));
  EXPECT_TRUE(all(height & width, by_rows == by_columns));
}

TEST(section_2_1, has_one_set_of_tensors_for_both_orders_of_the_axes) {
  EXPECT_EQ(height[3] * width[3], width[3] * height[3]);
}

TEST(section_2_1, reads_an_element_by_named_indices_in_either_order) {
  const Tensor A = example();
  EXPECT_EQ((A[height(0), width(2)].item()), 4);
  EXPECT_EQ((A[width(2), height(0)].item()), 4);
}

TEST(section_2_1, has_nine_elements_at_nine_records) {
  const double rows[3][3] = {{3, 1, 4}, {1, 5, 9}, {2, 6, 5}};
  const Tensor A = example();
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) EXPECT_EQ((A[height(i), width(j)].item()), rows[i][j]);
  }
}

TEST(section_2_1, indexes_partially_along_height) {
  EXPECT_TRUE(close_to(example()[height(0)], width[3], {3, 1, 4}, 0));
}

TEST(section_2_1, indexes_partially_along_width) {
  EXPECT_TRUE(close_to(example()[width(2)], height[3], {4, 9, 5}, 0));
}

TEST(section_2_1, leaves_sizes_to_be_said_later) {
  const Tensor image = zeros(height[28] * width[28]);
  EXPECT_EQ(image.size(height), 28);
  EXPECT_EQ(image.size(height), image.size(width));
}

TEST(section_2_2, adds_an_axis_for_channels_under_its_own_name) {
  const Tensor coloured = broadcast(example(), chans[3]);
  EXPECT_EQ(coloured.shape(), chans[3] * height[3] * width[3]);
  EXPECT_TRUE(same(coloured[chans(1)], example()));
}

TEST(section_2_3, tells_axes_apart_by_name_and_not_by_size) {
  EXPECT_EQ(Axis("height"), height);
  EXPECT_NE(height, width);
  EXPECT_EQ(height[3].axis, height[5].axis);
  EXPECT_NE(height[3], height[5]);
}

TEST(section_2_3, has_records_that_are_sets) {
  EXPECT_EQ((Record{height(0), width(2)}), (Record{width(2), height(0)}));
  EXPECT_NE((Record{height(0), width(2)}), (Record{height(2), width(0)}));
}

TEST(section_2_3, lists_each_record_of_a_shape_once) {
  std::set<std::string> found;
  for (const Record& record : records(height[3] * width[2])) found.insert(to_text(record));
  const std::set<std::string> expected = {"{height(0), width(0)}", "{height(0), width(1)}",
                                          "{height(1), width(0)}", "{height(1), width(1)}",
                                          "{height(2), width(0)}", "{height(2), width(1)}"};
  EXPECT_EQ(found, expected);
}

TEST(section_2_3, has_one_record_of_the_empty_shape) {
  ASSERT_EQ(records(Shape{}).size(), 1);
  EXPECT_EQ(records(Shape{})[0], Record{});
}

TEST(section_2_3, calls_shapes_compatible_if_shared_names_have_one_size) {
  EXPECT_TRUE(compatible(height[3] * width[3], width[3] * chans[2]));
  EXPECT_TRUE(compatible(height[3], chans[2]));
  EXPECT_FALSE(compatible(height[3] * width[3], width[4]));
}

TEST(section_2_3, calls_shapes_orthogonal_if_they_share_no_name) {
  EXPECT_TRUE(orthogonal(height[3], width[3] * chans[2]));
  EXPECT_FALSE(orthogonal(height[3] * width[3], width[3]));
  EXPECT_FALSE(orthogonal(height[3], height[4]));
}

TEST(section_2_3, restricts_a_record_to_a_part_of_its_shape) {
  const Record record{height(1), width(2), chans(0)};
  EXPECT_EQ(restrict(record, chans & height), (Record{height(1), chans(0)}));
  EXPECT_EQ(restrict(record, Axes{}), Record{});
}

TEST(section_2_3, unites_and_subtracts_shapes) {
  EXPECT_EQ(Shape(height[3] * width[2]) | Shape(width[2] * chans[4]),
            height[3] * width[2] * chans[4]);
  EXPECT_EQ(Shape(height[3] * width[2]) - Axes(width), Shape(height[3]));
}

TEST(section_2_3, takes_a_scalar_for_a_tensor_of_the_empty_shape) {
  const Tensor scalar = 2.5;
  EXPECT_EQ(scalar.shape(), Shape{});
  EXPECT_EQ(scalar.item(), 2.5);
  EXPECT_EQ(tensor(Shape{}, {2.5}).item(), 2.5);
  EXPECT_TRUE(same(scalar, tensor(Shape{}, {2.5})));
}

TEST(section_2_3, indexes_expressions_in_brackets) {
  const Tensor A = example();
  EXPECT_EQ(((A + A)[height(0), width(2)].item()), 8);
}

TEST(section_2_3, indexes_step_by_step_as_by_the_union_of_the_records) {
  const Tensor A = example();
  for (const Record& s : records(height[3])) {
    for (const Record& t : records(width[3])) {
      EXPECT_EQ(at(at(A, s), t).item(), at(A, s | t).item());
    }
  }
}

TEST(section_2_3, indexes_by_the_empty_record_to_the_tensor_itself) {
  EXPECT_TRUE(same(at(example(), Record{}), example()));
  EXPECT_EQ(at(Tensor(7.0), Record{}).item(), 7);
}

}  // namespace
}  // namespace axial
