// `axial demo`: two minutes that show what Axial does, done for real.
#pragma once

#include <CLI/CLI.hpp>

namespace cli {

/// Adds the command; when it runs, `status` becomes its exit status.
void add_demo(CLI::App& app, int& status);

}  // namespace cli
