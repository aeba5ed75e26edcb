// What the tests of this room share: a folder of their own, tensors to write, files as bytes, and
// zip archives that lie.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "axial/files/store.hpp"

namespace axial::files {

/// A folder that lasts as long as the test.
class Folder {
 public:
  Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder();

  /// The path of a file in the folder.
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }
  std::string path() const { return path_.string(); }
  /// The names of the files in the folder, hidden ones too.
  std::vector<std::string> files() const;

 private:
  std::filesystem::path path_;
};

/// The value that the tests give to element number `k`; the NumPy script has the same formula.
double pattern(ElementType type, std::int64_t k);

/// A tensor whose elements follow the pattern in the written order of the shape.
Array patterned(ElementType type, const Shape& shape);

/// The elements in the order of `axes`.
std::vector<double> values(const Array& array, const Axes& axes);

std::string bytes_in(const std::string& path);
void put_bytes(const std::string& path, std::string_view bytes);

/// What the Error that `action` throws says, opened by its code; "no error" if there is none.
std::string complaint(const std::function<void()>& action);

/// Numbers, lowest byte first, and texts, one after another.
std::string as_bytes(const auto&... fields) {
  std::string text;
  const auto append = [&](const auto& field) {
    if constexpr (std::is_arithmetic_v<std::remove_cvref_t<decltype(field)>>) {
      text.append(reinterpret_cast<const char*>(&field), sizeof field);
    } else {
      text += field;
    }
  };
  (append(fields), ...);
  return text;
}

/// One member of a zip archive, with claims that need not be true.
struct FakeMember {
  std::string name;
  std::string packed;
  std::uint64_t size;
  std::uint32_t checksum;
  std::uint16_t method = 0;
  std::uint16_t flags = 0;
  bool wide = false;  ///< Use the 64-bit extension.
};

/// A stored member and a deflated one that tell the truth.
FakeMember stored_member(const std::string& name, const std::string& content);
FakeMember deflated_member(const std::string& name, const std::string& content);

/// The archive of these members.
std::string fake_zip(const std::vector<FakeMember>& members);

/// An npy file: this dictionary, these elements.
std::string fake_npy(std::string_view dictionary, std::string_view elements, char version = 1);

/// A safetensors file: this header, these elements.
std::string fake_safetensors(std::string_view header, std::string_view elements);

}  // namespace axial::files
