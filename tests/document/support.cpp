#include "document/support.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>

namespace axial::document {

std::string latex(const std::string& body) {
  std::string axes;
  for (const std::string name : {"ax", "seq", "key", "val", "layer", "heads", "hidden", "height",
                                 "width", "vocab", "batch"}) {
    axes += fmt::format("\\ndef{{\\{}}}{{{}}}", name, name);
  }
  return "\\newcommand{\\reals}{\\mathbb{R}}" + axes + "\n" + body;
}

std::string display(const std::string& rows) {
  return "\\begin{align*}\n" + rows + "\n\\end{align*}\n";
}

Report check_text(const std::string& text, const std::string& file, const CheckOptions& options) {
  return check(read(file, text, "."), options);
}

std::string codes(const Report& report) {
  std::string all;
  for (const Diagnostic& diagnostic : report.diagnostics) {
    if (diagnostic.severity == Severity::note) continue;
    all += (all.empty() ? "" : ", ") + std::string(diagnostic.code->name);
  }
  return all;
}

std::string codes(const std::string& text, const std::string& file) {
  return codes(check_text(text, file));
}

std::string outline(const Report& report) {
  std::string text;
  for (const Finding& finding : report.findings) {
    text += fmt::format("{} {} {}{}{}{}\n", to_text(finding.status), finding.kind, finding.name,
                        finding.verified ? ", verified" : "", finding.reason.empty() ? "" : ": ",
                        finding.reason);
  }
  for (const Diagnostic& diagnostic : report.diagnostics) {
    text += fmt::format("{} {}: {}\n", to_text(diagnostic.severity), diagnostic.code->name,
                        diagnostic.message);
  }
  return text;
}

::testing::AssertionResult holds(const std::string& text, const std::string& file) {
  const Report report = check_text(text, file);
  const auto is_claim = [](const Finding& finding) {
    return finding.kind == "definition" || finding.kind == "equation";
  };
  const bool is_clean = codes(report).empty() && report.count(Status::skipped) == 0 &&
                        report.count(Status::error) == 0;
  const bool is_verified = std::ranges::any_of(report.findings, is_claim) &&
                           std::ranges::all_of(report.findings, [&](const Finding& finding) {
                             return !is_claim(finding) || finding.verified;
                           });
  if (is_clean && is_verified) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << text << "\n" << outline(report);
}

std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::filesystem::path> gallery() {
  std::vector<std::filesystem::path> found;
  for (const auto& entry : std::filesystem::directory_iterator(AXIAL_SOURCE_DIR "/examples")) {
    if (entry.path().extension() == ".tex") found.push_back(entry.path());
  }
  std::ranges::sort(found);
  return found;
}

}  // namespace axial::document
