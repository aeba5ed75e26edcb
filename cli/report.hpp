// Reports on documents, for people and for programs.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "axial/document/check.hpp"

namespace cli {

/// A document with what was found out about it.
struct CheckedFile {
  std::string path;
  const axial::document::Contents* contents;
  axial::document::Report report;
};

struct TextOptions {
  bool color = false;
  /// Every equation, not only those that need attention.
  bool all = false;
};

/// Diagnostics with their lines, what was skipped and why, and a summary.
std::string to_text(const CheckedFile& file, const TextOptions& options);

/// Axes with their sizes: numbers, formulas as text, or null where nothing is said.
nlohmann::json shape_json(
    const std::vector<std::pair<std::string, std::optional<std::string>>>& sizes);

/// The object that `check --format json` prints.
std::string to_json(const std::vector<CheckedFile>& files);

}  // namespace cli
