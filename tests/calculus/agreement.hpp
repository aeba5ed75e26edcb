// Comparing tensors that were computed in different ways.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "axial/axial.hpp"

namespace axial {

inline std::vector<double> elements(const Tensor& x) { return x.values(Axes(x.shape().names())); }

inline double inner(const Tensor& x, const Tensor& y) {
  return dot(x.shape().names(), x, y).item();
}

inline double largest(const Tensor& x) {
  double bound = 0;
  for (const double element : elements(x)) bound = std::max(bound, std::abs(element));
  return bound;
}

/// True if two tensors of one shape agree up to `relative` of the largest element or of 1.
inline ::testing::AssertionResult agree(const Tensor& x, const Tensor& y, double relative = 1e-9) {
  if (x.shape() != y.shape()) {
    return ::testing::AssertionFailure() << to_text(x.shape()) << " is not " << to_text(y.shape());
  }
  const double difference = largest(x - y);
  const double allowed = relative * std::max({1.0, largest(x), largest(y)});
  if (difference <= allowed) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure()
         << "they differ by " << difference << ", allowed " << allowed << "\n"
         << x << "\n"
         << y;
}

}  // namespace axial
