// Conversion between element types, which never invents a number.
#pragma once

#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <string_view>
#include <utility>

#include "axial/tensor/element.hpp"

namespace axial {

/// Fails with bad-value: the number has no counterpart in the type.
[[noreturn]] void fail_conversion(const Number& value, std::string_view type);

/// The number as a To: reals are truncated to integers, everything but zero is true. Fails with
/// bad-value for NaN, infinity and numbers beyond the range of an integer type.
template <class To, class From>
To converted(From value) {
  if constexpr (std::same_as<To, bool>) {
    return value != From{0};
  } else if constexpr (std::floating_point<From> && std::integral<To>) {
    // The bounds are powers of two, which doubles hold exactly; NaN fails both comparisons.
    constexpr double beyond = std::unsigned_integral<To>
                                  ? 2.0 * (std::numeric_limits<To>::max() / 2 + 1)
                                  : -1.0 * std::numeric_limits<To>::min();
    constexpr double low = static_cast<double>(std::numeric_limits<To>::min());
    const double truncated = std::trunc(static_cast<double>(value));
    if (!(truncated >= low && truncated < beyond)) {
      fail_conversion(value, to_text(element_type_of<To>()));
    }
  } else if constexpr (std::integral<From> && std::integral<To> && !std::same_as<From, bool>) {
    if (!std::in_range<To>(value)) fail_conversion(value, to_text(element_type_of<To>()));
  }
  return static_cast<To>(value);
}

}  // namespace axial
