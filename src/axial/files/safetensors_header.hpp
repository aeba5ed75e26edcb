// The header of a safetensors file: what tensors there are and where their elements lie.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "axial/files/contents.hpp"
#include "axial/files/safetensors.hpp"

namespace axial::files {

/// One tensor in the header.
struct SafetensorsEntry {
  std::string encoding;  ///< Such as `F32`; it may be one that cannot be read.
  std::vector<std::int64_t> sizes;
  std::int64_t begin = 0;  ///< Where its elements begin, counted from the end of the header.
  std::int64_t end = 0;
};

/// The whole header.
struct SafetensorsHeader {
  std::map<std::string, SafetensorsEntry> entries;
  Metadata metadata;
  std::int64_t length = 0;  ///< From the first byte of the file to the elements.
};

/// The header of a file, checked against the length of the file. Fails with bad-file unless the
/// tensors cover the rest of the file without holes or overlaps.
SafetensorsHeader parse_safetensors_header(const Bytes& file);

/// The header as bytes, filled up so that the elements begin at a multiple of 8 bytes. Fails with
/// bad-value if a name or text is not UTF-8 or the header is too long.
std::string to_bytes(const SafetensorsHeader& header);

}  // namespace axial::files
