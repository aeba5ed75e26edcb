#include "cli/report.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace cli {
namespace {

using axial::Span;
using namespace axial::document;
using axial::tex::Place;
using axial::tex::Source;
using nlohmann::json;

// Colours of a terminal, by what they mean.
constexpr std::string_view red = "\x1b[1;31m";
constexpr std::string_view yellow = "\x1b[1;33m";
constexpr std::string_view blue = "\x1b[1;34m";
constexpr std::string_view green = "\x1b[32m";
constexpr std::string_view dim = "\x1b[2m";
constexpr std::string_view bold = "\x1b[1m";

class Paint {
 public:
  explicit Paint(bool on) : on_(on) {}
  std::string operator()(std::string_view style, std::string_view text) const {
    return on_ ? fmt::format("{}{}\x1b[0m", style, text) : std::string(text);
  }

 private:
  bool on_;
};

std::string_view style_of(Severity severity) {
  return severity == Severity::error ? red : severity == Severity::warning ? yellow : blue;
}

std::string where(const Source& source, Span span) {
  const Place place = source.place(span.begin);
  return fmt::format("{}:{}:{}", place.file, place.line, place.column);
}

std::string diagnostic_text(const Source& source, const Diagnostic& diagnostic,
                            const Paint& paint) {
  const Span line = source.line(diagnostic.span.begin);
  std::string text =
      fmt::format("{}: {}: {} {}\n", paint(bold, where(source, diagnostic.span)),
                  paint(style_of(diagnostic.severity), to_text(diagnostic.severity)),
                  diagnostic.message, paint(dim, fmt::format("[{}]", diagnostic.code->name)));
  text += axial::excerpt(
      source.text(line),
      {diagnostic.span.begin - line.begin, std::max(diagnostic.span.end, line.begin) - line.begin});
  for (const Related& related : diagnostic.related) {
    text += fmt::format("  {}: {}\n", where(source, related.span), related.message);
  }
  if (!diagnostic.hint.empty())
    text += fmt::format("  {} {}\n", paint(blue, "hint:"), diagnostic.hint);
  return text;
}

std::string shape_text(const Finding& finding) {
  if (finding.shape.empty()) return {};
  std::string text;
  for (const auto& [axis, size] : finding.shape) {
    text += fmt::format("{}{}{}", text.empty() ? "" : ", ", axis, size ? "[" + *size + "]" : "");
  }
  return " {" + text + "}";
}

std::string finding_text(const Source& source, const Finding& finding, const Paint& paint) {
  const Place place = source.place(finding.span.begin);
  const std::string name = finding.name.empty() ? "" : " " + finding.name;
  const std::string state = finding.status == Status::checked ? paint(green, "checked")
                            : finding.status == Status::error ? paint(red, "error")
                                                              : paint(yellow, "skipped");
  const std::string reason = finding.reason.empty() ? "" : ": " + finding.reason;
  const std::string verified = finding.verified ? ", verified by numbers" : "";
  return fmt::format("{}:{}: {} {}{}{}{}{}\n", place.file, place.line, state, finding.kind, name,
                     shape_text(finding), verified, reason);
}

std::string counted(int count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

json equation_json(const Source& source, const Finding& finding) {
  const Place begin = source.place(finding.span.begin);
  const Place end = source.place(finding.span.end);
  return {{"line", begin.line},
          {"column", begin.column},
          {"end_line", end.line},
          {"kind", finding.kind},
          {"name", finding.name},
          {"shape", shape_json(finding.shape)},
          {"status", to_text(finding.status)},
          {"verified", finding.verified},
          {"reason", finding.reason}};
}

json diagnostic_json(const Source& source, const Diagnostic& diagnostic) {
  const Place begin = source.place(diagnostic.span.begin);
  const Place end = source.place(diagnostic.span.end);
  json related = json::array();
  for (const Related& one : diagnostic.related) {
    related.push_back({{"line", source.place(one.span.begin).line}, {"message", one.message}});
  }
  json object = {{"severity", to_text(diagnostic.severity)},
                 {"code", diagnostic.code->name},
                 {"line", begin.line},
                 {"column", begin.column},
                 {"end_line", end.line},
                 {"end_column", end.column},
                 {"message", diagnostic.message},
                 {"hint", diagnostic.hint},
                 {"related", related}};
  return object;
}

json summary_json(const Report& report) {
  return {{"equations", report.findings.size()},
          {"checked", report.count(Status::checked)},
          {"skipped", report.count(Status::skipped)},
          {"errors", report.count(Severity::error)},
          {"warnings", report.count(Severity::warning)}};
}

}  // namespace

std::string to_text(const CheckedFile& file, const TextOptions& options) {
  const Paint paint(options.color);
  const Source& source = file.contents->source;
  std::string text;
  for (const Diagnostic& diagnostic : file.report.diagnostics) {
    text += diagnostic_text(source, diagnostic, paint) + "\n";
  }
  int verified = 0;
  for (const Finding& finding : file.report.findings) {
    verified += finding.verified ? 1 : 0;
    if (options.all || finding.status == Status::skipped)
      text += finding_text(source, finding, paint);
  }
  const int equations = static_cast<int>(file.report.findings.size());
  const int errors = file.report.count(Severity::error);
  const std::string_view verdict = errors > 0 ? red : green;
  text += fmt::format(
      "{}: {}: {} checked ({} verified by numbers), {} skipped, {}, {}\n", paint(bold, file.path),
      counted(equations, "equation", "equations"), file.report.count(Status::checked), verified,
      file.report.count(Status::skipped), paint(verdict, counted(errors, "error", "errors")),
      counted(file.report.count(Severity::warning), "warning", "warnings"));
  return text;
}

json shape_json(const std::vector<std::pair<std::string, std::optional<std::string>>>& sizes) {
  json shape = json::object();
  for (const auto& [axis, size] : sizes) {
    const bool is_number =
        size && size->find_first_not_of("0123456789") == std::string::npos && size->size() < 16;
    shape[axis] = !size ? json(nullptr) : is_number ? json(std::stoll(*size)) : json(*size);
  }
  return shape;
}

std::string to_json(const std::vector<CheckedFile>& files) {
  json all = json::array();
  for (const CheckedFile& file : files) {
    const Source& source = file.contents->source;
    json equations = json::array();
    json diagnostics = json::array();
    for (const Finding& finding : file.report.findings)
      equations.push_back(equation_json(source, finding));
    for (const Diagnostic& diagnostic : file.report.diagnostics) {
      diagnostics.push_back(diagnostic_json(source, diagnostic));
    }
    all.push_back({{"path", file.path},
                   {"summary", summary_json(file.report)},
                   {"equations", equations},
                   {"diagnostics", diagnostics}});
  }
  const json object = {{"files", all}};
  return object.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace cli
