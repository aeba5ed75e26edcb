// `axial generate`: text from a document that predicts the next byte.
#pragma once

#include <CLI/CLI.hpp>

namespace cli {

/// Adds the command; when it runs, `status` becomes its exit status.
void add_generate(CLI::App& app, int& status);

}  // namespace cli
