// The workloads as formulas, each under a name. Sizes and the order of axes in memory come with the
// tensors that a formula is given; workloads.py has the table of those.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "axial/axial.hpp"

namespace bench {

/// The results of a workload, not computed yet. Throws std::out_of_range if an input is missing.
using Formula = std::vector<axial::Tensor> (*)(const axial::Tensors& inputs);

struct NamedFormula {
  std::string_view name;
  Formula formula;
};

/// Contractions, functions along axes, attention, convolution, and what is small.
std::span<const NamedFormula> basic_formulas();
/// LeNet and a Transformer: inference and a step of training.
std::span<const NamedFormula> model_formulas();
/// Hessians and Jacobians.
std::span<const NamedFormula> derivative_formulas();

}  // namespace bench
