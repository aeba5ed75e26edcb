#include "axial/files/contents.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <system_error>

#include "axial/base/error.hpp"
#include "axial/files/descriptor.hpp"

namespace axial::files {
namespace {

constexpr std::int64_t map_from_size = std::int64_t{1} << 20;

Bytes mapped(const Descriptor& file, std::int64_t size, const std::string& path) {
  const auto length = static_cast<std::size_t>(size);
  void* start = ::mmap(nullptr, length, PROT_READ, MAP_PRIVATE, file.number(), 0);
  if (start == MAP_FAILED) fail_access("map", path, errno);
  return {{static_cast<const std::byte*>(start),
           [start, length](const std::byte*) { ::munmap(start, length); }},
          size};
}

Bytes copied(const Descriptor& file, std::int64_t size, const std::string& path) {
  const std::shared_ptr<std::byte> start = allocate_bytes(size);
  std::int64_t done = 0;
  while (done < size) {
    const ssize_t count =
        ::read(file.number(), start.get() + done, static_cast<std::size_t>(size - done));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail_access("read", path, errno);
    if (count == 0) break;  // it became shorter meanwhile; the format's reader will say so
    done += count;
  }
  return {start, done};
}

}  // namespace

Bytes Bytes::part(std::int64_t offset, std::int64_t length) const {
  if (offset < 0 || offset > size || length < 0) bug("a part outside of the bytes of a file");
  return {{start, start.get() + offset}, std::min(length, size - offset)};
}

Bytes contents(const std::string& path) {
  // Without O_NONBLOCK, opening a pipe would wait for a writer.
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file) fail_access("open", path, errno);
  struct stat status{};
  if (::fstat(file.number(), &status) != 0) fail_access("read", path, errno);
  if (!S_ISREG(status.st_mode)) {
    throw Error(code("file-access"), fmt::format("cannot read {}: it is not a regular file", path),
                "give the path of a file on disk");
  }
  const auto size = static_cast<std::int64_t>(status.st_size);
  return size >= map_from_size ? mapped(file, size, path) : copied(file, size, path);
}

std::shared_ptr<std::byte> allocate_bytes(std::int64_t size) {
  void* block = std::malloc(static_cast<std::size_t>(std::max<std::int64_t>(size, 1)));
  if (block == nullptr) {
    throw Error(code("too-large"), fmt::format("there is no memory for {} bytes", size),
                "read fewer tensors at a time");
  }
  return {static_cast<std::byte*>(block), std::free};
}

void fail_access(std::string_view action, const std::string& path, int error_number) {
  throw Error(code("file-access"), fmt::format("cannot {} {}: {}", action, path,
                                               std::generic_category().message(error_number)));
}

}  // namespace axial::files
