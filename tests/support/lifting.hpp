// Lifting as the paper defines it, slice by slice, and the layouts that one tensor can have.
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "axial/api/function.hpp"
#include "axial/api/tensor.hpp"

namespace axial::support {

/// X_s: the tensor at a record of some of its axes.
Tensor at(const Tensor& tensor, const Record& record);

/// True if [f(X, Y)]_s' = f(X_{s'|S'}, Y_{s'|T'}) for every record s' of the extra axes, where `own`
/// are the axes that f itself asks of each argument (Definition 6). `terms` is as for close_to.
::testing::AssertionResult lifts(const TensorFunction& f, const std::vector<Tensor>& arguments,
                                 const std::vector<Axes>& own, std::int64_t terms = 1);

/// The same tensor in every order that its axes can be written in.
std::vector<Tensor> layouts(const Tensor& tensor);

/// True if `f` gives the same elements, and prints the same text, for every layout of its arguments.
::testing::AssertionResult ignores_layout(const TensorFunction& f,
                                          const std::vector<Tensor>& arguments);

}  // namespace axial::support
