// The texts of a document by offset. Between two texts lies one offset that belongs to the first,
// so that the end of a text is a place of its own.
#include "axial/tex/source.hpp"

#include <algorithm>
#include <utility>

#include "axial/base/text.hpp"

namespace axial::tex {

std::size_t Source::add(std::string file, std::string text, std::vector<std::int64_t> lines) {
  const std::size_t begin = files_.empty() ? 0 : size() + 1;
  std::vector<std::size_t> starts = {0};
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n') starts.push_back(i + 1);
  }
  files_.push_back({std::move(file), std::move(text), begin, std::move(starts), std::move(lines)});
  return begin;
}

const Source::File& Source::file_at(std::size_t offset) const {
  const auto after = std::ranges::upper_bound(files_, offset, {}, &File::begin);
  return after == files_.begin() ? files_.front() : *std::prev(after);
}

std::string_view Source::text(Span span) const {
  if (files_.empty()) return {};
  const File& file = file_at(span.begin);
  const std::string_view text = file.text;
  const std::size_t begin = std::min(span.begin - file.begin, text.size());
  return text.substr(begin, span.end > span.begin ? span.end - span.begin : 0);
}

Place Source::place(std::size_t offset) const {
  if (files_.empty()) return {};
  const File& file = file_at(offset);
  const std::size_t here = std::min(offset - file.begin, file.text.size());
  const auto after = std::ranges::upper_bound(file.line_starts, here);
  const std::size_t start = *std::prev(after);
  const std::size_t index = after - file.line_starts.begin() - 1;
  const std::int64_t line =
      index < file.lines.size() ? file.lines[index] : static_cast<std::int64_t>(index) + 1;
  const std::string_view before = std::string_view(file.text).substr(start, here - start);
  return {file.name, line, static_cast<std::int64_t>(display_width(before)) + 1};
}

Span Source::line(std::size_t offset) const {
  if (files_.empty()) return {};
  const File& file = file_at(offset);
  const std::size_t here = std::min(offset - file.begin, file.text.size());
  const auto after = std::ranges::upper_bound(file.line_starts, here);
  const std::size_t start = *std::prev(after);
  std::size_t end = after == file.line_starts.end() ? file.text.size() : *after - 1;
  if (end > start && file.text[end - 1] == '\r') --end;
  return {file.begin + start, file.begin + end};
}

std::size_t Source::size() const {
  return files_.empty() ? 0 : files_.back().begin + files_.back().text.size();
}

}  // namespace axial::tex
