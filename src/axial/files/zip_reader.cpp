#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <set>

#include "axial/files/inflate.hpp"
#include "axial/files/report.hpp"
#include "axial/files/zip.hpp"

namespace axial::files {
namespace {

// No deflated stream yields more bytes for each of its own.
constexpr std::uint64_t max_inflation = 1032;

/// Reads numbers one after another from a record of the archive.
class Fields {
 public:
  explicit Fields(std::span<const std::byte> rest) : rest_(rest) {}

  template <class T>
  T next() {
    return little<T>(take(sizeof(T)).data());
  }

  std::span<const std::byte> take(std::size_t size) {
    if (size > rest_.size())
      reject("a record of the zip archive breaks off or points outside of the file");
    const auto taken = rest_.first(size);
    rest_ = rest_.subspan(size);
    return taken;
  }

  std::string_view text(std::size_t size) {
    const auto taken = take(size);
    return {reinterpret_cast<const char*>(taken.data()), taken.size()};
  }

  void skip(std::size_t size) { take(size); }
  bool empty() const { return rest_.empty(); }
  std::size_t size() const { return rest_.size(); }

 private:
  std::span<const std::byte> rest_;
};

/// The record at `offset`, which must begin with a signature of four bytes.
Fields record_at(const Bytes& archive, std::uint64_t offset, std::uint32_t signature) {
  if (offset > static_cast<std::uint64_t>(archive.size)) {
    reject(fmt::format("the zip archive points to byte {}, but has only {}", offset, archive.size));
  }
  Fields fields(archive.view().subspan(offset));
  if (fields.next<std::uint32_t>() != signature) {
    reject(fmt::format("the zip archive has no valid record at byte {}", offset));
  }
  return fields;
}

/// Where the directory of the archive lies and how many members it lists.
struct Directory {
  std::uint64_t offset;
  std::uint64_t size;
  std::uint64_t count;
};

/// Where the end record begins: the archive may close with a comment of up to 65535 bytes.
std::uint64_t find_end_record(const Bytes& archive) {
  constexpr std::int64_t length = 22, max_comment = 65535;
  const std::int64_t first = std::max<std::int64_t>(0, archive.size - length - max_comment);
  for (std::int64_t offset = archive.size - length; offset >= first; --offset) {
    const std::byte* record = archive.start.get() + offset;
    if (little<std::uint32_t>(record) == 0x06054b50 &&
        little<std::uint16_t>(record + 20) == archive.size - length - offset) {
      return static_cast<std::uint64_t>(offset);
    }
  }
  reject("it does not end as a zip archive does", "the file was cut off or is of another format");
}

Directory find_directory(const Bytes& archive) {
  const std::uint64_t end = find_end_record(archive);
  Fields fields = record_at(archive, end, 0x06054b50);
  fields.skip(6);  // numbers of disks
  Directory directory{};
  directory.count = fields.next<std::uint16_t>();
  directory.size = fields.next<std::uint32_t>();
  directory.offset = fields.next<std::uint32_t>();
  constexpr std::uint64_t locator_length = 20;
  const bool has_locator =
      end >= locator_length &&
      little<std::uint32_t>(archive.start.get() + end - locator_length) == 0x07064b50;
  if (!has_locator) return directory;
  Fields locator = record_at(archive, end - locator_length, 0x07064b50);
  locator.skip(4);
  Fields wide = record_at(archive, locator.next<std::uint64_t>(), 0x06064b50);
  wide.skip(28);
  directory.count = wide.next<std::uint64_t>();
  directory.size = wide.next<std::uint64_t>();
  directory.offset = wide.next<std::uint64_t>();
  return directory;
}

/// The numbers of a directory entry that may overflow into its 64-bit extension.
struct Extent {
  std::uint64_t size;
  std::uint64_t packed;
  std::uint64_t offset;
};

/// Replaces the numbers that did not fit 32 bits by those in the extra field.
void widen(Extent& extent, Fields extra) {
  while (extra.size() >= 4) {
    const auto kind = extra.next<std::uint16_t>();
    const auto length = extra.next<std::uint16_t>();
    Fields field(extra.take(length));
    if (kind != 1) continue;
    for (std::uint64_t* number : {&extent.size, &extent.packed, &extent.offset}) {
      if (*number == 0xFFFFFFFF) *number = field.next<std::uint64_t>();
    }
    return;
  }
}

/// The packed bytes: they follow the local header, whose length only it knows.
Bytes packed_bytes(const Bytes& archive, const Extent& extent, std::string_view name) {
  Fields local = record_at(archive, extent.offset, 0x04034b50);
  local.skip(22);
  const std::size_t name_length = local.next<std::uint16_t>();
  const std::size_t extra_length = local.next<std::uint16_t>();
  if (local.text(name_length) != name) reject("the zip archive gives it two different names");
  local.skip(extra_length);
  const auto length = static_cast<std::uint64_t>(local.size());
  if (extent.packed > length) {
    reject(fmt::format("it should have {} bytes in the zip archive, but at most {} are there",
                       extent.packed, length));
  }
  return archive.part(archive.size - static_cast<std::int64_t>(length),
                      static_cast<std::int64_t>(extent.packed));
}

void check_sizes(const Extent& extent, bool deflated) {
  if (deflated ? extent.size > (extent.packed + 1) * max_inflation : extent.size != extent.packed) {
    reject(fmt::format("it claims {} bytes, which its {} bytes in the zip archive cannot yield",
                       extent.size, extent.packed));
  }
}

/// The next entry of the directory.
Member parse_member(const Bytes& archive, Fields& entries) {
  if (entries.next<std::uint32_t>() != 0x02014b50) reject("the zip directory is damaged");
  entries.skip(4);  // versions
  const auto flags = entries.next<std::uint16_t>();
  const auto method = entries.next<std::uint16_t>();
  entries.skip(4);  // time and date
  const auto checksum = entries.next<std::uint32_t>();
  Extent extent{};
  extent.packed = entries.next<std::uint32_t>();
  extent.size = entries.next<std::uint32_t>();
  const std::size_t name_length = entries.next<std::uint16_t>();
  const std::size_t extra_length = entries.next<std::uint16_t>();
  const std::size_t comment_length = entries.next<std::uint16_t>();
  entries.skip(8);  // disk and attributes
  extent.offset = entries.next<std::uint32_t>();
  const std::string name(entries.text(name_length));
  const Fields extra(entries.take(extra_length));
  entries.skip(comment_length);
  return within("member " + shown(name), [&]() -> Member {
    widen(extent, extra);
    if ((flags & 1) != 0) reject("it is encrypted", "write the archive without a password");
    if (method != 0 && method != 8) {
      reject(fmt::format("it is packed by method {}; stored and deflated members are read", method),
             "write it with numpy.savez or numpy.savez_compressed");
    }
    Bytes packed = packed_bytes(archive, extent, name);
    check_sizes(extent, method == 8);
    return {name, method == 8, checksum, static_cast<std::int64_t>(extent.size), packed};
  });
}

}  // namespace

std::vector<Member> zip_members(const Bytes& archive) {
  const Directory directory = find_directory(archive);
  Fields entries(archive.view());
  entries.skip(directory.offset);
  entries = Fields(entries.take(directory.size));
  std::vector<Member> members;
  std::set<std::string> names;
  std::int64_t packed = 0;
  while (!entries.empty()) {
    members.push_back(parse_member(archive, entries));
    const Member& member = members.back();
    packed += member.packed.size;
    if (packed > archive.size) reject("the members of the zip archive overlap");
    if (!names.insert(member.name).second) {
      reject(fmt::format("two members are called {}", shown(member.name)));
    }
  }
  if (members.size() != directory.count) {
    reject(fmt::format("the zip directory should list {} members, but lists {}", directory.count,
                       members.size()));
  }
  return members;
}

Bytes unpack_start(const Member& member, std::int64_t limit) {
  if (!member.deflated) return member.packed.part(0, limit);
  const std::int64_t size = std::min(limit, member.size);
  const std::shared_ptr<std::byte> bytes = allocate_bytes(size);
  return {bytes, inflate_into(bytes.get(), size, member.packed, Wrapping::none)};
}

Bytes unpack(const Member& member) {
  Bytes bytes = unpack_start(member, member.size);
  if (bytes.size != member.size) {
    reject(
        fmt::format("it should inflate to {} bytes, but gives only {}", member.size, bytes.size));
  }
  const uLong checksum =
      crc32_z(0, reinterpret_cast<const Bytef*>(bytes.start.get()), bytes.view().size());
  if (checksum != member.checksum) reject("its bytes are damaged: the checksum differs");
  return bytes;
}

}  // namespace axial::files
