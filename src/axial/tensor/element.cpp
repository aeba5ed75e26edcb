#include "axial/tensor/element.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "axial/tensor/convert.hpp"

namespace axial {

bool Number::fits(ElementType type) const {
  if (is_real(type)) return true;
  // The bounds as doubles: 2^63 itself is just out of range.
  const bool integral =
      is_whole_ || (std::trunc(real_) == real_ && real_ >= -0x1p63 && real_ < 0x1p63);
  if (!integral) return false;
  if (type == boolean) return whole() == 0 || whole() == 1;
  if (type == int32) {
    return whole() >= std::numeric_limits<std::int32_t>::min() &&
           whole() <= std::numeric_limits<std::int32_t>::max();
  }
  return true;
}

std::int64_t Number::whole() const { return is_whole_ ? whole_ : static_cast<std::int64_t>(real_); }

void fail_conversion(const Number& value, std::string_view type) {
  throw Error(code("bad-value"), fmt::format("{} cannot be converted to {}", to_text(value), type),
              "a whole number has no NaN and no infinity, and must fit the element type; use "
              "where() to replace such values first");
}

std::string to_text(const Number& number) {
  if (number.is_whole()) return fmt::format("{}", number.whole());
  return fmt::format("{}", number.real());
}

}  // namespace axial
