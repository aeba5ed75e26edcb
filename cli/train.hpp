// `axial train`: learns the open tensors of a document.
#pragma once

#include <CLI/CLI.hpp>

namespace cli {

/// Adds the command; when it runs, `status` becomes its exit status.
void add_train(CLI::App& app, int& status);

}  // namespace cli
