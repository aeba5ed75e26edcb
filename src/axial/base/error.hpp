// Two kinds of failure: `Error` is the user's and names what was written, what was found and the way
// out; `bug` is ours.
#pragma once

#include <cstddef>
#include <exception>
#include <optional>
#include <source_location>
#include <string>
#include <string_view>

#include "axial/base/code.hpp"

namespace axial {

/// A range of bytes in a source text, end excluded.
struct Span {
  std::size_t begin = 0;
  std::size_t end = 0;
  friend bool operator==(const Span&, const Span&) = default;
};

/// A mistake in what the user wrote. `what()` is the message followed by the hint.
class Error : public std::exception {
 public:
  Error(const Code& code, std::string message, std::string hint = {},
        std::optional<Span> span = {});

  const char* what() const noexcept override { return text_.c_str(); }
  const Code& code() const { return *code_; }
  const std::string& message() const { return message_; }
  const std::string& hint() const { return hint_; }
  const std::optional<Span>& span() const { return span_; }

  /// The same error, placed at `span` unless it already has a place.
  Error at(Span span) const;

  /// The same error, its message opened by what was being done.
  Error within(std::string_view activity) const;

 private:
  const Code* code_;
  std::string message_;
  std::string hint_;
  std::optional<Span> span_;
  std::string text_;
};

/// Ends the program's current action with a report of a broken promise inside Axial.
[[noreturn]] void bug(std::string_view what,
                      std::source_location where = std::source_location::current());

/// A line of source with a caret under part of it; of a long line, what lies around.
std::string excerpt(std::string_view line, Span marked);

/// The error as a compiler shows it: place, message, the line with a caret under the span, the hint.
std::string render(const Error& error, std::string_view source, std::string_view file_name);

}  // namespace axial
