#include "axial/files/npy.hpp"

#include <fmt/format.h>

#include <span>

#include "axial/files/axis_names.hpp"
#include "axial/files/npy_format.hpp"
#include "axial/files/replace.hpp"
#include "axial/files/report.hpp"

namespace axial::files {
namespace {

/// The names that follow the elements.
AxisNames trailing_names(const Bytes& rest) {
  try {
    return parse_axis_names(parse_npy_text(rest));
  } catch (const Error& error) {
    reject(fmt::format("after the elements come {} bytes that are no names of axes: {}", rest.size,
                       error.message()),
           "a file with several arrays is an .npz");
  }
}

}  // namespace

Stored read_npy(const std::string& path) {
  const Bytes bytes = contents(path);
  return within(path, [&] {
    const NpyHeader header = parse_npy_header(bytes.view());
    Stored stored = parse_npy(bytes, header);
    stored.source = path;
    const Bytes rest = bytes.part(header.length + header.data_bytes, bytes.size);
    if (rest.size > 0) name_axes(stored, trailing_names(rest), "");
    return stored;
  });
}

void write_npy(const std::string& path, const Ordered& tensor, const NpyOptions& options) {
  const Array array = laid_out(tensor.array, tensor.order);
  replace_file(path, [&](Sink& sink) {
    sink.write(npy_header(encoding_of(array.type()).npy, tensor.sizes()));
    sink.write(bytes_of(array));
    if (options.names) sink.write(npy_of_text(to_json({{"", tensor.order}})));
  });
}

}  // namespace axial::files
