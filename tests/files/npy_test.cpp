// What an .npy may say, and how its lies are met.
#include "axial/files/npy.hpp"

#include <gmock/gmock.h>

#include "files/support.hpp"

namespace axial::files {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

const Axis height{"height"}, width{"width"};
const std::string six_floats(24, '\0');

/// What reading these bytes as an .npy complains about, without the path.
std::string complaint_about(std::string_view bytes) {
  const Folder folder;
  const std::string path = folder / "x.npy";
  put_bytes(path, bytes);
  std::string said = complaint([&] { read_npy(path); });
  if (const auto at = said.find(path + ": "); at != std::string::npos) {
    said.erase(at, path.size() + 2);
  }
  return said;
}

Stored reading(std::string_view bytes) {
  const Folder folder;
  put_bytes(folder / "x.npy", bytes);
  return read_npy(folder / "x.npy");
}

std::string dictionary(std::string_view descr, std::string_view shape) {
  return "{'descr': " + std::string(descr) +
         ", 'fortran_order': False, 'shape': " + std::string(shape) + "}\n";
}

TEST(npy, is_read_in_all_versions_and_spellings) {
  for (const char version : {'\1', '\2', '\3'}) {
    EXPECT_THAT(reading(fake_npy(dictionary("'<f4'", "(2, 3)"), six_floats, version)).sizes,
                ElementsAre(2, 3));
  }
  EXPECT_THAT(
      reading(fake_npy("{\"shape\":(2L,3L,),\"descr\":\"f4\",\"fortran_order\":True,}", six_floats))
          .sizes,
      ElementsAre(2, 3));
}

TEST(npy, ends_with_the_names_of_its_axes) {
  const Folder folder;
  const Array array = patterned(float32, Shape{height[2], width[3]});
  write_npy(folder / "x.npy", array);
  EXPECT_THAT(bytes_in(folder / "x.npy"), ::testing::EndsWith(R"({"":["height","width"]})"));
  write_npy(folder / "bare.npy", array, {.names = false});
  EXPECT_EQ(bytes_in(folder / "bare.npy").size(), 128 + 24);
  EXPECT_FALSE(read_npy(folder / "bare.npy").axes.has_value());
}

TEST(npy, needs_its_magic_string_and_a_known_version) {
  EXPECT_EQ(complaint_about("PK\x03\x04 is a zip"),
            "bad-file: it begins with `PK\\u0003\\u0004 i`, not with the magic string of npy");
  EXPECT_THAT(complaint_about(""), StartsWith("bad-file: it begins with ``"));
  EXPECT_EQ(complaint_about("\x93NUMPY\x01"), "bad-file: it breaks off after 7 bytes");
  EXPECT_EQ(complaint_about(fake_npy("{}", "", '\x09')),
            "bad-file: it has npy version 9.0; versions 1.0, 2.0 and 3.0 are read");
}

TEST(npy, may_not_lie_about_its_header) {
  EXPECT_EQ(complaint_about(std::string("\x93NUMPY\x01\x00\xFF\x7F{}", 12)),
            "bad-file: its header should have 32777 bytes, but only 12 are there");
  EXPECT_EQ(complaint_about(std::string("\x93NUMPY\x02\x00\xFF\xFF\xFF\xFF{}", 14)),
            "bad-file: its header has 4294967307 bytes; the limit is 65536");
}

TEST(npy, needs_its_three_keys_once_each) {
  EXPECT_EQ(complaint_about(fake_npy("{'descr': '<f4', 'shape': ()}", six_floats)),
            "bad-file: its header lacks one of `descr`, `fortran_order` and `shape`");
  EXPECT_EQ(complaint_about(fake_npy("{'descr': '<f4', 'descr': '<f4'}", six_floats)),
            "bad-file: its header has the key `descr` twice");
  EXPECT_EQ(complaint_about(fake_npy("{'axes': 1}", six_floats)),
            "bad-file: its header has the unknown key `axes`");
}

TEST(npy, needs_a_well_formed_dictionary) {
  EXPECT_EQ(complaint_about(fake_npy("[]", "")),
            "bad-file: its header has `[]` where `{` is expected");
  EXPECT_EQ(complaint_about(fake_npy("{'descr", "")),
            "bad-file: its header has `descr` where the end of a text is expected");
  EXPECT_EQ(complaint_about(fake_npy("{'fortran_order': Maybe}", "")),
            "bad-file: its header has `Maybe}` where True or False is expected");
  EXPECT_EQ(complaint_about(fake_npy(dictionary("'<f4'", "(6)"), six_floats)),
            "bad-file: its header has `)}\\n` where `,` is expected");
  EXPECT_EQ(complaint_about(fake_npy(dictionary("'<f4'", "(6,)") + "}", six_floats)),
            "bad-file: its header has `}` where its end is expected");
  EXPECT_THAT(complaint_about(fake_npy(dictionary("[[[[[[", "(6,)"), six_floats)),
              HasSubstr("where a type of elements is expected"));
}

TEST(npy, needs_possible_sizes) {
  EXPECT_EQ(complaint_about(fake_npy(dictionary("'<f4'", "(-2, 3)"), six_floats)),
            "bad-file: an axis has the size -2; sizes are 0 or more");
  const auto too_many = "bad-file: the product of the sizes of the axes is more than 2^59";
  EXPECT_EQ(complaint_about(fake_npy(dictionary("'<f4'", "(4294967296, 4294967296)"), "")),
            too_many);
  EXPECT_EQ(complaint_about(
                fake_npy(dictionary("'<f4'", "(0, 4611686018427387904, 4611686018427387904)"), "")),
            too_many);
  EXPECT_THAT(complaint_about(fake_npy(dictionary("'<f4'", "(99999999999999999999,)"), "")),
              HasSubstr("where a number that int64 can hold is expected"));
  std::string ones = "(";
  for (int i = 0; i < 1001; ++i) ones += "1,";
  EXPECT_THAT(complaint_about(fake_npy(dictionary("'<f4'", ones + ")"), "")),
              HasSubstr("where at most 1000 sizes is expected"));
}

TEST(npy, needs_all_of_its_elements_and_nothing_else) {
  EXPECT_EQ(complaint_about(fake_npy(dictionary("'<f4'", "(2, 4)"), six_floats)),
            "bad-file: the shape (2, 4) of elements `f4` takes 32 bytes, but only 24 are there\n"
            "  hint: the file was cut off; copy or write it again");
  EXPECT_EQ(complaint_about(fake_npy(dictionary("'<f4'", "(2, 2)"), six_floats)),
            "bad-file: after the elements come 8 bytes that are no names of axes: it begins with "
            "`\\u0000\\u0000\\u0000\\u0000\\u0000\\u0000`, not with the magic string of npy\n"
            "  hint: a file with several arrays is an .npz");
}

TEST(npy, names_the_elements_that_it_cannot_hold) {
  for (const std::string type : {"<c16", "|S5", "<U7", "|O", "<M8[ns]", "|V2", "<f16", "|f4"}) {
    EXPECT_THAT(complaint_about(fake_npy(dictionary("'" + type + "'", "(2,)"), six_floats)),
                StartsWith("element-type: its elements have the NumPy type `" + type +
                           "`, which cannot be read\n  hint: convert it in NumPy"));
  }
  EXPECT_THAT(
      complaint_about(fake_npy(dictionary("[('x', '<f4'), ('y', '<i4', (2,))]", "(2,)"), "")),
      StartsWith("element-type: its elements have the NumPy type `[('x', '<f4'), "));
}

TEST(npy, reads_any_byte_but_zero_as_true) {
  const Array array =
      named(reading(fake_npy(dictionary("'|b1'", "(4,)"), {"\0\1\2\xFF", 4})), height);
  EXPECT_THAT(values(array, height), ElementsAre(0, 1, 1, 1));
  for (std::int64_t i = 0; i < 4; ++i) EXPECT_LE(std::to_integer<int>(array.bytes()[i]), 1);
}

TEST(npy, refuses_unsigned_numbers_that_are_too_large) {
  EXPECT_EQ(complaint_about(fake_npy(dictionary("'<u8'", "(1,)"), std::string(8, '\xFF'))),
            "bad-file: an element is 18446744073709551615, which is more than int64 can hold\n"
            "  hint: save the tensor as int64 or as a floating-point type");
}

TEST(npy, rejects_names_that_are_none) {
  const std::string array = fake_npy(dictionary("'<f4'", "(2, 3)"), six_floats);
  const auto with_names = [&](const std::string& json) {
    return array + fake_npy(dictionary("'|u1'", "(" + std::to_string(json.size()) + ",)"), json);
  };
  EXPECT_TRUE(reading(with_names(R"({"": ["a", "b"]})")).axes.has_value());
  EXPECT_FALSE(reading(with_names(R"({"other": ["a"]})")).axes.has_value());
  const auto refused = [&](const std::string& json) { return complaint_about(with_names(json)); };
  EXPECT_THAT(refused(R"({"": ["a", "no name"]})"),
              HasSubstr("tensor ``: `no name` is not a name for an axis"));
  EXPECT_THAT(refused(R"({"": ["a", "a"]})"), HasSubstr("axis `a` is listed twice"));
  EXPECT_THAT(refused(R"({"": ["a"]})"),
              HasSubstr("the tensor has 2 axes, but the file names 1: {a}"));
  EXPECT_THAT(refused(R"({"": ["a", 5]})"), HasSubstr("the name of an axis is not a text"));
  EXPECT_THAT(refused(R"({"": "ab"})"), HasSubstr("the names of its axes are not a list"));
  EXPECT_THAT(refused(R"(["a", "b"])"), HasSubstr("the names of axes are not a JSON object"));
  EXPECT_THAT(refused(R"({"": [)"), HasSubstr("its JSON text breaks off or is malformed at byte"));
  EXPECT_THAT(refused(R"({"": [], "": []})"), HasSubstr("the key `` stands twice"));
  EXPECT_THAT(refused(std::string(60000, '[')), HasSubstr("is nested more than 2 deep"));
}

}  // namespace
}  // namespace axial::files
