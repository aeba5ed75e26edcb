// The little Python that an npy header is written in.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace axial::files {

/// The dictionary of an npy header.
struct NpyDictionary {
  std::string descr;  ///< The type of the elements: a text, or Python code if it is anything else.
  bool fortran_order = false;
  std::vector<std::int64_t> shape;
};

/// The dictionary {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), } with its keys in any
/// order. Fails with bad-file if a key is missing, repeated or unknown, or a value is malformed.
NpyDictionary parse_npy_dictionary(std::string_view text);

}  // namespace axial::files
