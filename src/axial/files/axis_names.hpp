// How names of axes are written in files that have no place for them: as JSON text, for each tensor
// its axes in the order of the file, {"W": ["height", "width"]}.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "axial/files/store.hpp"

namespace axial::files {

/// The names of the axes of each tensor, in the order of the file.
using AxisNames = std::map<std::string, Axes>;

/// The names of the axes of tensors that will be written.
AxisNames names_of(const Tensors& tensors);

/// The names as JSON text. Fails with bad-value if a name is not UTF-8.
std::string to_json(const AxisNames& names);

/// The names that JSON text gives. Fails with bad-file if it is not such text or a name is not one.
AxisNames parse_axis_names(std::string_view json);

/// Gives a stored tensor the names of its axes, if there are any. Fails with bad-file if their
/// number differs.
void name_axes(Stored& stored, const AxisNames& names, const std::string& tensor);

/// Fails with bad-file unless `text` is well-formed JSON that nests at most `depth` deep, repeats
/// no key and has no more than four million values, so that parsing it is safe.
void require_plain_json(std::string_view text, std::int64_t depth);

}  // namespace axial::files
