// A formula in the scope of a document, with values for what is open: what several commands work on.
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

#include "axial/api/tensor.hpp"

namespace cli {

struct Subject {
  std::string file;
  std::string formula;
  std::vector<std::string> settings;
  std::vector<std::string> sizes;
  /// A file with values for names.
  std::string loaded;
  bool random = false;
  std::uint64_t seed = 1;
  std::string element = "float64";
  /// 0: as many as the machine has.
  int threads = 0;

  void add_to(CLI::App& command);
  /// The formula as a tensor that is not computed yet. Fails with the errors of documents and
  /// formulas.
  axial::Tensor tensor() const;
};

}  // namespace cli
