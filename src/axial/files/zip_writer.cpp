#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <type_traits>

#include "axial/base/error.hpp"
#include "axial/files/report.hpp"
#include "axial/files/zip.hpp"

namespace axial::files {
namespace {

using Short = std::uint16_t;
using Word = std::uint32_t;
using Wide = std::uint64_t;

constexpr Wide alignment = 64;
constexpr Wide word_limit = 0xFFFFFFFF;   // stands for: look in the 64-bit extension
constexpr Short wide_version = 45;        // of readers that know the 64-bit extension
constexpr Short utf8_flag = 1 << 11;      // names are UTF-8
constexpr Short first_of_1980 = 0x0021;   // the earliest date that zip knows
constexpr Short wide_kind = 1;            // of an extra field with 64-bit numbers
constexpr Short padding_kind = 0xD935;    // of an extra field that is there for its length
constexpr std::size_t local_length = 30;  // of a local header without name and extra field

/// Numbers, lowest byte first, and texts, one after another.
std::string record(const auto&... fields) {
  std::string text;
  const auto append = [&](const auto& field) {
    if constexpr (std::is_integral_v<std::remove_cvref_t<decltype(field)>>) {
      text.append(reinterpret_cast<const char*>(&field), sizeof field);
    } else {
      text += field;
    }
  };
  (append(fields), ...);
  return text;
}

Word word(Wide number) { return static_cast<Word>(std::min(number, word_limit)); }

/// What a local header and an entry of the directory have in common.
std::string common_fields(Word checksum, Wide size, std::string_view name, std::string_view extra) {
  const Short stored = 0, midnight = 0;
  return record(wide_version, utf8_flag, stored, midnight, first_of_1980, checksum, word(size),
                word(size), static_cast<Short>(name.size()), static_cast<Short>(extra.size()));
}

/// The extra field with those numbers that do not fit a word; empty if all do.
std::string wide_field(std::initializer_list<Wide> numbers) {
  std::string wide;
  for (const Wide number : numbers) {
    if (number >= word_limit) wide += record(number);
  }
  return wide.empty() ? wide : record(wide_kind, static_cast<Short>(wide.size()), wide);
}

/// An extra field that moves what follows it from `position` to the alignment.
std::string padding_field(Wide position) {
  const Wide length = (alignment - (position + 4) % alignment) % alignment;
  return record(padding_kind, static_cast<Short>(length), std::string(length, '\0'));
}

Word checksum_of(std::string_view head, std::span<const std::byte> body) {
  uLong checksum = crc32_z(0, reinterpret_cast<const Bytef*>(head.data()), head.size());
  // zlib takes a null pointer as the wish to start again.
  if (body.empty()) return static_cast<Word>(checksum);
  return static_cast<Word>(
      crc32_z(checksum, reinterpret_cast<const Bytef*>(body.data()), body.size()));
}

}  // namespace

void ZipWriter::add(const std::string& name, std::string_view head,
                    std::span<const std::byte> body) {
  if (name.size() > 0xFFFF) {
    throw Error(code("bad-value"),
                fmt::format("the name {} is too long for a zip archive", shown(name)));
  }
  const auto offset = static_cast<Wide>(sink_.position());
  const Wide size = head.size() + body.size();
  const Word checksum = checksum_of(head, body);

  std::string extra = wide_field({size, size});
  extra += padding_field(offset + local_length + name.size() + extra.size());
  sink_.write(record(Word{0x04034b50}, common_fields(checksum, size, name, extra), name, extra));
  sink_.write(head);
  sink_.write(body);

  const Short comment_length = 0, disk = 0, attributes = 0;
  const Word system_attributes = 0;
  const std::string wide = wide_field({size, size, offset});
  directory_ +=
      record(Word{0x02014b50}, wide_version, common_fields(checksum, size, name, wide),
             comment_length, disk, attributes, system_attributes, word(offset), name, wide);
  ++count_;
}

void ZipWriter::finish() {
  const auto offset = static_cast<Wide>(sink_.position());
  const Wide size = directory_.size(), count = count_;
  const Wide end = offset + size;
  sink_.write(directory_);
  constexpr Short disk = 0, comment_length = 0, short_limit = 0xFFFF;
  if (count >= short_limit || end >= word_limit) {
    const Wide rest_of_record = 44;
    sink_.write(record(Word{0x06064b50}, rest_of_record, wide_version, wide_version, Word{disk},
                       Word{disk}, count, count, size, offset));
    sink_.write(record(Word{0x07064b50}, Word{disk}, end, Word{1}));
  }
  const auto short_count = static_cast<Short>(std::min<Wide>(count, short_limit));
  sink_.write(record(Word{0x06054b50}, disk, disk, short_count, short_count, word(size),
                     word(offset), comment_length));
}

}  // namespace axial::files
