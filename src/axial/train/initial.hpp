// First values of parameters, chosen by what the loss does with them.
#pragma once

#include <cstdint>

#include "axial/api/files.hpp"
#include "axial/train/objective.hpp"

namespace axial::train {

/// A value for each parameter: normal with deviation 1/√n where n products with it are added up,
/// ones where it scales something, normal with deviation 1 where rows of it are picked, else zeros.
/// Each depends on the seed and on its name alone.
Tensors initial_values(const Objective& objective, std::uint64_t seed, ElementType element);

}  // namespace axial::train
