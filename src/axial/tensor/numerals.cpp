#include "axial/tensor/numerals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

namespace axial {
namespace {

struct Format {
  bool scientific = false;
  int decimals = 0;
};

std::string write(double number, const Format& format) {
  number += 0.0;  // -0 and 0 are equal and look so
  if (!format.scientific) return fmt::format("{:.{}f}", number, format.decimals);
  if (number == 0) return fmt::format("{:.0f}", number);
  return fmt::format("{:.{}e}", number, format.decimals);
}

/// How many digits stand after the point when the zeros at the end are dropped.
int decimals_needed(std::string_view text) {
  const std::size_t point = text.find('.');
  if (point == text.npos) return 0;
  const std::string_view decimals = text.substr(point + 1, text.find('e') - point - 1);
  return static_cast<int>(decimals.find_last_not_of('0') + 1);
}

/// The format of numbers whose magnitudes lie between `least` and `largest`, with all digits that
/// may be needed.
Format widest_format(double least, double largest, int digits) {
  const Format scientific{true, digits - 1};
  if (largest < 1e-3 || largest >= 1e8) return scientific;
  const int exponent = static_cast<int>(std::floor(std::log10(largest)));
  const int decimals = digits - (exponent < 0 ? exponent + 1 : exponent);
  const Format fixed{false, std::max(2, decimals)};
  return least < 0.5 * std::pow(10.0, -fixed.decimals) ? scientific : fixed;
}

Format common_format(std::span<const double> numbers, int digits) {
  double least = std::numeric_limits<double>::infinity(), largest = 0;
  for (const double number : numbers) {
    if (!std::isfinite(number) || number == 0) continue;
    least = std::min(least, std::abs(number));
    largest = std::max(largest, std::abs(number));
  }
  if (largest == 0) return {};
  const Format widest = widest_format(least, largest, std::clamp(digits, 1, 17));
  Format format{widest.scientific, 0};
  for (const double number : numbers) {
    if (!std::isfinite(number)) continue;
    format.decimals = std::max(format.decimals, decimals_needed(write(number, widest)));
  }
  return format;
}

/// Fills exponents with zeros to the length of the longest.
void align_exponents(std::vector<std::string>& texts) {
  const auto length = [](const std::string& text) {
    const std::size_t mark = text.find('e');
    return mark == text.npos ? 0 : text.size() - mark;
  };
  const std::size_t longest = length(*std::ranges::max_element(texts, {}, length));
  for (std::string& text : texts) {
    const std::size_t own = length(text);
    if (own > 0) text.insert(text.size() - own + 2, longest - own, '0');
  }
}

}  // namespace

std::vector<std::string> numerals(std::span<const double> numbers, int digits) {
  const Format format = common_format(numbers, digits);
  std::vector<std::string> texts;
  for (const double number : numbers) {
    if (std::isnan(number)) {
      texts.emplace_back("nan");
    } else if (std::isinf(number)) {
      texts.emplace_back(number < 0 ? "-inf" : "inf");
    } else {
      texts.push_back(write(number, format));
    }
  }
  if (format.scientific) align_exponents(texts);
  return texts;
}

}  // namespace axial
