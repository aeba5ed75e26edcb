// What the environment of the process says.
#pragma once

#include <cstdlib>
#include <optional>
#include <string>

namespace axial {

/// A variable of the environment, or nothing.
inline std::optional<std::string> variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

}  // namespace axial
