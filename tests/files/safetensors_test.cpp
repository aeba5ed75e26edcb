// What a .safetensors may say, and how its lies are met.
#include "axial/files/safetensors.hpp"

#include <gmock/gmock.h>
#include <unistd.h>

#include <cmath>
#include <fstream>

#include "files/support.hpp"

namespace axial::files {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

const Axis height{"height"}, width{"width"};

Stores reading(std::string_view header, std::string_view elements) {
  const Folder folder;
  put_bytes(folder / "x.safetensors", fake_safetensors(header, elements));
  return read_safetensors(folder / "x.safetensors");
}

/// What reading these bytes complains about, without the path.
std::string complaint_about_bytes(std::string_view bytes) {
  const Folder folder;
  const std::string path = folder / "x.safetensors";
  put_bytes(path, bytes);
  std::string said = complaint([&] { read_safetensors(path); });
  if (const auto at = said.find(path + ": "); at != std::string::npos) {
    said.erase(at, path.size() + 2);
  }
  return said;
}

std::string complaint_about(std::string_view header, std::string_view elements = "") {
  return complaint_about_bytes(fake_safetensors(header, elements));
}

std::string entry(const std::string& dtype, const std::string& shape, const std::string& offsets) {
  return R"({"dtype":")" + dtype + R"(","shape":[)" + shape + R"(],"data_offsets":[)" + offsets +
         "]}";
}

TEST(safetensors, reads_every_dtype) {
  const auto read_one = [](const std::string& dtype, std::string_view element) {
    const Stores stores = reading(
        R"({"x":)" + entry(dtype, "1", "0," + std::to_string(element.size())) + "}", element);
    const Array array = named(stores.at("x"), height);
    return std::pair(array.type(), array.real(0));
  };
  EXPECT_EQ(read_one("F16", as_bytes(std::uint16_t{0xC100})), std::pair(float32, -2.5));
  EXPECT_EQ(read_one("F16", as_bytes(std::uint16_t{0x0001})), std::pair(float32, 0x1p-24));
  EXPECT_EQ(read_one("F16", as_bytes(std::uint16_t{0x7BFF})), std::pair(float32, 65504.0));
  EXPECT_EQ(read_one("F16", as_bytes(std::uint16_t{0xFC00})), std::pair(float32, -HUGE_VAL));
  EXPECT_TRUE(std::isnan(read_one("F16", as_bytes(std::uint16_t{0x7E00})).second));
  EXPECT_EQ(read_one("BF16", as_bytes(std::uint16_t{0xC020})), std::pair(float32, -2.5));
  EXPECT_EQ(read_one("F32", as_bytes(-2.5F)), std::pair(float32, -2.5));
  EXPECT_EQ(read_one("F64", as_bytes(-2.5)), std::pair(float64, -2.5));
  EXPECT_EQ(read_one("I8", "\xFE"), std::pair(int32, -2.0));
  EXPECT_EQ(read_one("U8", "\xFE"), std::pair(int32, 254.0));
  EXPECT_EQ(read_one("I16", as_bytes(std::int16_t{-300})), std::pair(int32, -300.0));
  EXPECT_EQ(read_one("U16", as_bytes(std::uint16_t{65535})), std::pair(int32, 65535.0));
  EXPECT_EQ(read_one("I32", as_bytes(std::int32_t{-70000})), std::pair(int32, -70000.0));
  EXPECT_EQ(read_one("U32", as_bytes(std::uint32_t{4294967295})), std::pair(int64, 4294967295.0));
  EXPECT_EQ(read_one("I64", as_bytes(std::int64_t{-1} << 40)), std::pair(int64, -0x1p40));
  EXPECT_EQ(read_one("U64", as_bytes(std::uint64_t{1} << 40)), std::pair(int64, 0x1p40));
  EXPECT_EQ(read_one("BOOL", "\x05"), std::pair(boolean, 1.0));
}

TEST(safetensors, is_written_as_the_format_demands) {
  const Folder folder;
  write_safetensors(folder / "x.safetensors",
                    {{"b", patterned(boolean, height[3])},
                     {"f", {patterned(float32, Shape{height[1], width[2]}), {width, height}}},
                     {"d", patterned(float64, Shape{})}},
                    {{"format", "pt"}});
  const std::string bytes = bytes_in(folder / "x.safetensors");
  std::string header = R"({"__metadata__":{"axial.axes":"{\"b\":[\"height\"],\"d\":[],)"
                       R"(\"f\":[\"width\",\"height\"]}","format":"pt"},)"
                       R"("d":{"dtype":"F64","shape":[],"data_offsets":[0,8]},)"
                       R"("f":{"dtype":"F32","shape":[2,1],"data_offsets":[8,16]},)"
                       R"("b":{"dtype":"BOOL","shape":[3],"data_offsets":[16,19]}})";
  header.resize((header.size() + 7) / 8 * 8, ' ');
  EXPECT_EQ(bytes.substr(0, 8), as_bytes(std::uint64_t{header.size()}));
  EXPECT_EQ(bytes.substr(8, header.size()), header);
  EXPECT_EQ(bytes.size(), 8 + header.size() + 19);
}

