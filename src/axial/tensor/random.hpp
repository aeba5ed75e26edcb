// Random tensors. The generator is Philox 4x32-10, which computes the k-th number of a stream
// directly: the numbers depend on the seed alone, not on threads, layout or the order of axes.
#pragma once

#include <array>
#include <cstdint>

#include "axial/tensor/array.hpp"

namespace axial {

/// A stream of random tensors. Each draw takes the next stream of the seed; an element is found by
/// its record with the axes in alphabetical order.
class RandomStream {
 public:
  explicit RandomStream(std::uint64_t seed) : seed_(seed) {}

  // Each fails with element-type or bad-value if the numbers asked for do not exist in the type.

  /// Reals from `low` up to but not including `high`.
  Array uniform(const Shape& shape, double low, double high, ElementType type);
  /// Reals of the normal distribution.
  Array normal(const Shape& shape, double mean, double deviation, ElementType type);
  /// Integers from `low` up to but not including `high`. Fails with bad-value if there is none.
  Array integers(const Shape& shape, std::int64_t low, std::int64_t high, ElementType type);
  /// Truth values that are true with the given probability.
  Array bernoulli(const Shape& shape, double probability);
  /// The positions of the axis in random order, as int64.
  Array permutation(SizedAxis axis);

 private:
  template <class Sample>
  Array draw(const Shape& shape, ElementType type, Sample&& sample);

  std::uint64_t seed_;
  std::uint64_t draws_ = 0;
};

/// Four random words for a key and a counter: the function Philox 4x32-10.
std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter,
                                    std::array<std::uint32_t, 2> key);

}  // namespace axial
