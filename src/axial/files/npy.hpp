// NumPy's file for one array, `.npy`. The format has no place for names of axes, so they follow the
// elements as a second array: bytes that spell {"": ["height", "width"]}. NumPy reads the first
// array of a file and leaves the rest alone.
#pragma once

#include <string>

#include "axial/files/store.hpp"

namespace axial::files {

/// How a lone array is written.
struct NpyOptions {
  bool names = true;  ///< Without, the file is the bare array, for programs that accept no more.
};

/// The array in a file. Fails with file-access, bad-file or element-type.
Stored read_npy(const std::string& path);

/// Writes a tensor, replacing the file as a whole. Fails with file-access.
void write_npy(const std::string& path, const Ordered& tensor, const NpyOptions& options = {});

}  // namespace axial::files
