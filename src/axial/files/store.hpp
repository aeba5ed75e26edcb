// Tensors as files hold them: read, they may lack names for their axes; written, their axes have an
// order.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "axial/tensor/array.hpp"

namespace axial::files {

/// More axes than this on one tensor are not read or written.
inline constexpr std::int64_t max_axes = 1000;
/// More tensors than this are not written to one file.
inline constexpr std::int64_t max_tensors = 250'000;

/// One tensor as a file holds it.
struct Stored {
  std::string source;               ///< What errors call it: "w.npz: tensor `W`".
  ElementType type;                 ///< Of the elements in memory; the file may use a narrower one.
  std::vector<std::int64_t> sizes;  ///< In the order of the file.
  std::optional<Axes> axes;         ///< In the same order; nothing if the file does not name them.
  bool first_fastest = false;  ///< Fortran order: the first axis, not the last, varies fastest.
  std::shared_ptr<const void> block;
};

/// The tensors of a file by name.
using Stores = std::map<std::string, Stored>;

/// The tensor with the axes that its file names. Fails with wrong-arity, giving the sizes, if the
/// file does not name them.
Array named(const Stored& stored);

/// The tensor with its axes called by `order`, in the order of the file. Fails with wrong-arity if
/// their number differs, and with unknown-axis if the file itself calls them otherwise.
Array named(const Stored& stored, const Axes& order);

/// A tensor to be written, and the order of its axes in the file; the last varies fastest.
struct Ordered {
  Array array;
  Axes order;

  /// Alphabetical order, so that equal tensors make equal files however they lie in memory.
  Ordered(const Array& tensor);  // NOLINT(google-explicit-constructor): most tensors need no order
  /// Fails with unknown-axis unless `axes` are the axes of the tensor.
  Ordered(Array tensor, Axes axes);

  /// The sizes of the axes in their order.
  std::vector<std::int64_t> sizes() const;
};

/// The tensors to write to a file, by name.
using Tensors = std::map<std::string, Ordered>;

/// Fails with bad-value if a tensor has the name that a format needs for itself, and with too-large
/// if there are more tensors than one file can hold.
void require_writable(const Tensors& tensors, std::string_view reserved);

/// What to read from a file, and how much memory its compressed parts may take.
struct ReadOptions {
  std::vector<std::string> only = {};                    ///< Names to read; if empty, all.
  std::int64_t inflated_bytes = std::int64_t{16} << 30;  ///< Limit of all inflated parts together.
};

/// Those of the `present` tensors that the options ask for. Fails with bad-value if one of them is
/// not there.
std::vector<std::string> selected(const std::vector<std::string>& present,
                                  const ReadOptions& options);

}  // namespace axial::files
