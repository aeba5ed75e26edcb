#include "axial/files/idx.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <string_view>

#include "axial/files/contents.hpp"
#include "axial/files/encoding.hpp"
#include "axial/files/inflate.hpp"
#include "axial/files/report.hpp"

namespace axial::files {
namespace {

/// The third byte of a file says what its elements are.
struct ElementByte {
  int byte;
  std::string_view npy;
};
constexpr auto element_bytes = std::to_array<ElementByte>({
    {0x08, "u1"},
    {0x09, "i1"},
    {0x0B, "i2"},
    {0x0C, "i4"},
    {0x0D, "f4"},
    {0x0E, "f8"},
});

Stored parse(const Bytes& file) {
  constexpr std::int64_t fixed = 4, per_axis = 4;
  if (file.size < fixed) reject("it is too short for an IDX file");
  const auto byte = [&](int k) { return std::to_integer<int>(file.start.get()[k]); };
  const auto element = std::ranges::find(element_bytes, byte(2), &ElementByte::byte);
  if (byte(0) != 0 || byte(1) != 0 || element == element_bytes.end()) {
    reject("it does not begin as an IDX file does: two zero bytes, then the type of the elements");
  }
  const std::int64_t header = fixed + per_axis * byte(3);
  if (file.size < header) reject("its list of sizes is cut off");
  std::vector<std::int64_t> sizes;
  for (int k = 0; k < byte(3); ++k) {
    const auto size = little<std::uint32_t>(file.start.get() + fixed + per_axis * k);
    sizes.push_back(__builtin_bswap32(size));
  }
  const Encoding& encoding = *find_npy_encoding(element->npy);
  const std::int64_t expected = encoded_bytes(encoding, sizes);
  if (file.size - header != expected) {
    reject(fmt::format("its sizes ask for {} bytes of elements, and there are {}", expected,
                       file.size - header));
  }
  return {.source = {},
          .type = encoding.type,
          .sizes = std::move(sizes),
          .axes = {},
          .first_fastest = false,
          .block = decoded(encoding, file.part(header, expected), true)};
}

}  // namespace

Stored read_idx(const std::string& path, const ReadOptions& options) {
  const Bytes file = contents(path);
  return within(path, [&] {
    Stored stored = parse(gunzipped(file, options.inflated_bytes));
    stored.source = path;
    return stored;
  });
}

}  // namespace axial::files
