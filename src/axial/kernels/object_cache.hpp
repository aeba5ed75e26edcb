// Compiled objects on disk, shared by processes. A file that is not whole is as good as absent.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace axial::kernels {

/// A name of 32 letters and digits for a text, the same in every process.
std::string fingerprint(std::string_view text);

/// A folder of objects, each found by the text that it was generated from.
class ObjectCache {
 public:
  /// With an empty path nothing is kept.
  explicit ObjectCache(std::filesystem::path folder);

  /// The object kept for `key`, if its file is there and undamaged.
  std::optional<std::string> find(std::string_view key) const;
  /// Keeps an object. Failing to write is not an error: it will be generated again.
  void keep(std::string_view key, std::string_view object) const;

 private:
  std::filesystem::path file_of(std::string_view key) const;

  std::filesystem::path folder_;
};

}  // namespace axial::kernels
