#include "axial/base/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

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

std::string render(const Error& error, std::string_view source, std::string_view file_name) {
  const Span span = error.span().value_or(Span{});
  const std::size_t begin = std::min(span.begin, source.size());
  const std::string_view before = source.substr(0, begin);
  const std::size_t line_begin = before.rfind('\n') + 1;  // npos + 1 is the start of the text
  const std::size_t line_end = std::min(source.find('\n', begin), source.size());
  const auto line_number = std::count(before.begin(), before.end(), '\n') + 1;

  const auto is_continuation = [](char byte) { return (byte & 0xC0) == 0x80; };
  const auto columns = [&](std::size_t from, std::size_t to) {
    return static_cast<std::size_t>(
        std::count_if(source.begin() + static_cast<std::ptrdiff_t>(from),
                      source.begin() + static_cast<std::ptrdiff_t>(to),
                      [&](char byte) { return !is_continuation(byte); }));
  };
  std::string text = fmt::format("{}:{}:{}: {}\n", file_name, line_number,
                                 columns(line_begin, begin) + 1, error.message());
  const std::size_t end = std::clamp(span.end, begin, line_end);
  text += fmt::format("  |  {}\n  |  {}{}\n", source.substr(line_begin, line_end - line_begin),
                      std::string(columns(line_begin, begin), ' '),
                      std::string(std::max<std::size_t>(1, columns(begin, end)), '^'));
  if (!error.hint().empty()) text += fmt::format("  hint: {}\n", error.hint());
  return text;
}

}  // namespace axial
