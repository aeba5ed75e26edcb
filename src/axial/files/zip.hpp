// Zip archives as NumPy makes them: members stored or deflated, with the 64-bit extension.
// https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "axial/files/contents.hpp"
#include "axial/files/replace.hpp"

namespace axial::files {

/// One member of an archive, still packed.
struct Member {
  std::string name;
  bool deflated;
  std::uint32_t checksum;  ///< CRC-32 of the unpacked bytes.
  std::int64_t size;       ///< Of the unpacked bytes, as the archive claims.
  Bytes packed;
};

/// The members of an archive. Fails with bad-file if the archive is damaged, its members overlap or
/// have one name twice, or one claims a size that its packed bytes cannot yield.
std::vector<Member> zip_members(const Bytes& archive);

/// The first bytes of a member, at most `limit` of them. Fails with bad-file if they do not
/// inflate.
Bytes unpack_start(const Member& member, std::int64_t limit);

/// All bytes of a member; those of a stored one are not copied. Fails with bad-file if their number
/// or checksum is not what the archive says.
Bytes unpack(const Member& member);

/// Writes an archive of stored members, each beginning at a multiple of 64 bytes so that it can be
/// used where it lies.
class ZipWriter {
 public:
  explicit ZipWriter(Sink& sink) : sink_(sink) {}

  /// Adds a member that consists of two parts.
  void add(const std::string& name, std::string_view head, std::span<const std::byte> body);
  /// Writes the directory; the last call.
  void finish();

 private:
  Sink& sink_;
  std::string directory_;
  std::uint64_t count_ = 0;
};

}  // namespace axial::files
