#include "axial/document/report.hpp"

#include <algorithm>

namespace axial::document {

int Report::count(Status status) const {
  return static_cast<int>(std::ranges::count(findings, status, &Finding::status));
}

int Report::count(Severity severity) const {
  return static_cast<int>(std::ranges::count(diagnostics, severity, &Diagnostic::severity));
}

std::string_view to_text(Status status) {
  switch (status) {
    case Status::checked: return "checked";
    case Status::skipped: return "skipped";
    case Status::error: return "error";
  }
  bug("unknown status");
}

std::string_view to_text(Severity severity) {
  switch (severity) {
    case Severity::error: return "error";
    case Severity::warning: return "warning";
    case Severity::note: return "note";
  }
  bug("unknown severity");
}

}  // namespace axial::document
