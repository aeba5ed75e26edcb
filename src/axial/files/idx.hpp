// The format of the MNIST digits, IDX: two zero bytes, the type of the elements, the number of axes,
// their sizes, the elements, all highest byte first. Files that gzip packed are read as they are.
// http://yann.lecun.com/exdb/mnist/
#pragma once

#include <string>

#include "axial/files/store.hpp"

namespace axial::files {

/// The tensor of a file; its axes have no names. Fails with file-access or bad-file.
Stored read_idx(const std::string& path, const ReadOptions& options = {});

}  // namespace axial::files
