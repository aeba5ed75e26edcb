// Finds where numbers stop being numbers.
#pragma once

#include <optional>
#include <string>

#include "axial/api/files.hpp"

namespace axial {

/// A tensor that has an element which is infinite or not a number, although what it was computed from
/// has none.
struct NotFinite {
  Tensor tensor;
  /// Its formula, tensors with names written by them.
  std::string formula;
  Record where;
  double value;
};

/// The first such tensor among all that `tensor` is computed from, in the order of computation; nothing
/// if `tensor` is finite. Infinities that were written down, as in masks, and what follows from them
/// are passed over as long as they do not become NaN. `names` says how tensors are called.
std::optional<NotFinite> first_not_finite(const Tensor& tensor, const Tensors& names = {});

/// Fails with bad-value, naming the first tensor that is not finite, unless `tensor` is finite. `what`
/// says what it is.
void require_finite(const Tensor& tensor, const std::string& what, const Tensors& names = {});

}  // namespace axial
