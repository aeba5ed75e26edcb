// Values, sizes and axes as they are written on the command line; what cannot be read is misuse.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "axial/document/evaluate.hpp"

namespace cli {

/// NAME=VALUE in two parts; `option` is named if it is not that. Fails with syntax.
std::pair<std::string, std::string> name_and_value(const std::string& text,
                                                   std::string_view option);

/// The parts between commas, spaces left out.
std::vector<std::string> listed(std::string_view text);

/// X=3, X=[[1,2],[3,4]], X[seq,key]=..., X=file.npy. Fails with syntax, wrong-count or the errors of
/// files.
axial::document::Setting setting_of(const std::string& text);

/// The tensors of a file that training or `--out` wrote, each as a value for its name; what training
/// keeps for itself is left out. Fails with the errors of files.
std::vector<axial::document::Setting> loaded_settings(const std::string& path);
/// The sizes that training was given, as its file says; none for other files.
std::map<std::string, std::int64_t> loaded_sizes(const std::string& path);

/// AXIS=N, several also with commas between them. Fails with syntax or bad-size.
std::map<std::string, std::int64_t> sizes_of(const std::vector<std::string>& texts);

}  // namespace cli
