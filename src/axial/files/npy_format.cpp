#include "axial/files/npy_format.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

#include "axial/files/npy_dictionary.hpp"
#include "axial/files/report.hpp"

namespace axial::files {
namespace {

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::int64_t alignment = 64;

/// The dictionary, and how long the header is in all.
struct Envelope {
  std::string_view dictionary;
  std::int64_t length;
};

Envelope open_envelope(std::string_view text) {
  if (!text.starts_with(magic)) {
    reject(fmt::format("it begins with {}, not with the magic string of npy",
                       shown(text.substr(0, magic.size()))));
  }
  if (text.size() < 12) reject(fmt::format("it breaks off after {} bytes", text.size()));
  const auto* bytes = reinterpret_cast<const std::byte*>(text.data());
  const auto major = std::to_integer<int>(bytes[6]), minor = std::to_integer<int>(bytes[7]);
  if (major < 1 || major > 3 || minor != 0) {
    reject(
        fmt::format("it has npy version {}.{}; versions 1.0, 2.0 and 3.0 are read", major, minor));
  }
  const std::int64_t begin = major == 1 ? 10 : 12;
  const std::int64_t length = begin + (major == 1 ? little<std::uint16_t>(bytes + 8)
                                                  : std::int64_t{little<std::uint32_t>(bytes + 8)});
  if (length > max_npy_header) {
    reject(fmt::format("its header has {} bytes; the limit is {}", length, max_npy_header));
  }
  if (length > std::ssize(text)) {
    reject(
        fmt::format("its header should have {} bytes, but only {} are there", length, text.size()));
  }
  return {text.substr(static_cast<std::size_t>(begin), static_cast<std::size_t>(length - begin)),
          length};
}

/// Fails with element-type, naming the kind of elements and a way out.
[[noreturn]] void fail_elements(std::string_view descr) {
  throw Error(
      code("element-type"),
      fmt::format("its elements have the NumPy type {}, which cannot be read", shown(descr)),
      "convert it in NumPy with .astype(\"float64\") or .view() to floating-point, integer "
      "or boolean elements and save it again");
}

/// Reads `<f4`: the byte order, then the kind and number of bytes.
void read_elements(std::string_view descr, NpyHeader& header) {
  constexpr std::string_view orders = "<>=|";
  const bool has_order = !descr.empty() && orders.find(descr[0]) != std::string_view::npos;
  header.encoding = find_npy_encoding(descr.substr(has_order ? 1 : 0));
  const char order = has_order ? descr[0] : '=';
  if (header.encoding == nullptr || (order == '|' && header.encoding->bytes > 1)) {
    fail_elements(descr);
  }
  header.swapped = order == '>' && header.encoding->bytes > 1;
}

std::string tuple_text(std::span<const std::int64_t> sizes) {
  return fmt::format("({}{})", fmt::join(sizes, ", "), sizes.size() == 1 ? "," : "");
}

}  // namespace

NpyHeader parse_npy_header(std::span<const std::byte> start) {
  const std::string_view text(reinterpret_cast<const char*>(start.data()), start.size());
  const Envelope envelope = open_envelope(text);
  const NpyDictionary dictionary = parse_npy_dictionary(envelope.dictionary);
  NpyHeader header{.encoding = nullptr,
                   .swapped = false,
                   .first_fastest = dictionary.fortran_order,
                   .sizes = dictionary.shape,
                   .length = envelope.length,
                   .data_bytes = 0};
  read_elements(dictionary.descr, header);
  header.data_bytes = encoded_bytes(*header.encoding, header.sizes);
  return header;
}

Stored parse_npy(const Bytes& bytes, const NpyHeader& header) {
  const Bytes data = bytes.part(header.length, header.data_bytes);
  if (data.size < header.data_bytes) {
    reject(
        fmt::format("the shape {} of elements `{}` takes {} bytes, but only {} are there",
                    tuple_text(header.sizes), header.encoding->npy, header.data_bytes, data.size),
        "the file was cut off; copy or write it again");
  }
  return {.source = {},
          .type = header.encoding->type,
          .sizes = header.sizes,
          .axes = {},
          .first_fastest = header.first_fastest,
          .block = decoded(*header.encoding, data, header.swapped)};
}

std::string npy_header(std::string_view encoding, std::span<const std::int64_t> sizes) {
  const std::string order = encoding.ends_with('1') ? "|" : "<";
  std::string dictionary = fmt::format("{{'descr': '{}{}', 'fortran_order': False, 'shape': {}, }}",
                                       order, encoding, tuple_text(sizes));
  const std::size_t used = 10 + dictionary.size() + 1;
  dictionary.append((alignment - used % alignment) % alignment, ' ');
  dictionary += '\n';
  std::string header(magic);
  header += {'\x01', '\x00', static_cast<char>(dictionary.size() & 0xFF),
             static_cast<char>(dictionary.size() >> 8)};
  return header + dictionary;
}

std::string npy_of_text(std::string_view text) {
  const std::array sizes{static_cast<std::int64_t>(text.size())};
  return npy_header("u1", sizes) + std::string(text);
}

std::string_view parse_npy_text(const Bytes& bytes) {
  const NpyHeader header = parse_npy_header(bytes.view());
  if (header.encoding->npy != "u1" || header.sizes.size() != 1 ||
      header.length + header.data_bytes != bytes.size) {
    reject("it is not text as a one-dimensional array of bytes");
  }
  return bytes.text().substr(static_cast<std::size_t>(header.length));
}

}  // namespace axial::files
