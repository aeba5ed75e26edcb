// The format of Hugging Face, `.safetensors`: a JSON header and the elements, used where they lie.
// Names of axes are kept in the metadata under `axial.axes`, as text that spells
// {"W": ["height", "width"]}. https://huggingface.co/docs/safetensors
#pragma once

#include <map>
#include <string>

#include "axial/files/store.hpp"

namespace axial::files {

/// Texts about a file, by key.
using Metadata = std::map<std::string, std::string>;

/// The tensors of a file; those whose elements need no conversion are mapped into memory, and the
/// mapping lasts as long as they do. Fails with file-access, bad-file or element-type, and with
/// bad-value if a name in `options.only` is not there.
Stores read_safetensors(const std::string& path, const ReadOptions& options = {});

/// The metadata of a file without the names of axes. Fails with file-access or bad-file.
Metadata read_safetensors_metadata(const std::string& path);

/// Writes tensors and metadata, replacing the file as a whole. Fails with file-access, and with
/// bad-value if a tensor is called `__metadata__`, the metadata has a key `axial.axes`, or a text
/// is not UTF-8.
void write_safetensors(const std::string& path, const Tensors& tensors,
                       const Metadata& metadata = {});

}  // namespace axial::files
