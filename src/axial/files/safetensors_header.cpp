#include "axial/files/safetensors_header.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <utility>

#include "axial/files/axis_names.hpp"
#include "axial/files/report.hpp"

namespace axial::files {
namespace {

using nlohmann::json;

constexpr std::int64_t prefix_length = 8;
constexpr std::int64_t max_header = 100'000'000;
constexpr std::string_view metadata_key = "__metadata__";

/// The JSON text of the header.
std::string_view header_text(const Bytes& file) {
  if (file.size < prefix_length) {
    reject(fmt::format("it has {} bytes; a safetensors file has at least 8", file.size));
  }
  const auto length = little<std::uint64_t>(file.start.get());
  if (length > max_header) {
    reject(fmt::format("its header should have {} bytes; the limit is {}", length, max_header),
           "the file is damaged or of another format");
  }
  const Bytes text = file.part(prefix_length, static_cast<std::int64_t>(length));
  if (std::cmp_less(text.size, length)) {
    reject(fmt::format("its header should have {} bytes, but only {} are there", length, text.size),
           "the file was cut off; copy or write it again");
  }
  if (!text.text().starts_with('{')) reject("its header does not begin with `{`");
  return text.text();
}

std::int64_t whole_number(const json& value, std::string_view what) {
  constexpr std::uint64_t most = INT64_MAX;
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() > most) {
    reject(fmt::format("{} is {}, not a whole number from 0 to 2^63 - 1", what,
                       shown(value.dump(-1, ' ', false, json::error_handler_t::replace))));
  }
  return value.get<std::int64_t>();
}

const json& field(const json& entry, const char* key) {
  const auto found = entry.find(key);
  if (found == entry.end()) reject(fmt::format("its header entry has no `{}`", key));
  return *found;
}

SafetensorsEntry parse_entry(const json& value) {
  if (!value.is_object()) reject("its header entry is not a JSON object");
  SafetensorsEntry entry;
  const json& encoding = field(value, "dtype");
  if (!encoding.is_string()) reject("its `dtype` is not a text");
  entry.encoding = encoding.get<std::string>();
  const json& shape = field(value, "shape");
  if (!shape.is_array() || std::ssize(shape) > max_axes) {
    reject(fmt::format("its `shape` is not a list of at most {} sizes", max_axes));
  }
  for (const json& size : shape) entry.sizes.push_back(whole_number(size, "a size in `shape`"));
  const json& offsets = field(value, "data_offsets");
  if (!offsets.is_array() || offsets.size() != 2) reject("its `data_offsets` are not two numbers");
  entry.begin = whole_number(offsets[0], "a number in `data_offsets`");
  entry.end = whole_number(offsets[1], "a number in `data_offsets`");
  return entry;
}

Metadata parse_metadata(const json& value) {
  if (!value.is_object()) reject("its `__metadata__` is not a JSON object");
  Metadata metadata;
  for (const auto& [key, text] : value.items()) {
    if (!text.is_string()) {
      reject(fmt::format("the metadata {} is not a text", shown(key)));
    }
    metadata.emplace(key, text.get<std::string>());
  }
  return metadata;
}

/// Where the elements of each tensor begin and end, in that order.
auto extents_of(const SafetensorsHeader& header) {
  std::vector<std::tuple<std::int64_t, std::int64_t, std::string_view>> extents;
  for (const auto& [name, entry] : header.entries) {
    extents.emplace_back(entry.begin, entry.end, name);
  }
  std::ranges::sort(extents);
  return extents;
}

/// The tensors must cover `data_bytes` bytes one after another, as the format demands.
void require_cover(const SafetensorsHeader& header, std::int64_t data_bytes) {
  std::int64_t covered = 0;
  for (const auto& [begin, end, name] : extents_of(header)) {
    if (begin != covered || end < begin) {
      reject(fmt::format("{}: its elements lie at {} to {}, but should begin at {}", place_of(name),
                         begin, end, covered));
    }
    covered = end;
  }
  if (covered != data_bytes) {
    reject(fmt::format("its tensors take {} bytes, but {} follow the header", covered, data_bytes),
           covered > data_bytes ? "the file was cut off; copy or write it again" : "");
  }
}

/// The JSON text, the tensors listed as they lie.
std::string to_json(const SafetensorsHeader& header) {
  std::string text = "{";
  const auto append = [&](std::string_view key, const nlohmann::ordered_json& value) {
    text += fmt::format("{}{}:{}", text.size() > 1 ? "," : "", json(key).dump(), value.dump());
  };
  try {
    if (!header.metadata.empty()) append(metadata_key, header.metadata);
    for (const auto& [begin, end, name] : extents_of(header)) {
      const SafetensorsEntry& entry = header.entries.at(std::string(name));
      append(name,
             {{"dtype", entry.encoding}, {"shape", entry.sizes}, {"data_offsets", {begin, end}}});
    }
  } catch (const json::exception&) {
    fail_utf8();
  }
  return text + "}";
}

}  // namespace

SafetensorsHeader parse_safetensors_header(const Bytes& file) {
  const std::string_view text = header_text(file);
  require_plain_json(text, 3);
  const json object = json::parse(text);
  SafetensorsHeader header;
  header.length = prefix_length + std::ssize(text);
  for (const auto& [name, value] : object.items()) {
    if (name == metadata_key) {
      header.metadata = parse_metadata(value);
    } else {
      within(place_of(name), [&] { header.entries.emplace(name, parse_entry(value)); });
    }
  }
  require_cover(header, file.size - header.length);
  return header;
}

std::string to_bytes(const SafetensorsHeader& header) {
  std::string text = to_json(header);
  text.append((prefix_length - text.size() % prefix_length) % prefix_length, ' ');
  if (std::ssize(text) > max_header) {
    throw Error(code("bad-value"),
                fmt::format("the header of a safetensors file would have {} bytes; the limit is {}",
                            text.size(), max_header),
                "write fewer tensors to one file");
  }
  const auto length = static_cast<std::uint64_t>(text.size());
  return std::string(reinterpret_cast<const char*>(&length), sizeof length) + text;
}

}  // namespace axial::files
