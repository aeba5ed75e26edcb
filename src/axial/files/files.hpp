// Reading and writing tensors in the format that the name of the file ends in: `.npy`, `.npz` or
// `.safetensors`; IDX files, `.idx` or `-ubyte`, also packed by gzip, are only read.
#pragma once

#include <string>

#include "axial/files/store.hpp"

namespace axial::files {

/// The tensors of a file; the one in an `.npy` or IDX file has the empty name. Fails as the reader of the
/// format does, and with file-access if the name of the file ends otherwise.
Stores read(const std::string& path, const ReadOptions& options = {});

/// Writes tensors, replacing the file as a whole; their axis names are kept. Fails as the writer of
/// the format does, and with wrong-arity if an `.npy` would get other than one tensor.
void write(const std::string& path, const Tensors& tensors);

}  // namespace axial::files
