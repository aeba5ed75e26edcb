// Runs recorded cases through the public interface and compares.
#pragma once

#include <gtest/gtest.h>

#include "numpy/recorded.hpp"

namespace axial::recorded {

/// What Axial makes of a case.
using Operation = std::vector<Tensor> (*)(const Case&);

/// Whether a result has the recorded shape, element type and elements.
testing::AssertionResult agrees(const Tensor& found, const Tensor& expected,
                                const Accuracy& accuracy);

/// Expects that the operation gives the recorded outputs, in whatever order the axes of the inputs
/// are laid out in memory.
void replay(const Case& recorded, Operation operation);

/// Expects the same of all cases of an operation, and that there are any.
void replay_all(std::string_view record, std::string_view name, Operation operation);

}  // namespace axial::recorded