TEST(safetensors, keeps_metadata_apart_from_names) {
  const Folder folder;
  const Metadata metadata{{"format", "pt"}, {"note", "größe\n\""}};
  write_safetensors(folder / "x.safetensors", {{"W", patterned(float32, height[2])}}, metadata);
  EXPECT_EQ(read_safetensors_metadata(folder / "x.safetensors"), metadata);
  EXPECT_EQ(complaint([&] { write_safetensors(folder / "y", {}, {{"axial.axes", "{}"}}); }),
            "bad-value: metadata cannot have the key `axial.axes`\n"
            "  hint: the key is taken by the names of axes; choose another");
  EXPECT_THAT(complaint([&] { write_safetensors(folder / "y", {}, {{"note", "\xFF"}}); }),
              StartsWith("bad-value: a name or text to be written to a file is not UTF-8"));
}

TEST(safetensors, copies_elements_that_are_not_aligned) {
  const std::string header =
      R"({"a":)" + entry("BOOL", "1", "0,1") + R"(,"x":)" + entry("F64", "2", "1,17") + "}";
  const Stores stores = reading(header, as_bytes("\x01", 1.5, 2.5));
  EXPECT_THAT(values(named(stores.at("x"), height), height), ElementsAre(1.5, 2.5));
}

TEST(safetensors, maps_large_files_without_reading_them) {
  const Folder folder;
  const std::string path = folder / "x.safetensors";
  const std::int64_t gigabytes = 3, bytes = gigabytes << 30;
  std::string header =
      R"({"x":)" + entry("F32", "3,1024,262144", "0," + std::to_string(bytes)) + "}";
  header.resize((header.size() + 7) / 8 * 8, ' ');
  put_bytes(path, fake_safetensors(header, ""));
  ASSERT_EQ(::truncate(path.c_str(), 8 + std::ssize(header) + bytes), 0);
  const auto resident_pages = [] {
    std::int64_t all = 0, resident = 0;
    std::ifstream("/proc/self/statm") >> all >> resident;
    return resident;
  };
  const std::int64_t before = resident_pages();
  const Array array = named(read_safetensors(path).at("x"), {Axis("a"), Axis("b"), Axis("c")});
  std::filesystem::remove(path);
  EXPECT_EQ(array.volume(), bytes / 4);
  EXPECT_EQ(array.real(array.volume() - 1), 0);
  EXPECT_LT((resident_pages() - before) * ::getpagesize(), 64 << 20);
}

TEST(safetensors, needs_a_header_of_the_length_it_states) {
  EXPECT_EQ(complaint_about_bytes("short"),
            "bad-file: it has 5 bytes; a safetensors file has at least 8");
  EXPECT_EQ(complaint_about_bytes(as_bytes(std::uint64_t{100'000'001}) + "{}"),
            "bad-file: its header should have 100000001 bytes; the limit is 100000000\n"
            "  hint: the file is damaged or of another format");
  EXPECT_THAT(complaint_about_bytes(as_bytes(~std::uint64_t{0}) + "{}"),
              HasSubstr("18446744073709551615 bytes; the limit is"));
  EXPECT_EQ(complaint_about_bytes(as_bytes(std::uint64_t{100}) + "{}"),
            "bad-file: its header should have 100 bytes, but only 2 are there\n"
            "  hint: the file was cut off; copy or write it again");
}

TEST(safetensors, needs_plain_json) {
  EXPECT_EQ(complaint_about("[]"), "bad-file: its header does not begin with `{`");
  EXPECT_EQ(complaint_about("{\"x\""),
            "bad-file: its JSON text breaks off or is malformed at byte 5");
  EXPECT_EQ(complaint_about("{\"\xFF\":1}"),
            "bad-file: its JSON text breaks off or is malformed at byte 3");
  EXPECT_EQ(complaint_about(R"({"x":)" + std::string(1 << 20, '[')),
            "bad-file: its JSON text is nested more than 3 deep");
  std::string many = R"({"x":[0)";
  for (int i = 0; i < 4'000'000; ++i) many += ",0";
  EXPECT_EQ(complaint_about(many + "]}"),
            "bad-file: its JSON text has more than 4000000 values, the limit");
  EXPECT_EQ(complaint_about(
                R"({"x":)" + entry("F32", "", "0,4") + R"(,"x":)" + entry("F32", "", "0,4") + "}",
                "abcd"),
            "bad-file: the key `x` stands twice in its JSON text");
}

