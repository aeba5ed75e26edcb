// Options that several commands take.
#pragma once

#include <CLI/CLI.hpp>
#include <unistd.h>

#include <string>

#include "axial/base/error.hpp"

namespace cli {

/// How a command prints.
struct Output {
  std::string format = "text";
  std::string color = "auto";

  bool is_json() const { return format == "json"; }
  /// Colour on a terminal only, unless the user says otherwise.
  bool in_color() const { return color == "always" || (color == "auto" && isatty(1) != 0); }

  void add_to(CLI::App& command) {
    command.add_option("--format", format, "text or json")->check(CLI::IsMember({"text", "json"}));
    command.add_option("--color", color, "auto, always or never")
        ->check(CLI::IsMember({"auto", "always", "never"}));
  }
};

/// Wrong usage that shows only after parsing: a value that its option cannot take, whatever the
/// document and the data are, or options that do not go together.
class Misuse : public axial::Error {
 public:
  using Error::Error;
  explicit Misuse(const Error& error) : Error(error) {}
};

/// What `read()` makes of the values of options. Its errors become misuse.
template <class Read>
auto from_options(const Read& read) {
  try {
    return read();
  } catch (const axial::Error& error) {
    throw Misuse(error);
  }
}

/// Exit statuses: 0 fine, 1 the input has errors, 2 wrong usage or unreadable file.
inline constexpr int wrong_usage = 2;
int status_of(const axial::Error& error);

/// Shows an error on a formula of the command line, at its place if it has one there; gives the exit
/// status.
int report(const axial::Error& error, const std::string& formula);

}  // namespace cli
