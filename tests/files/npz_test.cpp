// What an .npz may say, and how its lies are met.
#include "axial/files/npz.hpp"

#include <gmock/gmock.h>

#include <cstdlib>

#include "files/support.hpp"

namespace axial::files {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

const Axis height{"height"}, width{"width"};

std::string npy(const std::string& shape, const std::string& elements) {
  return fake_npy("{'descr': '|u1', 'fortran_order': False, 'shape': " + shape + "}\n", elements);
}

Stores reading(const std::vector<FakeMember>& members, const ReadOptions& options = {}) {
  const Folder folder;
  put_bytes(folder / "x.npz", fake_zip(members));
  return read_npz(folder / "x.npz", options);
}

/// What reading these bytes as an .npz complains about, without the path.
std::string complaint_about(std::string_view bytes, const ReadOptions& options = {}) {
  const Folder folder;
  const std::string path = folder / "x.npz";
  put_bytes(path, bytes);
  std::string said = complaint([&] { read_npz(path, options); });
  if (const auto at = said.find(path + ": "); at != std::string::npos) {
    said.erase(at, path.size() + 2);
  }
  return said;
}

TEST(npz, reads_stored_deflated_and_wide_members) {
  FakeMember wide = stored_member("wide.npy", npy("(2,)", "\5\6"));
  wide.wide = true;
  const Stores stores = reading({stored_member("stored.npy", npy("(2,)", "\1\2")),
                                 deflated_member("deflated.npy", npy("(2,)", "\3\4")), wide,
                                 stored_member("folder/", "")});
  ASSERT_EQ(stores.size(), 3);
  EXPECT_THAT(values(named(stores.at("stored"), height), height), ElementsAre(1, 2));
  EXPECT_THAT(values(named(stores.at("deflated"), height), height), ElementsAre(3, 4));
  EXPECT_THAT(values(named(stores.at("wide"), height), height), ElementsAre(5, 6));
}

TEST(npz, is_found_before_a_comment) {
  const Folder folder;
  std::string zip = fake_zip({stored_member("a.npy", npy("(1,)", "\7"))});
  zip.replace(zip.size() - 2, 2, as_bytes(std::uint16_t{5})) += "hello";
  put_bytes(folder / "x.npz", zip);
  EXPECT_TRUE(read_npz(folder / "x.npz").contains("a"));
}

TEST(npz, names_axes_in_a_member_of_its_own) {
  const std::string names = R"({"W": ["height", "width"], "gone": ["width"]})";
  const std::string size = "(" + std::to_string(names.size()) + ",)";
  const Stores stores = reading({stored_member("W.npy", npy("(1, 2)", "\1\2")),
                                 stored_member("unnamed.npy", npy("(1,)", "\1")),
                                 stored_member("__axes__.npy", npy(size, names))});
  ASSERT_EQ(stores.size(), 2);
  EXPECT_EQ(named(stores.at("W")).shape(), (Shape{height[1], width[2]}));
  EXPECT_THAT(complaint([&] { named(stores.at("unnamed")); }),
              HasSubstr("x.npz: tensor `unnamed`: the file does not name the axes"));
}

TEST(npz, says_which_tensor_has_wrong_names) {
  const std::string names = R"({"W": ["height"]})";
  const std::string size = "(" + std::to_string(names.size()) + ",)";
  EXPECT_EQ(complaint_about(fake_zip({stored_member("W.npy", npy("(1, 2)", "\1\2")),
                                      stored_member("__axes__.npy", npy(size, names))})),
            "bad-file: tensor `W`: the tensor has 2 axes, but the file names 1: {height}\n  hint: "
            "the program that last wrote the file changed the tensor and kept the old names");
  EXPECT_THAT(complaint_about(fake_zip({stored_member("__axes__.npy", npy("(1, 1)", "{"))})),
              StartsWith("bad-file: names of axes in `__axes__`: it is not text"));
}

TEST(npz, holds_more_members_than_sixteen_bits_can_count) {
  const Folder folder;
  Tensors tensors;
  const Array one = patterned(boolean, Shape{});
  for (int i = 0; i < 66000; ++i) tensors.emplace(std::to_string(i), one);
  write_npz(folder / "x.npz", tensors);
  EXPECT_EQ(read_npz(folder / "x.npz").size(), 66000);
}

TEST(slow_npz, holds_tensors_beyond_four_gigabytes) {
  const Folder folder;
  const std::string path = folder / "x.npz";
  // Memory that nobody wrote to takes no room.
  const std::int64_t size = (std::int64_t{1} << 30) + 5;
  const std::shared_ptr<void> zeros(std::calloc(size, sizeof(float)), std::free);
  write_npz(path, {{"a", Array(float32, height[size], zeros)}, {"b", patterned(int32, width[5])}});
  const Stores stores = read_npz(path);
  EXPECT_EQ(named(stores.at("a")).volume(), size);
  EXPECT_EQ(values(named(stores.at("b")), width), values(patterned(int32, width[5]), width));
  const std::string command = std::string(AXIAL_PYTHON) + " -m zipfile --test " + path;
  EXPECT_EQ(std::system(command.c_str()), 0);  // NOLINT(concurrency-mt-unsafe)
}

TEST(npz, aligns_its_arrays_so_that_large_ones_are_mapped) {
  const Folder folder;
  const Array large = patterned(float64, height[1 << 18]);
  write_npz(folder / "x.npz", {{"a", large}, {"bcd", large}, {"e", large}});
  const Stores stores = read_npz(folder / "x.npz");
  const auto* first = static_cast<const std::byte*>(stores.at("a").block.get());
  const auto* second = static_cast<const std::byte*>(stores.at("bcd").block.get());
  EXPECT_GE(second - first, 1 << 21);
  EXPECT_LT(second - first, (1 << 21) + 1024) << "the tensors lie in one mapping";
}

TEST(npz, must_be_a_zip_archive) {
  EXPECT_EQ(complaint_about("no archive"),
            "bad-file: it does not end as a zip archive does\n"
            "  hint: the file was cut off or is of another format");
  EXPECT_EQ(complaint_about(fake_zip({stored_member("notes.txt", "text")})),
            "bad-file: its member `notes.txt` is not an array\n"
            "  hint: an .npz holds .npy files only");
}

TEST(npz, must_have_distinct_members_that_do_not_overlap) {
  const FakeMember member = stored_member("a.npy", npy("(1,)", "\1"));
  EXPECT_EQ(complaint_about(fake_zip({member, member})),
            "bad-file: two members are called `a.npy`");
  // Two entries of the directory point to the same local header.
  const FakeMember large = stored_member("a.npy", npy("(1000,)", std::string(1000, '\0')));
  std::string zip = fake_zip({large});
  const std::size_t directory = zip.find("PK\x01\x02"), end = zip.find("PK\x05\x06");
  const std::string entry = zip.substr(directory, end - directory);
  zip.replace(end + 8, 4, as_bytes(std::uint16_t{2}, std::uint16_t{2}));
  zip.replace(end + 12, 4, as_bytes(static_cast<std::uint32_t>(2 * entry.size())));
  zip.insert(end, entry);
  EXPECT_EQ(complaint_about(zip), "bad-file: the members of the zip archive overlap");
}

TEST(npz, must_not_be_encrypted_or_packed_otherwise) {
  FakeMember member = stored_member("a.npy", npy("(1,)", "\1"));
  member.method = 14;
  EXPECT_EQ(complaint_about(fake_zip({member})),
            "bad-file: member `a.npy`: it is packed by method 14; stored and deflated members are "
            "read\n  hint: write it with numpy.savez or numpy.savez_compressed");
  member.method = 0;
  member.flags = 1;
  EXPECT_THAT(complaint_about(fake_zip({member})), HasSubstr("it is encrypted"));
}

TEST(npz, checks_every_checksum) {
  for (auto* make : {stored_member, deflated_member}) {
    FakeMember member = make("a.npy", npy("(1,)", "\1"));
    member.checksum ^= 1;
    EXPECT_EQ(complaint_about(fake_zip({member})),
              "bad-file: tensor `a`: its bytes are damaged: the checksum differs");
  }
}

TEST(npz, must_not_claim_more_than_it_can_yield) {
  FakeMember member = deflated_member("a.npy", npy("(1,)", "\1"));
  member.wide = true;
  member.size = std::uint64_t{1} << 60;
  EXPECT_THAT(
      complaint_about(fake_zip({member})),
      StartsWith("bad-file: member `a.npy`: it claims 1152921504606846976 bytes, which its "));
  member.size = 20000;
  EXPECT_EQ(complaint_about(fake_zip({member})),
            "bad-file: tensor `a`: its shape and elements make 67 bytes, but the zip archive says "
            "20000");
  FakeMember lying = deflated_member("a.npy", npy("(1000,)", "\1"));
  lying.size = lying.size + 999;
  EXPECT_EQ(complaint_about(fake_zip({lying})),
            "bad-file: tensor `a`: it should inflate to 1069 bytes, but gives only 70");
  FakeMember damaged = deflated_member("a.npy", npy("(1,)", "\1"));
  damaged.packed[1] ^= 4;
  EXPECT_EQ(complaint_about(fake_zip({damaged})),
            "bad-file: tensor `a`: its deflated bytes are damaged");
}

TEST(npz, inflates_no_more_than_the_limit) {
  const std::string content = npy("(100,)", std::string(100, '\1'));
  const std::vector<FakeMember> members{deflated_member("a.npy", content),
                                        deflated_member("b.npy", content)};
  const auto bytes = static_cast<std::int64_t>(2 * content.size());
  EXPECT_EQ(reading(members, {.inflated_bytes = bytes}).size(), 2);
  EXPECT_EQ(complaint_about(fake_zip(members), {.inflated_bytes = bytes - 1}),
            "bad-file: tensor `b`: the tensors inflate to more than 335 bytes, the limit\n"
            "  hint: read fewer tensors at a time or raise the limit");
  EXPECT_EQ(reading(members, {.only = {"b"}, .inflated_bytes = bytes / 2}).size(), 1);
}

TEST(npz, reads_past_a_member_that_is_not_wanted) {
  const std::vector<FakeMember> members{
      stored_member("a.npy", npy("(1,)", "\1")),
      stored_member("text.npy",
                    fake_npy("{'descr':'<U1','fortran_order':False,'shape':(1,)}", "abcd"))};
  EXPECT_THAT(complaint_about(fake_zip(members)),
              StartsWith("element-type: tensor `text`: its elements have the NumPy type `<U1`"));
  EXPECT_TRUE(reading(members, {.only = {"a"}}).contains("a"));
}

}  // namespace
}  // namespace axial::files
