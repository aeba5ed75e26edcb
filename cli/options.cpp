#include "cli/options.hpp"

#include <fmt/format.h>

#include <iostream>

namespace cli {

int status_of(const axial::Error& error) {
  const std::string_view code = error.code().name;
  const bool is_unreadable = code == "file-access" || code == "bad-file";
  return is_unreadable || dynamic_cast<const Misuse*>(&error) != nullptr ? wrong_usage : 1;
}

int report(const axial::Error& error, const std::string& formula) {
  const bool in_formula = error.span() && error.span()->end <= formula.size();
  std::cerr << (in_formula ? axial::render(error, formula, "formula")
                           : fmt::format("axial: {}\n", error.what()));
  return status_of(error);
}

}  // namespace cli
