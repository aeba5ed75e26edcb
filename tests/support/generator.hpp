// Seeded randomness for laws: every draw follows from the seed, and a failing law says which seed
// failed and how to run it again.
#pragma once

#include <cstdint>
#include <functional>
#include <random>
#include <span>
#include <vector>

#include "axial/api/tensor.hpp"

namespace axial::support {

/// A source of random choices. Same seed, same choices on every machine.
class Generator {
 public:
  explicit Generator(std::uint64_t seed) : seed_(seed), engine_(seed) {}

  std::uint64_t seed() const { return seed_; }

  /// A whole number from `low` to `high`, both included.
  std::int64_t integer(std::int64_t low, std::int64_t high);
  /// A real number between `low` and `high`.
  double real(double low, double high);
  /// True with the given probability.
  bool chance(double probability);

  /// One of the choices, of which there must be some.
  template <class Choices>
  auto pick(const Choices& choices) {
    return choices[static_cast<std::size_t>(integer(0, std::ssize(choices) - 1))];
  }
  /// The same elements in random order.
  template <class T>
  std::vector<T> shuffled(std::vector<T> elements) {
    for (std::size_t k = elements.size(); k > 1; --k) {
      const auto other = integer(0, static_cast<std::int64_t>(k) - 1);
      std::swap(elements[k - 1], elements[static_cast<std::size_t>(other)]);
    }
    return elements;
  }

  /// Each name with the given probability, in random order.
  Axes subset(const Axes& axes, double probability = 0.5);
  /// The axes with random sizes, in random order.
  Shape shape(const Axes& axes, std::span<const std::int64_t> sizes);
  Shape shape(const Axes& axes);

  /// Random elements: reals between `low` and `high`, or whole numbers in that range.
  Array array(const Shape& shape, double low = -2, double high = 2, ElementType type = float64);
  Tensor tensor(const Shape& shape, double low = -2, double high = 2, ElementType type = float64);

 private:
  std::uint64_t seed_;
  std::mt19937_64 engine_;
};

/// The sizes that laws are tried with: the smallest ones and primes.
inline constexpr std::int64_t law_sizes[] = {1, 2, 3, 5, 7};

/// Tries a law with the seeds 1 … `count` (about a third of them under sanitizers) until it fails. The failure comes with the line that runs
/// the failing seed alone, through the environment variable AXIAL_SEED.
void for_each_seed(int count, const std::function<void(Generator&)>& law);

}  // namespace axial::support
