// Real numbers as digits: one format for all numbers that stand together, so that they line up.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace axial {

/// The numbers as text whose points are below each other when set flush right. The largest has at
/// least `digits` significant digits; zeros at the end that no number needs are dropped. Notation
/// is scientific if the largest is 1e8 or more or below 1e-3, or if a number that is not zero would
/// look like zero.
std::vector<std::string> numerals(std::span<const double> numbers, int digits);

}  // namespace axial
