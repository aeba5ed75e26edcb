// Values in memory: layout, offsets, and walks through them.
#include "axial/tensor/array.hpp"

#include <gmock/gmock.h>

#include "diagnostics/expect.hpp"

namespace axial {
namespace {

using diagnostics::expect_error;
using ::testing::ElementsAre;

const Axis height{"height"}, width{"width"}, layer{"layer"};

/// 0, 1, 2, … in the written order of the shape.
Array counted(const Shape& shape) {
  return build<float>(shape, [&](float* out) {
    for (std::int64_t i = 0; i < shape.volume(); ++i) out[i] = static_cast<float>(i);
  });
}

const Array matrix = counted(height[2] * width[3]);

TEST(array, has_type_shape_and_elements) {
  EXPECT_EQ(matrix.type(), float32);
  EXPECT_EQ(matrix.shape(), height[2] * width[3]);
  EXPECT_EQ(matrix.volume(), 6);
  EXPECT_THAT(matrix.elements<float>(), ElementsAre(0, 1, 2, 3, 4, 5));
  EXPECT_EQ(matrix.real(4), 4.0);
}

TEST(array, is_not_read_as_another_type) {
  EXPECT_THROW(matrix.elements<double>(), std::logic_error);
  EXPECT_THROW(matrix.whole(0), std::logic_error);
}

TEST(array, copies_share_the_block) {
  const Array copy = matrix;
  EXPECT_EQ(copy.bytes(), matrix.bytes());
}

TEST(array, reads_every_type_as_numbers) {
  for (const ElementFacts& entry : element_facts) {
    const Array one = scalar(1, entry.type);
    EXPECT_EQ(one.type(), entry.type);
    EXPECT_EQ(one.shape(), Shape{});
    EXPECT_EQ(one.real(0), 1.0);
    if (!is_real(entry.type)) {
      EXPECT_EQ(one.whole(0), 1);
    }
  }
  EXPECT_EQ(scalar(9'007'199'254'740'993, int64).whole(0), 9'007'199'254'740'993);
}

TEST(array, finds_the_offset_of_a_record) {
  EXPECT_EQ(matrix.offset({height(0), width(0)}), 0);
  EXPECT_EQ(matrix.offset({width(2), height(1)}), 5);
  EXPECT_EQ(matrix.offset({height(1), width(0)}), 3);
  EXPECT_EQ(scalar(1, float32).offset({}), 0);
}

TEST(array, has_no_offset_for_a_record_of_another_shape) {
  expect_error("unknown-axis", [] { matrix.offset(height(0)); });
  expect_error("unknown-axis", [] { matrix.offset({height(0), width(0), layer(0)}); });
  expect_error("index-out-of-range", [] { matrix.offset({height(2), width(0)}); });
  expect_error("index-out-of-range", [] { matrix.offset({height(0), width(-1)}); });
}

TEST(array, finds_offsets_beyond_32_bits) {
  const auto nothing = std::make_shared<char>();  // offsets are computed without reading
  const Array huge(boolean, height[1LL << 20] * width[1LL << 20], nothing);
  EXPECT_EQ(huge.offset({height((1LL << 20) - 1), width((1LL << 20) - 1)}), (1LL << 40) - 1);
  EXPECT_EQ(huge.offset({height(4096), width(5)}), (4096LL << 20) + 5);
}

TEST(array, can_be_seen_under_other_names) {
  const Array flat = matrix.reinterpreted(layer[6]);
  EXPECT_EQ(flat.shape(), Shape(layer[6]));
  EXPECT_EQ(flat.bytes(), matrix.bytes());
  EXPECT_THROW(matrix.reinterpreted(layer[5]), std::logic_error);
}

TEST(array, may_be_empty) {
  const Array empty = counted(height[0] * width[3]);
  EXPECT_EQ(empty.volume(), 0);
  EXPECT_TRUE(empty.elements<float>().empty());
}

TEST(allocate, refuses_what_cannot_be_counted) {
  expect_error("too-large", [] { allocate(float64, height[1LL << 60]); });
}

TEST(laid_out, changes_the_order_and_not_the_tensor) {
  const Array transposed = laid_out(matrix, width & height);
  EXPECT_THAT(transposed.elements<float>(), ElementsAre(0, 3, 1, 4, 2, 5));
  EXPECT_EQ(transposed.shape(), matrix.shape());
  for (const Record& record : records(matrix.shape())) {
    EXPECT_EQ(transposed.real(transposed.offset(record)), matrix.real(matrix.offset(record)));
  }
}

TEST(laid_out, does_nothing_if_the_order_is_there_already) {
  EXPECT_EQ(laid_out(matrix, height & width).bytes(), matrix.bytes());
}

TEST(laid_out, needs_all_names) {
  expect_error("unknown-axis", [] { laid_out(matrix, height); });
  expect_error("unknown-axis", [] { laid_out(matrix, height & width & layer); });
  expect_error("unknown-axis", [] { laid_out(matrix, height & layer); });
}

TEST(laid_out, works_for_every_order_of_three_axes) {
  const Array cube = counted(height[2] * width[3] * layer[5]);
  std::vector<Axis> order{height, layer, width};
  do {
    const Array other = laid_out(cube, Axes(order));
    for (const Record& record : records(cube.shape())) {
      ASSERT_EQ(other.real(other.offset(record)), cube.real(cube.offset(record)));
    }
  } while (std::ranges::next_permutation(order).found);
}

TEST(track, has_one_stride_per_walked_axis_and_none_for_others) {
  EXPECT_THAT(track(height[2] * width[3], height[2] * width[3]).strides, ElementsAre(3, 1));
  EXPECT_THAT(track(height[2] * width[3], width[3] * layer[4] * height[2]).strides,
              ElementsAre(1, 0, 3));
  EXPECT_THAT(track({}, height[2]).strides, ElementsAre(0));
}

TEST(gather, picks_along_a_track) {
  const Array middle = gather(matrix, height[2], {.strides = {3}, .start = 1});
  EXPECT_THAT(middle.elements<float>(), ElementsAre(1, 4));
  const Array backwards = gather(matrix, width[3], {.strides = {-1}, .start = 5});
  EXPECT_THAT(backwards.elements<float>(), ElementsAre(5, 4, 3));
  const Array repeated =
      gather(matrix, height[2] * layer[2], track(matrix.shape(), height[2] * layer[2]));
  EXPECT_THAT(repeated.elements<float>(), ElementsAre(0, 0, 3, 3));
}

TEST(walk, visits_every_record_once_with_the_last_axis_fastest) {
  std::vector<std::int64_t> offsets;
  walk(height[2] * width[3], {track(height[2] * width[3], height[2] * width[3])},
       [&](const std::int64_t* at) { offsets.push_back(at[0]); });
  EXPECT_THAT(offsets, ElementsAre(0, 1, 2, 3, 4, 5));
}

TEST(walk, keeps_one_offset_per_track) {
  std::vector<std::int64_t> sums;
  const Shape shape = height[2] * width[2] * layer[2];
  walk(shape, {track(width[2], shape), track(layer[2] * height[2], shape)},
       [&](const std::int64_t* at) { sums.push_back(10 * at[0] + at[1]); });
  EXPECT_THAT(sums, ElementsAre(0, 2, 10, 12, 1, 3, 11, 13));
}

TEST(walk, visits_a_scalar_once_and_an_empty_shape_never) {
  int visits = 0;
  walk({}, {}, [&](const std::int64_t*) { ++visits; });
  EXPECT_EQ(visits, 1);
  walk(height[3] * width[0], {}, [&](const std::int64_t*) { ++visits; });
  EXPECT_EQ(visits, 1);
}

TEST(require_in_range, accepts_positions_of_the_axis_only) {
  require_in_range(height, 0, 3);
  require_in_range(height, 2, 3);
  for (const std::int64_t position : {std::int64_t{-1}, std::int64_t{3}, INT64_MIN, INT64_MAX}) {
    expect_error("index-out-of-range", [&] { require_in_range(height, position, 3); });
  }
  expect_error("index-out-of-range", [] { require_in_range(height, 0, 0); });
}

}  // namespace
}  // namespace axial
