#include "axial/files/replace.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <filesystem>
#include <system_error>

#include "axial/base/error.hpp"
#include "axial/files/contents.hpp"
#include "axial/files/descriptor.hpp"

namespace axial::files {
namespace {

/// The file to replace: `path`, or what it links to. Fails with file-access if that exists and is
/// not a regular file, such as a device.
std::filesystem::path target_of(const std::string& path) {
  std::error_code failure;
  std::filesystem::path target = path;
  if (std::filesystem::is_symlink(path, failure)) {
    target = std::filesystem::weakly_canonical(path, failure);
    if (failure) fail_access("write", path, failure.value());
  }
  const auto status = std::filesystem::status(target, failure);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
    throw Error(code("file-access"), fmt::format("cannot write {}: it is not a regular file", path),
                "give the path of a file on disk");
  }
  return target;
}

/// A new file under a name of its own, removed at the end of its life unless it was renamed.
class Temporary {
 public:
  Temporary(const std::filesystem::path& folder, const std::string& wanted) {
    static std::atomic<std::uint64_t> counter{0};
    do {
      path_ = folder / fmt::format(".axial-{}-{}.tmp", ::getpid(), counter++);
      file_ = Descriptor(::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    } while (!file_ && errno == EEXIST);
    if (!file_) fail_access("write", wanted, errno);
  }
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;
  ~Temporary() {
    if (!path_.empty()) ::unlink(path_.c_str());
  }

  int descriptor() const { return file_.number(); }

  /// Brings the bytes to the disk and puts the file in the place of `target`.
  void settle(const std::filesystem::path& target, const std::string& wanted) {
    struct stat old{};
    if (::stat(target.c_str(), &old) == 0) {
      // Rights are kept where the system allows it; the owner of the file may be someone else.
      [[maybe_unused]] const int kept = ::fchmod(descriptor(), old.st_mode & 07777);
    }
    if (::fsync(descriptor()) != 0) fail_access("write", wanted, errno);
    if (!file_.close()) fail_access("write", wanted, errno);
    if (::rename(path_.c_str(), target.c_str()) != 0) fail_access("write", wanted, errno);
    path_.clear();
  }

 private:
  std::filesystem::path path_;
  Descriptor file_;
};

/// Brings the new name to the disk; the file is whole either way, so failure is no error.
void sync_folder(const std::filesystem::path& folder) {
  const Descriptor descriptor(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (descriptor) ::fsync(descriptor.number());
}

}  // namespace

void Sink::write(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor_, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) fail_access("write", path_, count < 0 ? errno : ENOSPC);
    bytes = bytes.subspan(static_cast<std::size_t>(count));
    position_ += count;
  }
}

void Sink::write(std::string_view text) { write(std::as_bytes(std::span(text))); }

void replace_file(const std::string& path, const std::function<void(Sink&)>& fill) {
  const std::filesystem::path target = target_of(path);
  const std::filesystem::path folder =
      target.has_parent_path() ? target.parent_path() : std::filesystem::path(".");
  Temporary temporary(folder, path);
  Sink sink(temporary.descriptor(), path);
  fill(sink);
  temporary.settle(target, path);
  sync_folder(folder);
}

}  // namespace axial::files
