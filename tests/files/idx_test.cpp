// IDX files, plain and packed by gzip.
#include <gtest/gtest.h>
#include <zlib.h>

#include "axial/files/files.hpp"
#include "files/support.hpp"

namespace axial::files {
namespace {

/// Two images of 2 × 3 bytes.
const std::string images = std::string("\0\0\x08\x03\0\0\0\x02\0\0\0\x02\0\0\0\x03", 16) +
                           std::string("\x00\x01\x02\x03\x04\x05\xfa\xfb\xfc\xfd\xfe\xff", 12);

std::string gzipped(const std::string& text) {
  std::string packed(text.size() + 100, '\0');
  z_stream stream{};
  deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY);
  std::string copy = text;
  stream.next_in = reinterpret_cast<Bytef*>(copy.data());
  stream.avail_in = static_cast<uInt>(copy.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

TEST(idx, is_read_plain_and_packed) {
  const Folder folder;
  put_bytes(folder / "images-idx3-ubyte", images);
  put_bytes(folder / "images.idx.gz", gzipped(images));
  const Axis n("n"), height("height"), width("width");
  for (const std::string name : {"images-idx3-ubyte", "images.idx.gz"}) {
    const Array array = named(read(folder / name).at(""), Axes{n, height, width});
    EXPECT_EQ(values(array, Axes{n, height, width}),
              (std::vector<double>{0, 1, 2, 3, 4, 5, 250, 251, 252, 253, 254, 255}));
  }
}

TEST(idx, has_its_highest_byte_first) {
  const Folder folder;
  put_bytes(folder / "numbers.idx",
            std::string("\0\0\x0C\x01\0\0\0\x02\0\0\x01\x00\xff\xff\xff\xff", 16));
  EXPECT_EQ(values(named(read(folder / "numbers.idx").at(""), Axes{Axis("n")}), Axes{Axis("n")}),
            (std::vector<double>{256, -1}));
}

TEST(idx, is_rejected_when_it_is_damaged) {
  const Folder folder;
  const std::string path = folder / "x.idx";
  const auto told = [&](const std::string& bytes) {
    put_bytes(path, bytes);
    const std::string text = complaint([&] { read(path); });
    return text.substr(0, text.find(':'));
  };
  std::string lie = gzipped(images);
  lie[lie.size() - 4] = 40;  // the size that the end promises
  std::string broken = gzipped(images);
  broken[12] = static_cast<char>(broken[12] ^ 0x55);
  for (const std::string& bytes :
       {std::string("\0\0", 2), std::string("PK\x08\x01\0\0\0\0", 8), images.substr(0, 9),
        images.substr(0, 20), images + "x", std::string("\x1f\x8b\x08", 3), lie, broken,
        std::string("\0\0\x08\x03\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", 16)}) {
    EXPECT_EQ(told(bytes), "bad-file");
  }
}

TEST(idx, is_not_written) {
  EXPECT_EQ(complaint([] { write("x.idx", {}); }).substr(0, 11), "file-access");
}

}  // namespace
}  // namespace axial::files
