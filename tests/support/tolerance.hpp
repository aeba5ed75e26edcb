// Comparison of tensors with what a test computed apart from the library. How far they may differ
// follows from the element type and the number of roundings.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "axial/api/tensor.hpp"

namespace axial::support {

/// How far a result may be from the exact one: one rounding of a number as large as `magnitude` for
/// each of `terms` terms, and a few for the function around them. Zero for whole numbers.
double tolerance(ElementType type, std::int64_t terms, double magnitude);

/// True if two numbers differ by no more than `allowed`; NaN is close to NaN, ∞ to ∞.
bool near(double actual, double expected, double allowed);

/// True if the tensor has this shape and these elements, given in the written order of the shape,
/// but for `terms` roundings of numbers as large as the largest element or `magnitude`.
::testing::AssertionResult close_to(const Tensor& actual, const Shape& shape,
                                    const std::vector<double>& expected, std::int64_t terms = 1,
                                    double magnitude = 0);

/// True if both have the same shape and element type, and elements as above.
::testing::AssertionResult close_to(const Tensor& actual, const Tensor& expected,
                                    std::int64_t terms = 1, double magnitude = 0);

/// True if both have the same shape, the same element type and the very same elements.
::testing::AssertionResult same(const Tensor& actual, const Tensor& expected);

}  // namespace axial::support
