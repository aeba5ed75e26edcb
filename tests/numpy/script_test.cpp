// The records are what record.py writes: it is run again, and NumPy still says the same.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "numpy/replay.hpp"

namespace axial::recorded {
namespace {

bool run_python(const std::string& arguments) {
  const std::string command = fmt::format("{} -B {}", AXIAL_PYTHON, arguments);
  return std::system(command.c_str()) == 0;  // NOLINT(concurrency-mt-unsafe)
}

/// A folder that is gone when the test ends.
class Folder {
 public:
  Folder() {
    std::string name = testing::TempDir() + "/recorded.XXXXXX";
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path_ = name;
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// Expects equal cases. NumPy may differ from machine to machine, but not beyond the accuracy.
void expect_same(const Case& kept, const Case& now) {
  SCOPED_TRACE(kept.operation + ": " + kept.title);
  EXPECT_EQ(kept.operation, now.operation);
  EXPECT_EQ(kept.title, now.title);
  EXPECT_EQ(kept.over, now.over);
  EXPECT_EQ(kept.parameters, now.parameters);
  EXPECT_EQ(kept.accuracy, now.accuracy);
  ASSERT_EQ(kept.inputs.size(), now.inputs.size());
  ASSERT_EQ(kept.outputs.size(), now.outputs.size());
  for (std::size_t k = 0; k < kept.inputs.size(); ++k) {
    EXPECT_TRUE(agrees(now.inputs[k], kept.inputs[k], {})) << "input " << k;
  }
  for (std::size_t k = 0; k < kept.outputs.size(); ++k) {
    EXPECT_TRUE(agrees(now.outputs[k], kept.outputs[k], kept.accuracy)) << "output " << k;
  }
}

TEST(script, writes_the_records_again) {
  if (!run_python("-c 'import numpy' 2> /dev/null")) GTEST_SKIP() << "NumPy is not installed";
  const Folder folder;
  ASSERT_TRUE(run_python(AXIAL_SOURCE_DIR "/tests/numpy/record.py " + folder.path()));
  ASSERT_EQ(records(folder.path()), records());
  for (const std::string& record : records()) {
    const std::vector<Case> kept = cases(record), now = cases(record, folder.path());
    ASSERT_EQ(kept.size(), now.size()) << record << ".json is not up to date: run record.py";
    for (std::size_t k = 0; k < kept.size(); ++k) expect_same(kept[k], now[k]);
  }
}

}  // namespace
}  // namespace axial::recorded
