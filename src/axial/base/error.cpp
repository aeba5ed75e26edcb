#include "axial/base/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "axial/base/text.hpp"

namespace axial {

Error::Error(const Code& code, std::string message, std::string hint, std::optional<Span> span)
    : code_(&code),
      message_(std::move(message)),
      hint_(std::move(hint)),
      span_(span),
      text_(hint_.empty() ? message_ : fmt::format("{}\n  hint: {}", message_, hint_)) {}

Error Error::at(Span span) const { return {*code_, message_, hint_, span_ ? *span_ : span}; }

Error Error::within(std::string_view activity) const {
  return {*code_, fmt::format("{}: {}", activity, message_), hint_, span_};
}

void bug(std::string_view what, std::source_location where) {
  throw std::logic_error(fmt::format("{}:{}: {} (this is a bug in Axial; please report it)",
                                     where.file_name(), where.line(), what));
}

namespace {

/// The part of a line that is shown: all of it, or what lies around `at` in a very long one.
Span window_around(std::string_view source, Span line, std::size_t at) {
  constexpr std::size_t reach = 60;
  const auto is_continuation = [&](std::size_t i) { return (source[i] & 0xC0) == 0x80; };
  Span window{at - line.begin > reach ? at - reach : line.begin,
              line.end - at > reach ? at + reach : line.end};
  while (window.begin > line.begin && is_continuation(window.begin)) --window.begin;
  while (window.end < line.end && is_continuation(window.end)) ++window.end;
  return window;
}

/// White space as wide as the text, tabs included.
std::string blank(std::string_view text) {
  std::string spaces;
  for (const char byte : text) {
    if ((byte & 0xC0) != 0x80) spaces += byte == '\t' ? '\t' : ' ';
  }
  return spaces;
}

}  // namespace

std::string excerpt(std::string_view line, Span marked) {
  const std::size_t begin = std::min(marked.begin, line.size());
  const Span shown = window_around(line, {0, line.size()}, begin);
  const std::size_t end = std::clamp(marked.end, begin, shown.end);
  const std::string_view cut_before = shown.begin > 0 ? "…" : "";
  const auto text = [&](std::size_t from, std::size_t to) { return line.substr(from, to - from); };
  return fmt::format("  |  {}{}{}\n  |  {}{}{}\n", cut_before, text(shown.begin, shown.end),
                     shown.end < line.size() ? "…" : "", blank(cut_before),
                     blank(text(shown.begin, begin)),
                     std::string(std::max<std::size_t>(1, display_width(text(begin, end))), '^'));
}

std::string render(const Error& error, std::string_view source, std::string_view file_name) {
  const std::string hint = error.hint().empty() ? "" : fmt::format("  hint: {}\n", error.hint());
  if (!error.span()) return fmt::format("{}: {}\n{}", file_name, error.message(), hint);
  const std::size_t begin = std::min(error.span()->begin, source.size());
  const std::string_view before = source.substr(0, begin);
  const Span line{before.rfind('\n') + 1,  // npos + 1 is the start of the text
                  std::min(source.find('\n', begin), source.size())};
  const auto line_number = std::count(before.begin(), before.end(), '\n') + 1;
  const auto text = [&](std::size_t from, std::size_t to) {
    return source.substr(from, to - from);
  };

  return fmt::format(
      "{}:{}:{}: {}\n{}{}", file_name, line_number, display_width(text(line.begin, begin)) + 1,
      error.message(),
      excerpt(text(line.begin, line.end), {begin - line.begin, error.span()->end - line.begin}),
      hint);
}

}  // namespace axial