TEST(safetensors, needs_whole_entries) {
  EXPECT_EQ(complaint_about(R"({"x":[]})"),
            "bad-file: tensor `x`: its header entry is not a JSON object");
  EXPECT_EQ(complaint_about(R"({"x":{"dtype":"F32","shape":[]}})"),
            "bad-file: tensor `x`: its header entry has no `data_offsets`");
  EXPECT_EQ(complaint_about(R"({"x":{"dtype":1,"shape":[],"data_offsets":[0,4]}})"),
            "bad-file: tensor `x`: its `dtype` is not a text");
  EXPECT_EQ(complaint_about(R"({"x":{"dtype":"F32","shape":2,"data_offsets":[0,4]}})"),
            "bad-file: tensor `x`: its `shape` is not a list of at most 1000 sizes");
  EXPECT_EQ(complaint_about(R"({"x":{"dtype":"F32","shape":[],"data_offsets":[0]}})"),
            "bad-file: tensor `x`: its `data_offsets` are not two numbers");
  for (const std::string size : {"-1", "1.5", "\"2\"", "1e3", "18446744073709551616"}) {
    EXPECT_THAT(complaint_about(R"({"x":)" + entry("F32", size, "0,4") + "}"),
                StartsWith("bad-file: tensor `x`: a size in `shape` is `"));
  }
  EXPECT_EQ(complaint_about(R"({"x":)" + entry("F32", "", "0,9223372036854775808") + "}"),
            "bad-file: tensor `x`: a number in `data_offsets` is `9223372036854775808`, not a "
            "whole number from 0 to 2^63 - 1");
  EXPECT_EQ(complaint_about(R"({"__metadata__":{"a":1}})"),
            "bad-file: the metadata `a` is not a text");
  EXPECT_EQ(complaint_about(R"({"__metadata__":"a"})"),
            "bad-file: its `__metadata__` is not a JSON object");
}

TEST(safetensors, needs_offsets_that_fit_shape_and_file) {
  EXPECT_EQ(complaint_about(R"({"x":)" + entry("F32", "3", "0,8") + "}", std::string(8, '\0')),
            "bad-file: tensor `x`: its shape and elements `F32` make 12 bytes, but its "
            "`data_offsets` 8");
  EXPECT_EQ(complaint_about(R"({"x":)" + entry("F32", "2", "0,8") + "}", "abcd"),
            "bad-file: its tensors take 8 bytes, but 4 follow the header\n"
            "  hint: the file was cut off; copy or write it again");
  EXPECT_EQ(complaint_about(R"({"x":)" + entry("F32", "1", "0,4") + "}", "abcdefgh"),
            "bad-file: its tensors take 4 bytes, but 8 follow the header");
  EXPECT_EQ(complaint_about(R"({"x":)" + entry("F32", "1", "4,8") + "}", "abcdefgh"),
            "bad-file: tensor `x`: its elements lie at 4 to 8, but should begin at 0");
  EXPECT_EQ(complaint_about(
                R"({"x":)" + entry("F32", "1", "0,4") + R"(,"y":)" + entry("F32", "1", "2,6") + "}",
                "abcdef"),
            "bad-file: tensor `y`: its elements lie at 2 to 6, but should begin at 4");
  EXPECT_EQ(complaint_about(
                R"({"x":)" + entry("F32", "1", "0,4") + R"(,"y":)" + entry("F32", "1", "4,0") + "}",
                "abcd"),
            "bad-file: tensor `y`: its elements lie at 4 to 0, but should begin at 4");
  EXPECT_EQ(complaint_about(R"({"x":)" + entry("F32", "4294967296,4294967296", "0,0") + "}"),
            "bad-file: tensor `x`: the product of the sizes of the axes is more than 2^59");
}

TEST(safetensors, names_a_dtype_that_it_cannot_read) {
  EXPECT_THAT(complaint_about(R"({"x":)" + entry("F8_E4M3", "4", "0,4") + "}", "abcd"),
              StartsWith("element-type: tensor `x`: its elements have the type `F8_E4M3`, which "
                         "cannot be read\n  hint: convert it to F32"));
}

TEST(safetensors, rejects_names_that_are_none) {
  EXPECT_THAT(complaint_about(R"({"__metadata__":{"axial.axes":"{\"x\": [\"1st\"]}"}})"),
              StartsWith("bad-file: names of axes in the metadata `axial.axes`: tensor `x`: `1st` "
                         "is not a name for an axis"));
  EXPECT_THAT(complaint_about(R"({"__metadata__":{"axial.axes":"["}})"),
              StartsWith("bad-file: names of axes in the metadata `axial.axes`: its JSON text"));
}

}  // namespace
}  // namespace axial::files
