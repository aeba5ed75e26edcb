#include "axial/files/inflate.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <limits>
#include <memory>

#include "axial/base/error.hpp"
#include "axial/files/report.hpp"

namespace axial::files {

std::int64_t inflate_into(std::byte* to, std::int64_t wanted, const Bytes& packed,
                          Wrapping wrapping) {
  constexpr std::int64_t most = std::numeric_limits<uInt>::max();
  constexpr int with_gzip_header = 16;
  z_stream stream{};
  const int window = wrapping == Wrapping::none ? -MAX_WBITS : MAX_WBITS + with_gzip_header;
  if (inflateInit2(&stream, window) != Z_OK) bug("zlib cannot start");
  const std::unique_ptr<z_stream, decltype(&inflateEnd)> guard(&stream, inflateEnd);
  std::int64_t taken = 0, given = 0;
  int state = Z_OK;
  while (state == Z_OK && given < wanted) {
    const std::int64_t in = std::min(most, packed.size - taken);
    const std::int64_t out = std::min(most, wanted - given);
    stream.next_in = const_cast<Bytef*>(  // zlib only reads there
        reinterpret_cast<const Bytef*>(packed.start.get() + taken));
    stream.avail_in = static_cast<uInt>(in);
    stream.next_out = reinterpret_cast<Bytef*>(to + given);
    stream.avail_out = static_cast<uInt>(out);
    state = inflate(&stream, Z_NO_FLUSH);
    taken += in - stream.avail_in;
    given += out - stream.avail_out;
  }
  if (state != Z_OK && state != Z_STREAM_END) reject("its deflated bytes are damaged");
  return given;
}

Bytes gunzipped(const Bytes& file, std::int64_t limit) {
  constexpr std::int64_t header_and_trailer = 18;
  const bool is_packed = file.text().starts_with("\x1f\x8b");
  if (!is_packed) return file;
  if (file.size < header_and_trailer) reject("its gzip header is cut off");
  // The last four bytes are the unpacked size. One byte more lets zlib reach and check the trailer.
  const std::int64_t size = little<std::uint32_t>(file.start.get() + file.size - 4);
  if (size > limit) {
    reject(fmt::format("it inflates to {} bytes, and the limit is {}", size, limit),
           "unpack it first");
  }
  const std::shared_ptr<std::byte> bytes = allocate_bytes(size + 1);
  if (inflate_into(bytes.get(), size + 1, file, Wrapping::gzip) != size) {
    reject(fmt::format("it does not inflate to the {} bytes that its end promises", size));
  }
  return {bytes, size};
}

}  // namespace axial::files
