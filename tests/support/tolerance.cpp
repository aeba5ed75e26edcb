#include "support/tolerance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "axial/api/create.hpp"

namespace axial::support {
namespace {

using ::testing::AssertionFailure;
using ::testing::AssertionResult;
using ::testing::AssertionSuccess;

double epsilon(ElementType type) {
  if (type == float32) return std::numeric_limits<float>::epsilon();
  return type == float64 ? std::numeric_limits<double>::epsilon() : 0;
}

/// The largest finite element, or 1 if all are smaller.
double largest(std::span<const double> elements) {
  double result = 1;
  for (const double element : elements) {
    if (std::isfinite(element)) result = std::max(result, std::abs(element));
  }
  return result;
}

AssertionResult elements_close(std::span<const double> actual, std::span<const double> expected,
                               const Shape& shape, double allowed) {
  for (std::size_t k = 0; k < expected.size(); ++k) {
    if (near(actual[k], expected[k], allowed)) continue;
    return AssertionFailure() << fmt::format(
               "at {} of {}: {} instead of {}, which differ by {} where {} is allowed",
               to_text(records(shape)[k]), to_text(shape), actual[k], expected[k],
               std::abs(actual[k] - expected[k]), allowed);
  }
  return AssertionSuccess();
}

}  // namespace

double tolerance(ElementType type, std::int64_t terms, double magnitude) {
  return epsilon(type) * static_cast<double>(terms + 4) * magnitude;
}

bool near(double actual, double expected, double allowed) {
  if (std::isnan(expected)) return std::isnan(actual);
  return actual == expected || std::abs(actual - expected) <= allowed;
}

AssertionResult close_to(const Tensor& actual, const Shape& shape,
                         const std::vector<double>& expected, std::int64_t terms,
                         double magnitude) {
  if (actual.shape() != shape) {
    return AssertionFailure() << fmt::format("the shape is {} instead of {}",
                                             to_text(actual.shape()), to_text(shape));
  }
  if (std::ssize(expected) != shape.volume()) {
    return AssertionFailure() << fmt::format("the test expects {} values of a tensor of shape {}",
                                             expected.size(), to_text(shape));
  }
  const double scale = std::max(magnitude, largest(expected));
  return elements_close(actual.values(shape.names()), expected, shape,
                        tolerance(actual.type(), terms, scale));
}

AssertionResult close_to(const Tensor& actual, const Tensor& expected, std::int64_t terms,
                         double magnitude) {
  if (actual.type() != expected.type()) {
    return AssertionFailure() << fmt::format("the element type is {} instead of {}",
                                             to_text(actual.type()), to_text(expected.type()));
  }
  const Shape shape = expected.shape();
  return close_to(actual, shape, expected.values(shape.names()), terms, magnitude);
}

AssertionResult same(const Tensor& actual, const Tensor& expected) {
  if (identical(actual, expected)) return AssertionSuccess();
  const AssertionResult rough = close_to(actual, expected, 0, 0);
  if (!rough) return rough;
  return AssertionFailure() << "the tensors are close, but some elements differ in their last bits";
}

}  // namespace axial::support
