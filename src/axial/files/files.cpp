#include "axial/files/files.hpp"

#include <fmt/format.h>

#include <array>
#include <string_view>

#include "axial/files/idx.hpp"
#include "axial/files/npy.hpp"
#include "axial/files/npz.hpp"
#include "axial/files/report.hpp"
#include "axial/files/safetensors.hpp"

namespace axial::files {
namespace {

/// How files with a certain ending are read and written.
struct Format {
  std::string_view ending;
  Stores (*read)(const std::string& path, const ReadOptions& options);
  void (*write)(const std::string& path, const Tensors& tensors);
};

Stores read_one(const std::string& path, const ReadOptions& options) {
  within(path, [&] { selected({""}, options); });
  return {{"", read_npy(path)}};
}

Stores read_only_idx(const std::string& path, const ReadOptions& options) {
  within(path, [&] { selected({""}, options); });
  return {{"", read_idx(path, options)}};
}

void write_no_idx(const std::string& path, const Tensors&) {
  throw Error(code("file-access"), fmt::format("{}: IDX files are read, not written", path),
              "write an .npy, an .npz or a .safetensors");
}

void write_one(const std::string& path, const Tensors& tensors) {
  if (tensors.size() != 1) {
    throw Error(
        code("wrong-arity"),
        fmt::format("{} cannot hold {} tensors: an .npy has exactly one", path, tensors.size()),
        "write an .npz or a .safetensors");
  }
  write_npy(path, tensors.begin()->second);
}

constexpr auto formats = std::to_array<Format>({
    {".npy", read_one, write_one},
    {".npz", read_npz, write_npz},
    {".safetensors", read_safetensors,
     [](const std::string& path, const Tensors& tensors) { write_safetensors(path, tensors); }},
    {".idx", read_only_idx, write_no_idx},
    {".idx.gz", read_only_idx, write_no_idx},
    {"-ubyte", read_only_idx, write_no_idx},
    {"-ubyte.gz", read_only_idx, write_no_idx},
});

const Format& format_of(const std::string& path) {
  for (const Format& format : formats) {
    if (path.ends_with(format.ending)) return format;
  }
  throw Error(code("file-access"), fmt::format("the name of {} does not say its format", path),
              "file names end in .npy, .npz, .safetensors or .idx");
}

}  // namespace

Stores read(const std::string& path, const ReadOptions& options) {
  return format_of(path).read(path, options);
}

void write(const std::string& path, const Tensors& tensors) {
  format_of(path).write(path, tensors);
}

}  // namespace axial::files
