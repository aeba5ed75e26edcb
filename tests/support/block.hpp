// Plain numbers in rows and columns: what tests compute their expectations with, apart from the
// library.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "axial/api/create.hpp"
#include "support/generator.hpp"

namespace axial::support {

/// A dense block of doubles with any number of sides; the last position varies fastest.
class Block {
 public:
  /// A block of zeros.
  explicit Block(std::vector<std::int64_t> sizes)
      : sizes_(std::move(sizes)), values_(static_cast<std::size_t>(volume())) {}

  /// The element at one position per side.
  template <class... Positions>
  double& operator()(Positions... positions) {
    return values_[offset({static_cast<std::int64_t>(positions)...})];
  }
  template <class... Positions>
  double operator()(Positions... positions) const {
    return values_[offset({static_cast<std::int64_t>(positions)...})];
  }

  const std::vector<double>& values() const { return values_; }
  std::int64_t size(std::size_t side) const { return sizes_[side]; }

  /// Random numbers between `low` and `high`.
  static Block random(Generator& generator, std::vector<std::int64_t> sizes, double low = -2,
                      double high = 2) {
    Block block(std::move(sizes));
    for (double& value : block.values_) value = generator.real(low, high);
    return block;
  }

  /// The tensor whose axes are the sides in order.
  Tensor tensor(const Axes& sides, ElementType type = float64) const {
    return axial::tensor(shape(sides), values_, type);
  }
  Shape shape(const Axes& sides) const {
    std::vector<SizedAxis> axes;
    for (std::size_t k = 0; k < sizes_.size(); ++k) {
      axes.push_back(sides[static_cast<std::int64_t>(k)][sizes_[k]]);
    }
    return Shape(axes);
  }

 private:
  std::int64_t volume() const {
    std::int64_t product = 1;
    for (const std::int64_t size : sizes_) product *= size;
    return product;
  }
  std::size_t offset(const std::vector<std::int64_t>& positions) const {
    std::int64_t result = 0;
    for (std::size_t k = 0; k < sizes_.size(); ++k) result = result * sizes_[k] + positions.at(k);
    return static_cast<std::size_t>(result);
  }

  std::vector<std::int64_t> sizes_;
  std::vector<double> values_;
};

}  // namespace axial::support
