// How computations run.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "axial/api/tensor.hpp"

namespace axial {

/// Lets computations use this many threads from now on; as many as the machine has if never said.
void set_threads(int count);

/// How many threads computations use.
int threads();

/// What an explanation shows.
struct ExplainOptions {
  /// Passes that are left out.
  std::vector<std::string> without = {};
  /// The program that this pass left is shown instead of the steps.
  std::string after = {};
  bool json = false;
};

/// Fails with undeclared if there is no pass of a name, or the one to be shown is left out.
void require_passes(const ExplainOptions& options);

/// How a tensor is computed: the passes that changed its program, and the steps of its plan, with the
/// work, memory and time of each. Fails like `require_passes`.
std::string explain(const Tensor& tensor, const ExplainOptions& options = {});

/// The same for tensors that are computed together.
std::string explain(std::span<const Tensor> tensors, const ExplainOptions& options = {});

}  // namespace axial
