// Element types, and numbers as they are written.
#include "axial/tensor/element.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

namespace axial {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinite = std::numeric_limits<double>::infinity();

TEST(element, facts_stand_in_the_order_of_the_types) {
  for (const ElementFacts& entry : element_facts) {
    EXPECT_EQ(&facts(entry.type), &entry);
    EXPECT_EQ(to_text(entry.type), entry.name);
  }
  EXPECT_EQ(element_facts.size(), 5);
}

TEST(element, facts_agree_with_cpp) {
  for (const ElementFacts& entry : element_facts) {
    visit_element(entry.type, [&]<class T>() {
      static_assert(Element<T>);
      EXPECT_EQ(static_cast<std::int64_t>(sizeof(T)), entry.bytes) << entry.name;
      EXPECT_EQ(element_type_of<T>(), entry.type) << entry.name;
      EXPECT_EQ(is_real(entry.type), std::is_floating_point_v<T>) << entry.name;
      EXPECT_EQ(is_integer(entry.type), std::is_integral_v<T> && !(std::is_same_v<T, bool>))
          << entry.name;
    });
  }
}

TEST(element, of_other_cpp_types_is_one_that_holds_them) {
  static_assert(element_type_of<std::int8_t>() == int32);
  static_assert(element_type_of<std::uint8_t>() == int32);
  static_assert(element_type_of<std::uint16_t>() == int32);
  static_assert(element_type_of<std::uint32_t>() == int64);
  static_assert(element_type_of<long long>() == int64);
  static_assert(element_type_of<long double>() == float64);
}

TEST(number, knows_whether_it_was_written_whole) {
  EXPECT_TRUE(Number(3).is_whole());
  EXPECT_TRUE(Number(true).is_whole());
  EXPECT_FALSE(Number(3.0).is_whole());
  EXPECT_EQ(Number(3).real(), 3.0);
  EXPECT_EQ(Number(3.0).whole(), 3);
}

TEST(number, is_kept_exactly) {
  EXPECT_EQ(Number(9'007'199'254'740'993).whole(), 9'007'199'254'740'993);
  EXPECT_EQ(Number(INT64_MIN).whole(), INT64_MIN);
  EXPECT_EQ(Number(0.1).real(), 0.1);
}

TEST(number, fits_every_real_type) {
  for (const Number& number : {Number(1), Number(0.5), Number(nan), Number(-infinite)}) {
    EXPECT_TRUE(number.fits(float32));
    EXPECT_TRUE(number.fits(float64));
  }
}

TEST(number, fits_an_integer_type_that_can_hold_it) {
  EXPECT_TRUE(Number(INT32_MAX).fits(int32));
  EXPECT_TRUE(Number(INT32_MIN).fits(int32));
  EXPECT_FALSE(Number(std::int64_t{INT32_MAX} + 1).fits(int32));
  EXPECT_FALSE(Number(std::int64_t{INT32_MIN} - 1).fits(int32));
  EXPECT_TRUE(Number(INT64_MAX).fits(int64));
  EXPECT_TRUE(Number(INT64_MIN).fits(int64));
  EXPECT_TRUE(Number(3.0).fits(int32));
  EXPECT_TRUE(Number(-0x1p63).fits(int64));
  EXPECT_FALSE(Number(0x1p63).fits(int64));
  for (const double value : {0.5, nan, infinite, -infinite, 1e300}) {
    EXPECT_FALSE(Number(value).fits(int32)) << value;
    EXPECT_FALSE(Number(value).fits(int64)) << value;
  }
}

TEST(number, beyond_the_signed_integers_fits_none_of_them) {
  EXPECT_FALSE(Number(UINT64_MAX).fits(int64));
  EXPECT_FALSE(Number(std::uint64_t{1} << 63).fits(int64));
  EXPECT_TRUE(Number(std::uint64_t{INT64_MAX}).fits(int64));
  EXPECT_EQ(Number(UINT64_MAX).real(), 0x1p64);
  EXPECT_EQ(to_text(Number(UINT64_MAX)), to_text(Number(0x1p64)));
}

TEST(number, fits_bool_if_it_is_zero_or_one) {
  EXPECT_TRUE(Number(0).fits(boolean));
  EXPECT_TRUE(Number(1.0).fits(boolean));
  EXPECT_TRUE(Number(true).fits(boolean));
  EXPECT_FALSE(Number(2).fits(boolean));
  EXPECT_FALSE(Number(-1).fits(boolean));
  EXPECT_FALSE(Number(0.5).fits(boolean));
  EXPECT_FALSE(Number(nan).fits(boolean));
}

TEST(number, is_written_as_people_write_it) {
  EXPECT_EQ(to_text(Number(3)), "3");
  EXPECT_EQ(to_text(Number(-3)), "-3");
  EXPECT_EQ(to_text(Number(0.5)), "0.5");
  EXPECT_EQ(to_text(Number(-infinite)), "-inf");
  EXPECT_EQ(to_text(Number(nan)), "nan");
  EXPECT_EQ(to_text(Number(1e-5)), "1e-05");
}

}  // namespace
}  // namespace axial
