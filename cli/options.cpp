#include "cli/options.hpp"

#include <fmt/format.h>

#include <iostream>

namespace cli {

int report(const axial::Error& error, const std::string& formula) {
  const bool in_formula = error.span() && error.span()->end <= formula.size();
  std::cerr << (in_formula ? axial::render(error, formula, "formula")
                           : fmt::format("axial: {}\n", error.what()));
  return 1;
}

}  // namespace cli
