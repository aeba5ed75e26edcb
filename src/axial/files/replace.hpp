// Writing a file so that whoever looks sees the old one or the new one, never a part.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace axial::files {

/// Takes the bytes of a file one after another.
class Sink {
 public:
  /// Fails with file-access, for instance if the disk is full.
  void write(std::span<const std::byte> bytes);
  void write(std::string_view text);

  /// How many bytes have been written.
  std::int64_t position() const { return position_; }

 private:
  friend void replace_file(const std::string&, const std::function<void(Sink&)>&);
  Sink(int descriptor, const std::string& path) : descriptor_(descriptor), path_(path) {}

  int descriptor_;
  const std::string& path_;
  std::int64_t position_ = 0;
};

/// Makes what `fill` writes the contents of `path`. They go to a temporary name in the same folder
/// and to the disk, then take the place of the old file; if anything fails the old file stays, the
/// temporary one goes and the error passes on. Fails with file-access.
void replace_file(const std::string& path, const std::function<void(Sink&)>& fill);

}  // namespace axial::files
