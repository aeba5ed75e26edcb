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
  std::ofstream(path, std::ios::binary) << bytes;
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

}  // namespace

FakeMember stored_member(const std::string& name, const std::string& content) {
  return {name, content, content.size(), crc32(content)};
}

FakeMember deflated_member(const std::string& name, const std::string& content) {
  // A deflated stream may consist of one block that is not compressed.
  const auto length = static_cast<std::uint16_t>(content.size());
  const auto inverse = static_cast<std::uint16_t>(~length);
  return {name, as_bytes("\x01", length, inverse, content), content.size(), crc32(content), 8};
}

std::string fake_zip(const std::vector<FakeMember>& members) {
  using Short = std::uint16_t;
  using Word = std::uint32_t;
  using Wide = std::uint64_t;
  std::string zip, directory;
  for (const FakeMember& member : members) {
    const Wide offset = zip.size(), packed = member.packed.size();
    const std::string wide =
        member.wide ? as_bytes(Short{1}, Short{24}, member.size, packed, offset) : std::string();
    const auto narrow = [&](Wide number) {
      return static_cast<Word>(member.wide ? ~Wide{0} : number);
    };
    const std::string common =
        as_bytes(Short{20}, member.flags, member.method, Word{0}, member.checksum, narrow(packed),
                 narrow(member.size), static_cast<Short>(member.name.size()));
    zip += as_bytes("PK\x03\x04", common, Short{0}, member.name, member.packed);
    directory += as_bytes("PK\x01\x02", Short{20}, common, static_cast<Short>(wide.size()),
                          std::string(10, '\0'), narrow(offset), member.name, wide);
  }
  const auto count = static_cast<Short>(members.size());
  return as_bytes(zip, directory, "PK\x05\x06", Word{0}, count, count,
                  static_cast<Word>(directory.size()), static_cast<Word>(zip.size()), Short{0});
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
