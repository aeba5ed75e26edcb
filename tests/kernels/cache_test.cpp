#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "axial/kernels/compiler.hpp"
#include "axial/kernels/object_cache.hpp"

namespace axial::kernels {
namespace {

namespace fs = std::filesystem;
using Kind = Operation::Kind;

/// A folder of its own for each test, gone afterwards.
class Folder {
 public:
  Folder() {
    path = fs::path(::testing::TempDir()) /
           ("axial_cache_" +
            std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()));
    fs::remove_all(path);
  }
  ~Folder() { fs::remove_all(path); }
  fs::path path;
};

std::string contents(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(object_cache, gives_back_what_it_kept) {
  const Folder folder;
  const ObjectCache cache(folder.path);
  EXPECT_FALSE(cache.find("key"));
  cache.keep("key", std::string("ob\0ject", 7));
  EXPECT_EQ(cache.find("key"), std::string("ob\0ject", 7));
  EXPECT_FALSE(cache.find("other key"));
}

TEST(object_cache, takes_damaged_files_for_absent) {
  const Folder folder;
  const ObjectCache cache(folder.path);
  cache.keep("key", "a long enough object");
  const fs::path file = fs::directory_iterator(folder.path)->path();
  const std::string whole = contents(file);
  for (std::size_t length = 0; length < whole.size(); ++length) {
    std::ofstream(file, std::ios::binary) << whole.substr(0, length);
    EXPECT_FALSE(cache.find("key")) << length;
    std::string changed = whole;
    changed[length] = static_cast<char>(changed[length] ^ 1);
    std::ofstream(file, std::ios::binary) << changed;
    EXPECT_FALSE(cache.find("key")) << length;
  }
  std::ofstream(file, std::ios::binary) << whole;
  EXPECT_TRUE(cache.find("key"));
}

TEST(object_cache, does_without_a_folder_that_cannot_be_written) {
  const ObjectCache cache("/proc/axial");
  cache.keep("key", "object");
  EXPECT_FALSE(cache.find("key"));
}

/// y = x + x on `count` elements.
Nest doubling(std::int64_t count) {
  return {.outer = {count},
          .row = {},
          .streams = {{float32, {1}}, {float32, {1}}},
          .operations = {{.kind = Kind::load, .stream = 0},
                         {.kind = Kind::map, .operands = {0, 0}, .word = &word("add")},
                         {.kind = Kind::store, .operands = {1}, .stream = 1}}};
}

float doubled(const MachineCode& code) {
  float x[5] = {1, 2, 3, 4, 5}, y[5] = {};
  void* streams[] = {x, y};
  code.function(streams, 0, code.rows, 0, code.lanes);
  return y[4];
}

TEST(compiler, finds_its_code_again_and_rebuilds_what_is_damaged) {
  if (!Compiler::is_available()) GTEST_SKIP();
  const Folder folder;
  const Nest nest = doubling(5);
  EXPECT_EQ(doubled(Compiler(folder.path).compile({&nest, 1})[0]), 10);
  const fs::path file = fs::directory_iterator(folder.path)->path();
  const auto written = fs::last_write_time(file);
  EXPECT_EQ(doubled(Compiler(folder.path).compile({&nest, 1})[0]), 10);
  EXPECT_EQ(fs::last_write_time(file), written);
  const std::string whole = contents(file);
  std::ofstream(file, std::ios::binary) << whole.substr(0, whole.size() / 2);
  EXPECT_EQ(doubled(Compiler(folder.path).compile({&nest, 1})[0]), 10);
  EXPECT_EQ(contents(file), whole);
}

}  // namespace
}  // namespace axial::kernels
