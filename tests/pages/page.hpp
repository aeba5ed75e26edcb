// Pages of the documentation that are written by tests.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

namespace axial {

/// Code in a cell of a table in Markdown, where | ends a cell; no code if there is no text.
inline std::string cell(std::string_view text) {
  std::string escaped;
  for (const char character : text) escaped += character == '|' ? "\\|" : std::string(1, character);
  return escaped.empty() ? "" : "`" + escaped + "`";
}

/// Expects that a file of the repository has this text; with AXIAL_UPDATE_GOLDEN=1, writes it.
inline void expect_page(const std::string& path, const std::string& text) {
  const std::string full_path = std::string(AXIAL_SOURCE_DIR) + "/" + path;
  if (std::getenv("AXIAL_UPDATE_GOLDEN") != nullptr) std::ofstream(full_path) << text;
  std::stringstream found;
  found << std::ifstream(full_path).rdbuf();
  EXPECT_EQ(found.str(), text) << path << " is out of date: make golden";
}

}  // namespace axial
