// How computations run.
#pragma once

#include <string>

#include "axial/api/tensor.hpp"

namespace axial {

/// Lets computations use this many threads from now on; as many as the machine has if never said.
void set_threads(int count);

/// How many threads computations use.
int threads();

/// How a tensor is computed: the steps of its plan, with the work, memory and time of each.
std::string explain(const Tensor& tensor);

}  // namespace axial
