// Pages of the documentation that are written by tests.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

namespace axial {

/// Expects that a file of the repository has this text; with AXIAL_UPDATE_GOLDEN=1, writes it.
inline void expect_page(const std::string& path, const std::string& text) {
  const std::string full_path = std::string(AXIAL_SOURCE_DIR) + "/" + path;
  if (std::getenv("AXIAL_UPDATE_GOLDEN") != nullptr) std::ofstream(full_path) << text;
  std::stringstream found;
  found << std::ifstream(full_path).rdbuf();
  EXPECT_EQ(found.str(), text) << path << " is out of date: make golden";
}

}  // namespace axial
