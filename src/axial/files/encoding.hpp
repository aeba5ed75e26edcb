// How files encode elements, what the formats call that, and the type they are read as.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "axial/files/contents.hpp"
#include "axial/tensor/array.hpp"

namespace axial::files {

/// One row for each encoding that can be read.
struct Encoding {
  std::string_view npy;          ///< As in an npy header, without the byte order; may be empty.
  std::string_view safetensors;  ///< As in a safetensors header.
  std::int64_t bytes;            ///< Per element in the file.
  ElementType type;              ///< In memory.
  bool exact;                    ///< The bytes in the file are those in memory.
  void (*decode)(const std::byte* from, bool swapped, std::int64_t count, void* to);
};

/// The encoding with that npy or safetensors name, or null.
const Encoding* find_npy_encoding(std::string_view name);
const Encoding* find_safetensors_encoding(std::string_view name);

/// The encoding in which elements of a type are written.
const Encoding& encoding_of(ElementType type);

/// The number of bytes that a tensor takes in its file. Fails with bad-file if a size is negative
/// or there are too many axes or elements.
std::int64_t encoded_bytes(const Encoding& encoding, std::span<const std::int64_t> sizes);

/// The elements in memory: `data` itself if it can be used as it lies, else a copy. `swapped` says
/// that the highest byte comes first. Fails with bad-file if int64 cannot hold an element.
std::shared_ptr<const void> decoded(const Encoding& encoding, const Bytes& data, bool swapped);

/// The elements of an array as they are written.
std::span<const std::byte> bytes_of(const Array& array);

}  // namespace axial::files
