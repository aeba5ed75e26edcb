#include "files/support.hpp"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <sstream>

namespace axial::files {

Folder::Folder() {
  std::string name = (std::filesystem::temp_directory_path() / "axial-files-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
  path_ = name;
}

Folder::~Folder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::vector<std::string> Folder::files() const {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(path_)) {
    names.push_back(entry.path().filename().string());
  }
  std::ranges::sort(names);
  return names;
}

double pattern(ElementType type, std::int64_t k) {
  if (type == boolean) return k % 3 == 0 ? 1 : 0;
  const auto value = static_cast<double>(5 * k - 3);
  return is_real(type) ? value / 4 : value;
}

Array patterned(ElementType type, const Shape& shape) {
  return build(type, shape, [&]<class T>(T* out) {
    for (std::int64_t k = 0; k < shape.volume(); ++k) out[k] = static_cast<T>(pattern(type, k));
  });
}

std::vector<double> values(const Array& array, const Axes& axes) {
  const Array ordered = laid_out(array, axes);
  std::vector<double> result;
  for (std::int64_t k = 0; k < ordered.volume(); ++k) result.push_back(ordered.real(k));
  return result;
}

std::string bytes_in(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

void put_bytes(const std::string& path, std::string_view bytes) {
  std::filesystem::remove(path);  // some file systems flush a file that is truncated to the disk
  std::ofstream(path, std::ios::binary).write(bytes.data(), std::ssize(bytes));
}

std::string complaint(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return std::string(error.code().name) + ": " + error.what();
  }
  return "no error";
}

namespace {

std::uint32_t crc32(std::string_view bytes) {
  std::uint32_t sum = 0xFFFFFFFF;
  for (const char byte : bytes) {
    sum ^= static_cast<unsigned char>(byte);
    for (int bit = 0; bit < 8; ++bit) sum = (sum >> 1) ^ ((sum & 1) != 0 ? 0xEDB88320 : 0);
  }
  return ~sum;
}

/// The sizes as a local header and a directory entry give them.
std::string sizes_of(const FakeMember& member) {
  if (member.wide) return as_bytes(~std::uint64_t{0});
  return as_bytes(static_cast<std::uint32_t>(member.packed.size())) +
         as_bytes(static_cast<std::uint32_t>(member.size));
}

}  // namespace

FakeMember stored_member(const std::string& name, const std::string& content) {
  return {name, content, content.size(), crc32(content)};
}

FakeMember deflated_member(const std::string& name, const std::string& content) {
  // A deflated stream may consist of one block that is not compressed.
  const auto length = static_cast<std::uint16_t>(content.size());
  const auto inverse = static_cast<std::uint16_t>(~length);
  return {name, "\x01" + as_bytes(length) + as_bytes(inverse) + content, content.size(),
          crc32(content), 8};
}

std::string fake_zip(const std::vector<FakeMember>& members) {
  using Short = std::uint16_t;
  std::string zip, directory;
  for (const FakeMember& member : members) {
    const auto offset = zip.size();
    const std::string wide =
        member.wide
            ? as_bytes(Short{1}) + as_bytes(Short{24}) + as_bytes(member.size) +
                  as_bytes(std::uint64_t{member.packed.size()}) + as_bytes(std::uint64_t{offset})
            : std::string();
    const std::string common = as_bytes(Short{20}) + as_bytes(member.flags) +
                               as_bytes(member.method) + as_bytes(std::uint32_t{0}) +
                               as_bytes(member.checksum) + sizes_of(member) +
                               as_bytes(static_cast<Short>(member.name.size()));
    const auto narrow_offset = static_cast<std::uint32_t>(member.wide ? 0xFFFFFFFF : offset);
    zip += "PK\x03\x04" + common + as_bytes(Short{0}) + member.name + member.packed;
    directory += "PK\x01\x02" + as_bytes(Short{20}) + common +
                 as_bytes(static_cast<Short>(wide.size())) + std::string(10, '\0') +
                 as_bytes(narrow_offset) + member.name + wide;
  }
  const auto count = static_cast<Short>(members.size());
  return zip + directory + "PK\x05\x06" + as_bytes(std::uint32_t{0}) + as_bytes(count) +
         as_bytes(count) + as_bytes(static_cast<std::uint32_t>(directory.size())) +
         as_bytes(static_cast<std::uint32_t>(zip.size())) + as_bytes(Short{0});
}

std::string fake_npy(std::string_view dictionary, std::string_view elements, char version) {
  std::string text = "\x93NUMPY";
  text += version;
  text += '\0';
  text += version == 1 ? as_bytes(static_cast<std::uint16_t>(dictionary.size()))
                       : as_bytes(static_cast<std::uint32_t>(dictionary.size()));
  return text.append(dictionary).append(elements);
}

std::string fake_safetensors(std::string_view header, std::string_view elements) {
  return as_bytes(std::uint64_t{header.size()}).append(header).append(elements);
}

}  // namespace axial::files
