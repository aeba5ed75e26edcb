// The command `axial explain`.
#pragma once

#include <CLI/CLI.hpp>

namespace cli {

/// Adds the command to the program; running it sets `status`.
void add_explain(CLI::App& app, int& status);

}  // namespace cli
