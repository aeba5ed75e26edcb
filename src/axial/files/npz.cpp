#include "axial/files/npz.hpp"

#include <fmt/format.h>

#include <ranges>

#include "axial/files/axis_names.hpp"
#include "axial/files/npy_format.hpp"
#include "axial/files/report.hpp"
#include "axial/files/zip.hpp"

namespace axial::files {
namespace {

constexpr std::string_view names_key = "__axes__";
constexpr std::string_view suffix = ".npy";

/// The members that are arrays, by the name of the array.
std::map<std::string, Member> arrays_of(const Bytes& archive) {
  std::map<std::string, Member> arrays;
  for (Member& member : zip_members(archive)) {
    const std::string& name = member.name;
    if (name.ends_with('/')) continue;  // a folder
    if (!name.ends_with(suffix)) {
      reject(fmt::format("its member {} is not an array", shown(name)),
             "an .npz holds .npy files only");
    }
    std::string key = name.substr(0, name.size() - suffix.size());
    arrays.emplace(std::move(key), std::move(member));
  }
  return arrays;
}

/// Keeps count of the memory that inflated members take.
class Allowance {
 public:
  explicit Allowance(std::int64_t bytes) : limit_(bytes), left_(bytes) {}

  /// The whole member, after its header has been compared with the size that the archive claims.
  Bytes unpack_array(const Member& member) {
    const NpyHeader header = parse_npy_header(unpack_start(member, max_npy_header).view());
    if (header.length + header.data_bytes != member.size) {
      reject(fmt::format("its shape and elements make {} bytes, but the zip archive says {}",
                         header.length + header.data_bytes, member.size));
    }
    if (member.deflated) {
      if (member.size > left_) {
        reject(fmt::format("the tensors inflate to more than {} bytes, the limit", limit_),
               "read fewer tensors at a time or raise the limit");
      }
      left_ -= member.size;
    }
    return unpack(member);
  }

 private:
  std::int64_t limit_;
  std::int64_t left_;
};

AxisNames read_names(const std::map<std::string, Member>& arrays, Allowance& allowance) {
  const auto found = arrays.find(std::string(names_key));
  if (found == arrays.end()) return {};
  return within(fmt::format("names of axes in `{}`", names_key), [&] {
    return parse_axis_names(parse_npy_text(allowance.unpack_array(found->second)));
  });
}

}  // namespace

Stores read_npz(const std::string& path, const ReadOptions& options) {
  const Bytes archive = contents(path);
  return within(path, [&] {
    std::map<std::string, Member> arrays = arrays_of(archive);
    Allowance allowance(options.inflated_bytes);
    const AxisNames names = read_names(arrays, allowance);
    arrays.erase(std::string(names_key));
    const auto present = std::views::keys(arrays);
    Stores stores;
    for (const std::string& name : selected({present.begin(), present.end()}, options)) {
      within(place_of(name), [&] {
        const Bytes bytes = allowance.unpack_array(arrays.at(name));
        Stored stored = parse_npy(bytes, parse_npy_header(bytes.view()));
        stored.source = fmt::format("{}: {}", path, place_of(name));
        name_axes(stored, names, name);
        stores.emplace(name, std::move(stored));
      });
    }
    return stores;
  });
}

void write_npz(const std::string& path, const Tensors& tensors) {
  require_writable(tensors, names_key);
  const std::string names = npy_of_text(to_json(names_of(tensors)));
  replace_file(path, [&](Sink& sink) {
    ZipWriter writer(sink);
    for (const auto& [name, tensor] : tensors) {
      const Array array = laid_out(tensor.array, tensor.order);
      writer.add(name + std::string(suffix),
                 npy_header(encoding_of(array.type()).npy, tensor.sizes()), bytes_of(array));
    }
    writer.add(fmt::format("{}{}", names_key, suffix), names, {});
    writer.finish();
  });
}

}  // namespace axial::files
