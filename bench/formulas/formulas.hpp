// The workloads as formulas, each under a name. Sizes and the order of axes in memory come with the
// tensors that a formula is given; workloads.py has the table of those.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "axial/axial.hpp"

namespace bench {

/// The inputs of a workload by name, in a sorted list: small workloads would spend more time in a map
/// than in what they compute.
class Inputs {
 public:
  /// Adds an input, or replaces the one of that name.
  void give(std::string_view name, axial::Tensor tensor);
  bool contains(std::string_view name) const { return find(name) != nullptr; }
  /// Throws std::out_of_range if it was not given.
  const axial::Tensor& at(std::string_view name) const;
  auto begin() const { return given_.begin(); }
  auto end() const { return given_.end(); }

 private:
  const axial::Tensor* find(std::string_view name) const;
  std::vector<std::pair<std::string, axial::Tensor>> given_;
};

using Results = std::vector<axial::Tensor>;
/// A single result, which is moved where a list of values in braces would copy it.
Results only(axial::Tensor result);

/// The results of a workload, not computed yet.
using Formula = Results (*)(const Inputs& inputs);

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
