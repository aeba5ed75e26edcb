// Printed tensors, as they appear on a terminal. Expected texts open with a newline, so that their
// first line stands below the quotation mark.
#include "axial/tensor/print.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <sstream>
#include <vector>

#include "axial/base/text.hpp"

namespace axial {
namespace {

const Axis height("height"), width("width"), batch("batch"), heads("heads"), seq("seq"), key("key");
constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

template <Element T = float>
Array array(const Shape& shape, const std::vector<T>& values) {
  EXPECT_EQ(std::ssize(values), shape.volume());
  return build<T>(shape, [&](T* out) { std::ranges::copy(values, out); });
}

/// The numbers 0, 1, 2, ... in the order in which the axes are written.
template <Element T = float>
Array counting(const Shape& shape, double scale = 1) {
  return build<T>(shape, [&](T* out) {
    for (std::int64_t i = 0; i < shape.volume(); ++i) {
      out[i] = static_cast<T>(static_cast<double>(i) * scale);
    }
  });
}

std::string shown(const Array& array, const PrintOptions& options = {}) {
  return "\n" + to_text(array, options);
}

/// A vector of float64 on one line, without its brackets and the line above.
std::string line(const std::vector<double>& values, const PrintOptions& options = {}) {
  const std::string text = to_text(array(seq[std::ssize(values)], values), options);
  const std::size_t start = text.find("[ ") + 2;
  return text.substr(start, text.size() - start - 2);
}

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> result;
  std::istringstream stream(text);
  for (std::string each; std::getline(stream, each);) result.push_back(each);
  return result;
}

TEST(print, a_matrix_has_the_names_of_its_axes_on_its_sides) {
  const Array A = array(height[3] * width[3], {3, 1, 4, 1, 5, 9, 2, 6, 5});
  EXPECT_EQ(shown(A), R"(
          width
       ⎡ 3  1  4 ⎤
height ⎢ 1  5  9 ⎥
       ⎣ 2  6  5 ⎦)");
}

TEST(print, a_vector_is_a_row_below_the_name_of_its_axis) {
  EXPECT_EQ(shown(array(height[3], {2, 7, 1})), R"(
  height
[ 2  7  1 ])");
  EXPECT_EQ(shown(array(width[3], {1, 4, 1})), R"(
   width
[ 1  4  1 ])");
  EXPECT_EQ(shown(array(Axis("temperature")[1], {20.5F})), R"(
  temperature
[ 20.5 ])");
}

TEST(print, a_scalar_is_its_number) {
  EXPECT_EQ(to_text(scalar(3, float32)), "3");
  EXPECT_EQ(to_text(scalar(0.1, float32)), "0.1");
  EXPECT_EQ(to_text(scalar(3.14159265, float64)), "3.1416");
  EXPECT_EQ(to_text(scalar(-inf, float64)), "-inf");
  EXPECT_EQ(to_text(scalar(-7, int32)), "-7");
  EXPECT_EQ(to_text(scalar(true, boolean)), "true");
}

TEST(print, matrices_of_one_row_or_one_column_keep_both_names) {
  EXPECT_EQ(shown(array(height[1] * width[3], {1, 2, 3})), R"(
          width
height [ 1  2  3 ])");
  EXPECT_EQ(shown(array(height[2] * width[1], {1, -2})), R"(
         width
height ⎡  1 ⎤
       ⎣ -2 ⎦)");
}

TEST(print, three_axes_become_labelled_slices) {
  EXPECT_EQ(shown(counting(batch[2] * height[2] * width[3], 0.5)), R"(
{batch[2], height[2], width[3]} float32

batch(0):
             width
height ⎡ 0.0  0.5  1.0 ⎤
       ⎣ 1.5  2.0  2.5 ⎦

batch(1):
             width
height ⎡ 3.0  3.5  4.0 ⎤
       ⎣ 4.5  5.0  5.5 ⎦)");
}

TEST(print, four_axes_become_slices_with_two_labels) {
  EXPECT_EQ(shown(counting<std::int64_t>(batch[2] * heads[2] * key[1] * seq[4])), R"(
{batch[2], heads[2], key[1], seq[4]} int64

batch(0), heads(0):
           seq
key [  0   1   2   3 ]

batch(0), heads(1):
           seq
key [  4   5   6   7 ]

batch(1), heads(0):
           seq
key [  8   9  10  11 ]

batch(1), heads(1):
           seq
key [ 12  13  14  15 ])");
}

TEST(print, does_not_depend_on_the_order_of_axes) {
  const Array original = counting(batch[2] * heads[3] * key[2] * seq[13]);
  std::vector<Axis> order = {batch, heads, key, seq};
  int orders = 0;
  do {
    EXPECT_EQ(to_text(laid_out(original, Axes(order))), to_text(original));
    ++orders;
  } while (std::ranges::next_permutation(order).found);
  EXPECT_EQ(orders, 24);
  const Array A = array(height[3] * width[3], {3, 1, 4, 1, 5, 9, 2, 6, 5});
  const Array same = array(width[3] * height[3], {3, 1, 2, 1, 5, 6, 4, 9, 5});
  EXPECT_EQ(to_text(A), to_text(same));
}

TEST(print, decorated_names_are_measured_in_characters) {
  EXPECT_EQ(shown(array(Axis("ax")[2] * Axis("ax†")[2], {1, 0, 0, 1})), R"(
     ax†
ax ⎡ 1  0 ⎤
   ⎣ 0  1 ⎦)");
}

TEST(print, a_long_vector_shows_its_ends_and_its_size) {
  EXPECT_EQ(shown(counting(seq[1000])), R"(
          seq[1000]
[ 0  1  2  …  997  998  999 ])");
  EXPECT_EQ(shown(counting(seq[12])), R"(
                  seq
[ 0  1  2  3  4  5  6  7  8  9  10  11 ])");
  EXPECT_EQ(shown(counting(seq[5]), {.threshold = 3, .edge = 1}), R"(
  seq[5]
[ 0  …  4 ])");
}

TEST(print, a_single_position_is_not_left_out) {
  EXPECT_EQ(shown(counting(seq[3]), {.threshold = 1, .edge = 1}), R"(
    seq
[ 0  1  2 ])");
}

TEST(print, a_large_matrix_shows_its_corners) {
  EXPECT_EQ(shown(counting<std::int32_t>(height[100] * width[200])), R"(
                              width[200]
            ⎡     0      1      2  …    197    198    199 ⎤
            ⎢   200    201    202  …    397    398    399 ⎥
            ⎢   400    401    402  …    597    598    599 ⎥
height[100] ⎢   :      :      :    …    :      :      :   ⎥
            ⎢ 19400  19401  19402  …  19597  19598  19599 ⎥
            ⎢ 19600  19601  19602  …  19797  19798  19799 ⎥
            ⎣ 19800  19801  19802  …  19997  19998  19999 ⎦)");
}

TEST(print, slices_between_the_first_and_the_last_are_counted) {
  EXPECT_EQ(shown(counting(batch[5] * heads[4] * key[1] * seq[2]), {.edge = 1}), R"(
{batch[5], heads[4], key[1], seq[2]} float32

batch(0), heads(0):
       seq
key [  0   1 ]

… 18 more slices

batch(4), heads(3):
       seq
key [ 38  39 ])");
}

TEST(print, columns_are_left_out_to_fit_the_width) {
  EXPECT_EQ(shown(counting(height[2] * width[8], -0.125), {.width = 40}), R"(
                 width[8]
height ⎡  0.000  -0.125  …  -0.875 ⎤
       ⎣ -1.000  -1.125  …  -1.875 ⎦)");
}

TEST(print, no_line_is_wider_than_asked) {
  for (const double scale : {1.0, -0.37, 1e-6, 12345.678}) {
    const Array tensor = counting<double>(batch[3] * height[14] * width[40], scale);
    for (int limit = 40; limit < 200; limit += 7) {
      const PrintOptions options{.width = limit, .threshold = 40};
      for (const std::string& each : lines(to_text(tensor, options))) {
        EXPECT_LE(display_width(each), static_cast<std::size_t>(limit)) << each;
      }
    }
  }
}

TEST(print, two_columns_are_shown_even_if_there_is_no_room) {
  EXPECT_EQ(shown(counting(seq[9]), {.width = 0}), R"(
  seq[9]
[ 0  …  8 ])");
}

TEST(print, no_line_ends_in_a_space) {
  const Array tensor = counting(batch[9] * height[30] * width[30], 0.1);
  for (const std::string& each : lines(to_text(tensor))) EXPECT_FALSE(each.ends_with(' ')) << each;
}

TEST(print, plain_characters_on_request) {
  EXPECT_EQ(shown(counting(height[20] * width[20]), {.edge = 1, .unicode = false}), R"(
               width[20]
           [   0  ...   19 ]
height[20] [  :   ...   :  ]
           [ 380  ...  399 ])");
}

TEST(print, points_are_below_each_other) {
  EXPECT_EQ(shown(array(height[3] * width[2], {1.5F, -20, 100, 0.25F, 0, 7})), R"(
             width
       ⎡   1.50  -20.00 ⎤
height ⎢ 100.00    0.25 ⎥
       ⎣   0.00    7.00 ⎦)");
}

TEST(print, what_is_no_number_is_aligned_as_well) {
  EXPECT_EQ(shown(array<double>(height[2] * width[3], {nan, inf, -inf, 1.5, -2.25, 0})), R"(
               width
height ⎡  nan    inf  -inf ⎤
       ⎣ 1.50  -2.25  0.00 ⎦)");
}

TEST(print, digits_are_dropped_that_no_number_needs) {
  EXPECT_EQ(line({3, 1, 4}), "3  1  4");
  EXPECT_EQ(line({0.5, 3}), "0.5  3.0");
  EXPECT_EQ(line({0.1 + 0.2, 0.25}), "0.30  0.25");
  EXPECT_EQ(to_text(scalar(0.7, float32)), "0.7");
}

TEST(print, equal_numbers_look_equal) {
  EXPECT_EQ(line({0.0, -0.0}), "0  0");
  EXPECT_EQ(line({-0.0, 0.5}), "0.0  0.5");
}

TEST(print, the_largest_number_decides_the_digits) {
  EXPECT_EQ(line({0.090030573, 0.244728471, 0.665240956}), "0.0900  0.2447  0.6652");
  EXPECT_EQ(line({1.23456789, 0.00098765}), "1.2346  0.0010");
  EXPECT_EQ(line({12.3456789, 1.23456789}), "12.346  1.235");
  EXPECT_EQ(line({12345.6789, 0.25}), "12345.68  0.25");
  EXPECT_EQ(line({0.00123456, 0.00034567}), "0.001235  0.000346");
  EXPECT_EQ(line({1.23456789, 0.00098765}, {.digits = 2}), "1.2e+00  9.9e-04");
}

TEST(print, digits_can_be_asked_for) {
  EXPECT_EQ(line({3.14159265, 1}, {.digits = 2}), "3.14  1.00");
  EXPECT_EQ(line({3.14159265, 1}, {.digits = 8}), "3.14159265  1.00000000");
  EXPECT_EQ(line({1, 2}, {.digits = -5}), "1  2");
  EXPECT_EQ(line({0.1}, {.digits = 1000}), "0.10000000000000001");
}

TEST(print, scientific_notation_where_zero_would_be_seen_otherwise) {
  EXPECT_EQ(line({1, 1e-9, 0}), "1e+00  1e-09  0");
  EXPECT_EQ(line({-1e9, 0}), "-1e+09  0");
  EXPECT_EQ(line({1234.5, 0.00012345}), "1.234e+03  1.234e-04");
  EXPECT_EQ(line({0.00012345}), "1.234e-04");
  EXPECT_EQ(line({1e-300, 5, -1e250, nan}), "1e-300  5e+000  -1e+250  nan");
  EXPECT_EQ(line({5e-324, 1.7976931348623157e308}), "4.941e-324  1.798e+308");
  EXPECT_EQ(line({99999999, 1}), "99999999  1");
}

TEST(print, integers_are_exact) {
  const std::int64_t most = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(shown(array<std::int64_t>(seq[3], {most, -most - 1, 0})), R"(
                      seq
[ 9223372036854775807  -9223372036854775808  0 ])");
}

TEST(print, truth_values_are_words) {
  EXPECT_EQ(shown(array<bool>(seq[2] * seq[2].prime(), {true, false, true, true})), R"(
         seq'
seq ⎡ true  false ⎤
    ⎣ true   true ⎦)");
}

TEST(print, an_empty_tensor_is_its_shape) {
  EXPECT_EQ(to_text(counting(seq[0])), "{seq[0]} float32 (empty)");
  EXPECT_EQ(to_text(counting<bool>(batch[2] * height[0] * width[3])),
            "{batch[2], height[0], width[3]} bool (empty)");
}

TEST(print, forty_axes_fit_on_the_screen) {
  std::vector<SizedAxis> axes;
  for (int i = 0; i < 40; ++i) axes.push_back(Axis("axis" + std::to_string(i))[i % 2 + 1]);
  const std::vector<std::string> text = lines(to_text(counting(Shape(axes))));
  EXPECT_LT(text.size(), 60U);
  for (const std::string& each : text) EXPECT_LE(display_width(each), 100U) << each;
  EXPECT_EQ(std::ranges::count(text, "… 524282 more slices"), 1);
}

TEST(print, only_the_elements_that_are_shown_are_read) {
  // Memory that is never touched: reading all of it would take seconds and two gigabytes.
  const Shape shape = height[std::int64_t{1} << 16] * width[std::int64_t{1} << 15];
  auto* block = static_cast<bool*>(std::calloc(static_cast<std::size_t>(shape.volume()), 1));
  if (block == nullptr) GTEST_SKIP() << "no address space for 2^31 elements";
  block[shape.volume() - 1] = true;
  const Array large(boolean, shape, std::shared_ptr<const void>(block, std::free));
  EXPECT_EQ(shown(large, {.edge = 1}), R"(
                 width[32768]
              ⎡ false  …  false ⎤
height[65536] ⎢   :    …    :   ⎥
              ⎣ false  …   true ⎦)");
}

}  // namespace
}  // namespace axial
