// The command `axial fmt`.
#pragma once

#include <CLI/CLI.hpp>

namespace cli {

/// Adds the command to the program. Its exit status is written to `status` when it ran.
void add_fmt(CLI::App& app, int& status);

}  // namespace cli
