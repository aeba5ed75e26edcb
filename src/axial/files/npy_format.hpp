// The npy format of NumPy: a magic string, a version, a Python dictionary, the elements.
// https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "axial/files/contents.hpp"
#include "axial/files/encoding.hpp"
#include "axial/files/store.hpp"

namespace axial::files {

/// No npy header is longer, from the first byte of the file to the elements.
inline constexpr std::int64_t max_npy_header = std::int64_t{1} << 16;

/// What stands before the elements.
struct NpyHeader {
  const Encoding* encoding;
  bool swapped;        ///< The highest byte of an element comes first.
  bool first_fastest;  ///< Fortran order.
  std::vector<std::int64_t> sizes;
  std::int64_t length;      ///< Of the header itself.
  std::int64_t data_bytes;  ///< Of the elements that follow.
};

/// The header that opens `start`. Fails with bad-file if it is malformed or cut off, and with
/// element-type if the elements are of a kind that cannot be read.
NpyHeader parse_npy_header(std::span<const std::byte> start);

/// The array that opens `bytes`. Fails as parse_npy_header does, and with bad-file if elements are
/// missing.
Stored parse_npy(const Bytes& bytes, const NpyHeader& header);

/// The header of an array in C order.
std::string npy_header(std::string_view encoding, std::span<const std::int64_t> sizes);

/// A text as an array of bytes.
std::string npy_of_text(std::string_view text);

/// The text in an array of bytes, which must fill `bytes`. Fails with bad-file.
std::string_view parse_npy_text(const Bytes& bytes);

}  // namespace axial::files
