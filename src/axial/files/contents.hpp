// The bytes of a file, mapped into memory if there are many of them.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace axial::files {

static_assert(std::endian::native == std::endian::little,
              "the formats are little-endian, and elements are used as they lie in the file");

/// Bytes that stay where they are as long as someone holds them or a part of them.
struct Bytes {
  std::shared_ptr<const std::byte> start;
  std::int64_t size = 0;

  std::span<const std::byte> view() const { return {start.get(), static_cast<std::size_t>(size)}; }
  std::string_view text() const {
    return {reinterpret_cast<const char*>(start.get()), static_cast<std::size_t>(size)};
  }
  /// The bytes from `offset` on, at most `length` of them, kept alive by the same owner.
  Bytes part(std::int64_t offset, std::int64_t length) const;
};

/// The bytes of a file; one of a megabyte or more is mapped, not read. Fails with file-access if
/// the file cannot be read or is not a regular one.
Bytes contents(const std::string& path);

/// Uninitialised memory. Fails with too-large.
std::shared_ptr<std::byte> allocate_bytes(std::int64_t size);

/// The number that begins at `from`, lowest byte first.
template <class T>
T little(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

/// Fails with file-access: "cannot open w.npz: " and what the system says of `error_number`.
[[noreturn]] void fail_access(std::string_view action, const std::string& path, int error_number);

}  // namespace axial::files
