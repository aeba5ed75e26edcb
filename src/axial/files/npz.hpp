// NumPy's archive of arrays, `.npz`: a zip archive with a member `W.npy` for each tensor `W`. Names
// of axes are kept in one more array, `__axes__`: bytes that spell {"W": ["height", "width"]}, in
// Python json.loads(npz["__axes__"].tobytes()).
#pragma once

#include <string>

#include "axial/files/store.hpp"

namespace axial::files {

/// The tensors of an archive. Fails with file-access, bad-file or element-type, and with bad-value
/// if a name in `options.only` is not there.
Stores read_npz(const std::string& path, const ReadOptions& options = {});

/// Writes tensors without compression, replacing the file as a whole. Fails with file-access, and
/// with bad-value if a tensor is called `__axes__` or its name is not UTF-8.
void write_npz(const std::string& path, const Tensors& tensors);

}  // namespace axial::files
