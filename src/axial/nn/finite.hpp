// Finds where numbers stop being numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "axial/api/files.hpp"

namespace axial {

/// A tensor that has an element which is infinite or not a number, although what it was computed from
/// has none.
struct NotFinite {
  Tensor tensor;
  /// Its formula, tensors with names written by them; if it is the result of a function, that of the
  /// operation inside which went wrong first.
  std::string formula;
  /// An element of what the formula gives.
  Record where;
  double value;
};

/// The first such tensor among all that `tensor` is computed from, in the order of computation; nothing
/// if `tensor` is finite. Infinities that were written down, as in masks, and what follows from them
/// are passed over as long as they do not become NaN. If `learned` says what changes, so are tensors
/// that do not depend on it, unless one that does takes a NaN from them. `names` says how tensors are
/// called.
std::optional<NotFinite> first_not_finite(const Tensor& tensor, const Tensors& names = {},
                                          const Tensors& learned = {});

/// A number that may not be finite, as people write it: NaN, inf, -inf.
std::string shown_number(double value);

/// `-inf at {in(1)} of `log p`, where p = 0`, positions counted from `first_position`.
std::string to_text(const NotFinite& found, std::int64_t first_position = 0);

/// Fails with bad-value, naming the first tensor that is not finite, unless `tensor` is finite. `what`
/// says what it is; the rest is as above.
void require_finite(const Tensor& tensor, const std::string& what, const Tensors& names = {},
                    const Tensors& learned = {});

}  // namespace axial
