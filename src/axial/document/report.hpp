// What was found out about a document.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "axial/base/error.hpp"

namespace axial::document {

enum class Status { checked, skipped, error };
enum class Severity { error, warning, note };

/// One equation, declaration or signature and what became of it.
struct Finding {
  Span span;
  /// declaration, signature, definition, equation or size.
  std::string kind;
  std::string name;
  /// Axes of the result with their sizes as text; no text where nothing is said about it.
  std::vector<std::pair<std::string, std::optional<std::string>>> shape;
  Status status = Status::checked;
  /// True if numbers were computed and agreed.
  bool verified = false;
  std::string reason;
  bool display = true;
};

struct Related {
  Span span;
  std::string message;
};

struct Diagnostic {
  Severity severity;
  const Code* code;
  Span span;
  std::string message;
  std::string hint;
  std::vector<Related> related;
};

struct Report {
  std::vector<Finding> findings;
  std::vector<Diagnostic> diagnostics;

  int count(Status status) const;
  int count(Severity severity) const;
};

std::string_view to_text(Status status);
std::string_view to_text(Severity severity);

}  // namespace axial::document
