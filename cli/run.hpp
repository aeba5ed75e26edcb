// The program `axial` as a function.
#pragma once

#include <string>
#include <vector>

namespace cli {

/// Runs a command, given as its name and arguments, and returns its exit status.
int run(std::vector<std::string> arguments);

}  // namespace cli
