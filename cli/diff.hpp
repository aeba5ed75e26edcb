// The command `axial diff`.
#pragma once

#include <CLI/CLI.hpp>

namespace cli {

/// Adds the command; its exit status goes to `status`.
void add_diff(CLI::App& app, int& status);

}  // namespace cli
