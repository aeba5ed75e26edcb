// The numbers that parameters start from.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "axial/api/create.hpp"

namespace axial {

/// Makes a tensor of a shape and element type from random numbers.
using Initializer = std::function<Tensor(const Shape& shape, Random& random, ElementType type)>;

namespace init {

/// One number everywhere.
Initializer filled(double value);
Initializer normal(double mean = 0, double deviation = 1);
Initializer uniform(double low, double high);
/// Normal with deviation √(2 / |inputs|), for a relu behind the sum over `inputs` (He and others).
Initializer he(const Axes& inputs);
/// Uniform with variance 2 / (|inputs| + |outputs|) (Glorot and Bengio). Other axes, such as those of
/// a kernel, count for both.
Initializer glorot(const Axes& inputs, const Axes& outputs);
/// Orthonormal along the fewer of `rows` and the remaining axes, times `gain`.
Initializer orthogonal(const Axes& rows, double gain = 1);

}  // namespace init

/// The seed that belongs to a name: it depends on nothing but both arguments.
std::uint64_t seed_of(std::uint64_t seed, std::string_view name);

}  // namespace axial
