#include "axial/notation/compose.hpp"

#include <cmath>
#include <cstdint>

namespace axial::notation {
namespace {

/// A number as it is read: without a sign, and whole if it can be.
Tree unsigned_number(const Number& value) {
  const double real = value.real();
  const bool is_exact = std::trunc(real) == real && real < 0x1p53;
  const Number kept =
      is_exact && !value.is_whole() ? Number(static_cast<std::int64_t>(real)) : value;
  std::string text = to_text(kept);
  // A plus sign would end the number.
  std::erase(text, '+');
  return {Form::number, {}, std::move(text), {}, {}, kept};
}

}  // namespace

Tree applied(std::string_view name, std::vector<Tree> children, AxisNames axes) {
  return {Form::apply, {}, std::string(name), std::move(axes), std::move(children)};
}

Tree number_tree(const Number& value) {
  const double real = value.real();
  if (std::isnan(real)) return applied("div", list(number_tree(0), number_tree(0)));
  if (std::signbit(real)) {
    const bool negates = value.is_whole() && value.whole() != INT64_MIN;
    return applied("neg", list(number_tree(negates ? Number(-value.whole()) : Number(-real))));
  }
  if (std::isinf(real)) return {Form::infinity, {}, {}, {}, {}};
  return unsigned_number(value);
}

Tree product(std::vector<Tree> factors) {
  Tree all = std::move(factors[0]);
  for (std::size_t k = 1; k < factors.size(); ++k) {
    all = applied("mul", list(std::move(all), std::move(factors[k])));
  }
  return all;
}

}  // namespace axial::notation
