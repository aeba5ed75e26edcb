// Files go back and forth between NumPy and Axial; numpy_files.py is the other side.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdlib>

#include "axial/files/files.hpp"
#include "axial/files/npy.hpp"
#include "files/support.hpp"

namespace axial::files {
namespace {

const Axis row{"row"}, column{"column"}, depth{"depth"};

/// Runs the script and says whether it was content.
bool run_script(const std::string& arguments) {
  const std::string command = std::string(AXIAL_PYTHON) + " " + AXIAL_SOURCE_DIR +
                              "/tests/files/numpy_files.py " + arguments;
  return std::system(command.c_str()) == 0;  // NOLINT(concurrency-mt-unsafe)
}

class Numpy : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!run_script("present")) GTEST_SKIP() << "NumPy is not installed";
  }
  Folder folder_;
};

struct NumpyType {
  std::string name;
  ElementType type;
};

const std::vector<NumpyType> numpy_types{
    {"float16", float32}, {"float32", float32}, {"float64", float64}, {"int8", int32},
    {"int16", int32},     {"int32", int32},     {"int64", int64},     {"uint8", int32},
    {"uint16", int32},    {"uint32", int64},    {"uint64", int64},    {"bool", boolean}};

/// The pattern as NumPy computes it for unsigned types, which cannot hold its negative numbers.
double numpy_pattern(const NumpyType& numpy, std::int64_t k) {
  return numpy.name.starts_with("u") ? static_cast<double>(11 * k) : pattern(numpy.type, k);
}

void expect_pattern(const Stored& stored, const NumpyType& numpy, const Axes& axes) {
  const Array array = named(stored, axes);
  EXPECT_EQ(array.type(), numpy.type);
  std::vector<double> expected;
  for (std::int64_t k = 0; k < array.volume(); ++k) expected.push_back(numpy_pattern(numpy, k));
  EXPECT_EQ(values(array, axes), expected);
}

TEST_F(Numpy, files_in_all_types_orders_and_byte_orders_are_read) {
  ASSERT_TRUE(run_script("write " + folder_.path()));
  for (const NumpyType& numpy : numpy_types) {
    for (const std::string byte_order : {"little", "big"}) {
      SCOPED_TRACE(numpy.name + " " + byte_order);
      const std::string stem = folder_ / (numpy.name + "-" + byte_order);
      expect_pattern(read_npy(stem + "-c.npy"), numpy, {row, column, depth});
      expect_pattern(read_npy(stem + "-fortran.npy"), numpy, {row, column, depth});
      expect_pattern(read_npy(stem + "-scalar.npy"), numpy, {});
      expect_pattern(read_npy(stem + "-empty.npy"), numpy, {row, column});
    }
  }
  for (const std::string version : {"1", "2", "3"}) {
    expect_pattern(read_npy(folder_ / ("version" + version + ".npy")), {"float64", float64}, row);
  }
}

TEST_F(Numpy, archives_are_read_stored_and_compressed) {
  ASSERT_TRUE(run_script("write " + folder_.path()));
  for (const std::string name : {"stored.npz", "compressed.npz"}) {
    const Stores stores = read(folder_ / name);
    EXPECT_EQ(stores.size(), numpy_types.size() + 1);
    for (const NumpyType& numpy : numpy_types) {
      SCOPED_TRACE(name + " " + numpy.name);
      expect_pattern(stores.at(numpy.name), numpy, {row, column, depth});
    }
    expect_pattern(stores.at("large"), {"float64", float64}, row);
  }
}

TEST_F(Numpy, halves_become_the_same_floats) {
  ASSERT_TRUE(run_script("write " + folder_.path()));
  const Array halves = named(read_npy(folder_ / "halves.npy"), row);
  const Array singles = named(read_npy(folder_ / "singles.npy"), row);
  ASSERT_EQ(halves.volume(), 65536);
  for (std::int64_t i = 0; i < halves.volume(); ++i) {
    const float half = halves.elements<float>()[i], single = singles.elements<float>()[i];
    const bool same = std::bit_cast<std::uint32_t>(half) == std::bit_cast<std::uint32_t>(single);
    EXPECT_TRUE(same || (std::isnan(half) && std::isnan(single))) << i;
  }
}

TEST_F(Numpy, opens_what_is_written_here) {
  Tensors tensors;
  const Axes order{row, column, depth};
  for (const ElementFacts& element : element_facts) {
    const std::string name(element.name);
    const Ordered cube(patterned(element.type, Shape{row[2], column[3], depth[4]}), order);
    const Ordered scalar(patterned(element.type, Shape{}));
    const Ordered empty(patterned(element.type, Shape{row[0], column[3]}), {row, column});
    tensors.insert({{name, cube}, {name + "-scalar", scalar}, {name + "-empty", empty}});
  }
  for (const auto& [name, tensor] : tensors) {
    write_npy(folder_ / (name + ".npy"), tensor);
    write_npy(folder_ / (name + "-bare.npy"), tensor, {.names = false});
  }
  write(folder_ / "all.npz", tensors);
  write(folder_ / "all.safetensors", tensors);
  EXPECT_TRUE(run_script("check " + folder_.path()));
}

TEST_F(Numpy, keeps_the_names_of_an_archive_that_it_saves_again) {
  write(folder_ / "x.npz", {{"W", patterned(float32, Shape{row[2], column[3]})}});
  ASSERT_TRUE(run_script("resave " + (folder_ / "x.npz")));
  EXPECT_EQ(named(read(folder_ / "x.npz").at("W")).shape(), (Shape{row[2], column[3]}));
}

TEST_F(Numpy, types_that_cannot_be_read_are_named) {
  ASSERT_TRUE(run_script("write " + folder_.path()));
  for (const std::string name : {"complex", "text", "object", "record", "date", "void"}) {
    const std::string said = complaint([&] { read_npy(folder_ / (name + ".npy")); });
    EXPECT_TRUE(said.starts_with("element-type: ")) << said;
  }
}

}  // namespace
}  // namespace axial::files
