// New tensors: from values, filled, counted and random.
#pragma once

#include <initializer_list>
#include <span>
#include <vector>

#include "axial/api/tensor.hpp"
#include "axial/tensor/random.hpp"

namespace axial {

/// A tensor with the given values; the last axis written in `shape` varies fastest. Fails with
/// wrong-count if there are more or fewer values, with bad-value if one does not fit the type.
Tensor tensor(const Shape& shape, std::span<const Number> values, ElementType type);

/// Values written in braces are float32 unless said otherwise.
inline Tensor tensor(const Shape& shape, std::initializer_list<Number> values,
                     ElementType type = float32) {
  return tensor(shape, std::span<const Number>(values.begin(), values.end()), type);
}
/// Reals in a vector are float32 unless said otherwise; integers and truth values keep their type.
template <class T>
  requires std::is_arithmetic_v<T>
Tensor tensor(const Shape& shape, const std::vector<T>& values,
              ElementType type = std::floating_point<T> ? float32 : element_type_of<T>()) {
  return tensor(shape, std::vector<Number>(values.begin(), values.end()), type);
}

/// A tensor with one number everywhere.
Tensor full(const Shape& shape, Number value, ElementType type = float32);
inline Tensor zeros(const Shape& shape, ElementType type = float32) { return full(shape, 0, type); }
inline Tensor ones(const Shape& shape, ElementType type = float32) { return full(shape, 1, type); }

/// The positions 0, 1, … of an axis.
Tensor iota(SizedAxis axis, ElementType type = int64);

/// A seeded source of random tensors (Philox 4x32-10): same seed, same numbers, on any number of
/// threads and for every order of the axes.
class Random {
 public:
  explicit Random(std::uint64_t seed) : stream_(seed) {}

  /// Reals between `low` and `high`.
  Tensor uniform(const Shape& shape, double low = 0, double high = 1, ElementType type = float32) {
    return Tensor(stream_.uniform(shape, low, high, type));
  }
  /// Reals of the normal distribution.
  Tensor normal(const Shape& shape, double mean = 0, double deviation = 1,
                ElementType type = float32) {
    return Tensor(stream_.normal(shape, mean, deviation, type));
  }
  /// Integers from `low` up to but not including `high`.
  Tensor integers(const Shape& shape, std::int64_t low, std::int64_t high,
                  ElementType type = int64) {
    return Tensor(stream_.integers(shape, low, high, type));
  }
  /// Truth values that are true with the given probability.
  Tensor bernoulli(const Shape& shape, double probability = 0.5) {
    return Tensor(stream_.bernoulli(shape, probability));
  }
  /// The positions of an axis in random order.
  Tensor permutation(SizedAxis axis) { return Tensor(stream_.permutation(axis)); }

 private:
  RandomStream stream_;
};

/// The same values without how they were computed, so that a loop can go on for ever.
inline Tensor detached(const Tensor& tensor) { return Tensor(tensor.array()); }

/// True if both have the same shape, element type and elements; NaN equals NaN.
bool identical(const Tensor& left, const Tensor& right);

}  // namespace axial
