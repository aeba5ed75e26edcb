// Deflated bytes unpacked: those in zip archives, and files packed by gzip.
#pragma once

#include <cstddef>
#include <cstdint>

#include "axial/files/contents.hpp"

namespace axial::files {

/// What stands around deflated bytes.
enum class Wrapping { none, gzip };

/// Inflates until `wanted` bytes are there or the stream ends; returns how many there are. Fails with
/// bad-file if the packed bytes are damaged.
std::int64_t inflate_into(std::byte* to, std::int64_t wanted, const Bytes& packed,
                          Wrapping wrapping);

/// The bytes of a file that gzip packed, or the file itself if it did not. Fails with bad-file if
/// the packed bytes are damaged or make more than `limit`.
Bytes gunzipped(const Bytes& file, std::int64_t limit);

}  // namespace axial::files
