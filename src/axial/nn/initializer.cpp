#include "axial/nn/initializer.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "axial/api/operations.hpp"

namespace axial {
namespace init {
namespace {

double volume(const Shape& shape, const Axes& axes) {
  return static_cast<double>(restrict(shape, axes).volume());
}

/// Makes the rows of a matrix orthonormal, one after the other (Gram and Schmidt). A second pass
/// removes what rounding left of the rows before.
void orthonormalize(std::vector<double>& matrix, std::ptrdiff_t columns) {
  for (auto row = matrix.begin(); row != matrix.end(); row += columns) {
    const auto end = row + columns;
    for (int pass = 0; pass < 2; ++pass) {
      for (auto before = matrix.begin(); before != row; before += columns) {
        const double shared = std::inner_product(row, end, before, 0.0);
        std::transform(row, end, before, row, [&](double x, double y) { return x - shared * y; });
      }
      const double length = std::sqrt(std::inner_product(row, end, row, 0.0));
      std::transform(row, end, row, [&](double x) { return x / length; });
    }
  }
}

}  // namespace

Initializer filled(double value) {
  return [=](const Shape& shape, Random& /*random*/, ElementType type) {
    return detached(full(shape, is_real(type) ? Number(value) : Number(std::llround(value)), type));
  };
}

Initializer normal(double mean, double deviation) {
  return [=](const Shape& shape, Random& random, ElementType type) {
    return random.normal(shape, mean, deviation, type);
  };
}

Initializer uniform(double low, double high) {
  return [=](const Shape& shape, Random& random, ElementType type) {
    return random.uniform(shape, low, high, type);
  };
}

Initializer he(const Axes& inputs) {
  return [=](const Shape& shape, Random& random, ElementType type) {
    return random.normal(shape, 0, std::sqrt(2 / volume(shape, inputs)), type);
  };
}

Initializer glorot(const Axes& inputs, const Axes& outputs) {
  return [=](const Shape& shape, Random& random, ElementType type) {
    const double kernel = volume(shape - inputs - outputs, (shape - inputs - outputs).names());
    const double fans = (volume(shape, inputs) + volume(shape, outputs)) * kernel;
    const double bound = std::sqrt(6 / fans);
    return random.uniform(shape, -bound, bound, type);
  };
}

Initializer orthogonal(const Axes& rows, double gain) {
  return [=](const Shape& shape, Random& random, ElementType type) {
    const Axes columns = shape.names() - rows;
    const bool is_wide = volume(shape, rows) <= volume(shape, columns);
    const Axes fewer = is_wide ? rows : columns, more = is_wide ? columns : rows,
               order = fewer & more;
    std::vector<double> values = random.normal(shape, 0, 1, float64).values(order);
    orthonormalize(values, restrict(shape, more).volume());
    for (double& value : values) value *= gain;
    return tensor(restrict(shape, order), values, type);
  };
}

}  // namespace init

std::uint64_t seed_of(std::uint64_t seed, std::string_view name) {
  // FNV-1a spreads the letters, the finish of SplitMix64 the bits.
  std::uint64_t hash = 0xCBF29CE484222325 ^ seed;
  for (const char letter : name) hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001B3;
  hash = (hash ^ hash >> 30) * 0xBF58476D1CE4E5B9;
  hash = (hash ^ hash >> 27) * 0x94D049BB133111EB;
  return hash ^ hash >> 31;
}

}  // namespace axial
