#include "axial/files/safetensors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>
#include <string_view>
#include <utility>

#include "axial/files/axis_names.hpp"
#include "axial/files/encoding.hpp"
#include "axial/files/replace.hpp"
#include "axial/files/report.hpp"
#include "axial/files/safetensors_header.hpp"

namespace axial::files {
namespace {

const std::string axes_key = "axial.axes";

AxisNames read_names(const Metadata& metadata) {
  const auto found = metadata.find(axes_key);
  if (found == metadata.end()) return {};
  return within(fmt::format("names of axes in the metadata `{}`", axes_key),
                [&] { return parse_axis_names(found->second); });
}

Stored read_entry(const Bytes& file, const SafetensorsHeader& header,
                  const SafetensorsEntry& entry) {
  const Encoding* encoding = find_safetensors_encoding(entry.encoding);
  if (encoding == nullptr) {
    throw Error(
        code("element-type"),
        fmt::format("its elements have the type {}, which cannot be read", shown(entry.encoding)),
        "convert it to F32 or another of the types that are read, and save it again");
  }
  const std::int64_t expected = encoded_bytes(*encoding, entry.sizes);
  if (expected != entry.end - entry.begin) {
    reject(fmt::format("its shape and elements `{}` make {} bytes, but its `data_offsets` {}",
                       entry.encoding, expected, entry.end - entry.begin));
  }
  return {.source = {},
          .type = encoding->type,
          .sizes = entry.sizes,
          .axes = {},
          .first_fastest = false,
          .block = decoded(*encoding, file.part(header.length + entry.begin, expected), false)};
}

/// The tensors in the order in which their elements are written: wide elements first, so that all
/// are aligned.
std::vector<const Tensors::value_type*> placed(const Tensors& tensors) {
  std::vector<const Tensors::value_type*> order;
  for (const auto& tensor : tensors) order.push_back(&tensor);
  std::ranges::sort(order, {}, [](const auto* tensor) {
    return std::pair(-facts(tensor->second.array.type()).bytes, std::string_view(tensor->first));
  });
  return order;
}

}  // namespace

Stores read_safetensors(const std::string& path, const ReadOptions& options) {
  const Bytes file = contents(path);
  return within(path, [&] {
    const SafetensorsHeader header = parse_safetensors_header(file);
    const AxisNames names = read_names(header.metadata);
    const auto present = std::views::keys(header.entries);
    Stores stores;
    for (const std::string& name : selected({present.begin(), present.end()}, options)) {
      within(place_of(name), [&] {
        Stored stored = read_entry(file, header, header.entries.at(name));
        stored.source = fmt::format("{}: {}", path, place_of(name));
        name_axes(stored, names, name);
        stores.emplace(name, std::move(stored));
      });
    }
    return stores;
  });
}

Metadata read_safetensors_metadata(const std::string& path) {
  const Bytes file = contents(path);
  return within(path, [&] {
    Metadata metadata = parse_safetensors_header(file).metadata;
    metadata.erase(axes_key);
    return metadata;
  });
}

void write_safetensors(const std::string& path, const Tensors& tensors, const Metadata& metadata) {
  require_writable(tensors, "__metadata__");
  if (metadata.contains(axes_key)) {
    throw Error(code("bad-value"), fmt::format("metadata cannot have the key `{}`", axes_key),
                "the key is taken by the names of axes; choose another");
  }
  SafetensorsHeader header{.entries = {}, .metadata = metadata};
  header.metadata.emplace(axes_key, to_json(names_of(tensors)));
  const auto order = placed(tensors);
  std::int64_t offset = 0;
  for (const auto* named : order) {
    const auto& [name, tensor] = *named;
    const Encoding& encoding = encoding_of(tensor.array.type());
    const std::int64_t end = offset + encoded_bytes(encoding, tensor.sizes());
    header.entries.emplace(
        name, SafetensorsEntry{std::string(encoding.safetensors), tensor.sizes(), offset, end});
    offset = end;
  }
  replace_file(path, [&](Sink& sink) {
    sink.write(to_bytes(header));
    for (const auto* named : order) {
      const Ordered& tensor = named->second;
      sink.write(bytes_of(laid_out(tensor.array, tensor.order)));
    }
  });
}

}  // namespace axial::files
