// A file is replaced as a whole or stays as it was.
#include "axial/files/replace.hpp"

#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>

#include "axial/files/files.hpp"
#include "axial/files/npy.hpp"
#include "files/support.hpp"

namespace axial::files {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const Axis height{"height"};

/// While it lives, files cannot grow beyond `bytes`, as on a full disk.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) : old_handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &old_limit_);
    const rlimit limit{bytes, old_limit_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;
  ~FullDisk() {
    ::setrlimit(RLIMIT_FSIZE, &old_limit_);
    std::signal(SIGXFSZ, old_handler_);
  }

 private:
  rlimit old_limit_{};
  void (*old_handler_)(int);
};

TEST(replace_file, leaves_the_old_file_if_the_writer_fails) {
  const Folder folder;
  const std::string path = folder / "x.bin";
  put_bytes(path, "old");
  EXPECT_EQ(complaint([&] {
              replace_file(path, [&](Sink& sink) {
                sink.write("half of the new contents");
                EXPECT_EQ(bytes_in(path), "old");
                throw Error(code("bad-value"), "interrupted");
              });
            }),
            "bad-value: interrupted");
  EXPECT_EQ(bytes_in(path), "old");
  EXPECT_THAT(folder.files(), ElementsAre("x.bin"));
}

TEST(replace_file, replaces_the_whole_file) {
  const Folder folder;
  const std::string path = folder / "x.bin";
  put_bytes(path, "a longer text than the new one");
  replace_file(path, [](Sink& sink) { sink.write("new"); });
  EXPECT_EQ(bytes_in(path), "new");
  EXPECT_THAT(folder.files(), ElementsAre("x.bin"));
}

TEST(replace_file, says_why_a_full_disk_refuses_and_cleans_up) {
  const Folder folder;
  for (const std::string ending : {".npy", ".npz", ".safetensors"}) {
    const std::string path = folder / ("x" + ending);
    write(path, {{"W", patterned(float32, height[10])}});
    const std::string old = bytes_in(path);
    const std::string said = [&] {
      const FullDisk full(1000);
      return complaint([&] { write(path, {{"W", patterned(float32, height[1000])}}); });
    }();
    EXPECT_EQ(said, "file-access: cannot write " + path + ": File too large");
    EXPECT_EQ(bytes_in(path), old);
  }
  EXPECT_THAT(folder.files(), ElementsAre("x.npy", "x.npz", "x.safetensors"));
}

TEST(replace_file, names_the_folder_that_is_missing) {
  const Folder folder;
  const std::string path = folder / "absent/x.npy";
  EXPECT_EQ(complaint([&] { write_npy(path, patterned(float32, height[2])); }),
            "file-access: cannot write " + path + ": No such file or directory");
}

TEST(replace_file, refuses_devices_and_folders) {
  const Folder folder;
  const auto fill = [](Sink& sink) { sink.write("text"); };
  EXPECT_EQ(complaint([&] { replace_file("/dev/null", fill); }),
            "file-access: cannot write /dev/null: it is not a regular file\n"
            "  hint: give the path of a file on disk");
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
  EXPECT_THAT(complaint([&] { replace_file(folder.path(), fill); }),
              HasSubstr("it is not a regular file"));
}

TEST(replace_file, follows_links_and_keeps_rights) {
  const Folder folder;
  put_bytes(folder / "target.bin", "old");
  ::chmod((folder / "target.bin").c_str(), 0640);
  std::filesystem::create_symlink("target.bin", folder / "link.bin");
  replace_file(folder / "link.bin", [](Sink& sink) { sink.write("new"); });
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link.bin"));
  EXPECT_EQ(bytes_in(folder / "target.bin"), "new");
  struct stat status{};
  ::stat((folder / "target.bin").c_str(), &status);
  EXPECT_EQ(status.st_mode & 07777, 0640);
}

TEST(replace_file, does_not_disturb_tensors_that_map_the_old_one) {
  const Folder folder;
  const std::string path = folder / "x.safetensors";
  const std::int64_t size = 1 << 20;
  write(path, {{"W", patterned(float32, height[size])}});
  const Array mapped = named(read(path).at("W"));
  write(path, {{"W", build<float>(height[1], [](float* out) { *out = 7; })}});
  EXPECT_EQ(mapped.real(size - 1), static_cast<float>(pattern(float32, size - 1)));
  EXPECT_EQ(named(read(path).at("W")).real(0), 7);
  write(path, {{"W", mapped}});
  EXPECT_EQ(named(read(path).at("W")).volume(), size);
}

}  // namespace
}  // namespace axial::files
