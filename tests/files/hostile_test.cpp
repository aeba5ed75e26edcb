// Files cut off, with a byte changed or with random damage are read or refused; nothing else.
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

#include "axial/files/files.hpp"
#include "files/support.hpp"

namespace axial::files {
namespace {

const Axis height{"height"}, width{"width"};

/// Reads the file and uses every element, so that sanitizers see a wrong block; false if the file
/// is refused.
bool is_readable(const std::string& path) {
  try {
    [[maybe_unused]] volatile double used = 0;
    for (const auto& [name, stored] : read(path)) {
      std::vector<Axis> axes;
      for (std::size_t i = 0; i < stored.sizes.size(); ++i) {
        axes.emplace_back("a" + std::to_string(i));
      }
      const Array array = stored.axes ? named(stored) : named(stored, Axes(axes));
      for (std::int64_t i = 0; i < array.volume(); ++i) used = array.real(i);
    }
    return true;
  } catch (const Error& error) {
    EXPECT_TRUE(error.code().name == "bad-file" || error.code().name == "element-type")
        << error.code().name << ": " << error.what();
    EXPECT_NE(error.message().find(path), std::string::npos) << error.what();
    return false;
  }
}

/// A small file of each format, with every kind of element that needs care.
std::vector<std::pair<std::string, std::string>> specimens(const Folder& folder) {
  const Tensors tensors{{"W", patterned(float32, Shape{height[2], width[3]})},
                        {"mask", patterned(boolean, height[3])},
                        {"count", patterned(int64, Shape{})}};
  write(folder / "a.npz", tensors);
  write(folder / "b.safetensors", tensors);
  write(folder / "c.npy", {{"", tensors.at("W")}});
  const std::string npy = bytes_in(folder / "c.npy");
  const std::string half = fake_npy("{'descr':'>f2','fortran_order':True,'shape':(1,2)}", "abcd");
  return {{"a.npz", bytes_in(folder / "a.npz")},
          {"b.safetensors", bytes_in(folder / "b.safetensors")},
          {"c.npy", npy},
          {"d.npz", fake_zip({deflated_member("half.npy", half), stored_member("W.npy", half)})}};
}

class Damage : public ::testing::TestWithParam<int> {
 protected:
  void SetUp() override { std::tie(name_, whole_) = specimens(folder_)[GetParam()]; }
  bool survives(std::string_view bytes) {
    put_bytes(folder_ / name_, bytes);
    return is_readable(folder_ / name_);
  }

  Folder folder_;
  std::string name_;
  std::string whole_;
};

TEST_P(Damage, of_the_end_is_noticed_at_every_length) {
  // Without the names that follow its elements, an .npy is the bare array.
  const std::size_t bare = name_.ends_with(".npy") ? 128 + 6 * sizeof(float) : 0;
  for (std::size_t length = 0; length < whole_.size(); ++length) {
    EXPECT_EQ(survives(std::string_view(whole_).substr(0, length)), length > 0 && length == bare)
        << length;
  }
}

TEST_P(Damage, of_any_single_byte_does_no_harm) {
  for (std::size_t position = 0; position < whole_.size(); ++position) {
    for (const int flip : {1, 2, 4, 8, 16, 32, 64, 128, 255}) {
      SCOPED_TRACE(position);
      std::string bytes = whole_;
      bytes[position] = static_cast<char>(bytes[position] ^ flip);
      survives(bytes);
    }
  }
}

TEST_P(Damage, at_random_does_no_harm) {
  const char* chosen = std::getenv("AXIAL_TEST_SEED");
  const auto seed = chosen != nullptr ? std::strtoul(chosen, nullptr, 10) : 20220101;
  SCOPED_TRACE("reproduce with AXIAL_TEST_SEED=" + std::to_string(seed));
  std::mt19937_64 random(seed);
  const auto below = [&](std::size_t limit) { return random() % limit; };
  using namespace std::literals;
  constexpr auto telling = "\0\xFF\x7F\x80-019{}[](),:'\"PK"sv;
  for (int round = 0; round < 2000; ++round) {
    std::string bytes = whole_;
    for (std::size_t change = 0; change <= below(4) && !bytes.empty(); ++change) {
      const std::size_t position = below(bytes.size());
      switch (below(4)) {
        case 0: bytes[position] = telling[below(telling.size())]; break;
        case 1: bytes.insert(position, 1, telling[below(telling.size())]); break;
        case 2: bytes.erase(position, 1 + below(8)); break;
        default: bytes.insert(position, bytes.substr(below(bytes.size()), 1 + below(64))); break;
      }
    }
    survives(bytes);
  }
}

INSTANTIATE_TEST_SUITE_P(each_format, Damage, ::testing::Range(0, 4));

}  // namespace
}  // namespace axial::files
