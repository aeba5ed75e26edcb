// What the tests of the program share: running a command and taking what it prints.
#pragma once

#include <sys/wait.h>

#include <cstdio>
#include <string>

namespace axial {

/// How a command ended, and what it printed.
struct Outcome {
  int status;
  std::string printed;
};

/// Runs a command of the shell; what it prints to the error stream comes along.
inline Outcome run_shell(const std::string& command) {
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  std::string printed;
  char buffer[4096];
  for (std::size_t count = 0; (count = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) {
    printed.append(buffer, count);
  }
  return {WEXITSTATUS(pclose(pipe)), printed};
}

}  // namespace axial
