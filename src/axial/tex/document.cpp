#include "axial/tex/document.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "axial/tex/expand.hpp"
#include "axial/tex/formula.hpp"
#include "axial/tex/latex.hpp"
#include "axial/tex/markdown.hpp"
#include "axial/tex/notebook.hpp"
#include "axial/tex/prose.hpp"
#include "axial/tex/simplify.hpp"

namespace axial::tex {
namespace {

/// True if \begin{document} stands somewhere that is not a comment.
bool has_preamble(std::string_view text) {
  constexpr std::string_view mark = "\\begin{document}";
  for (std::size_t at = text.find(mark); at != std::string_view::npos;
       at = text.find(mark, at + mark.size())) {
    const std::size_t line = text.rfind('\n', at) + 1;
    const std::string_view before = text.substr(line, at - line);
    const std::size_t percent = before.find('%');
    if (percent == std::string_view::npos) return true;
    if (percent > 0 && before[percent - 1] == '\\') return true;
  }
  return false;
}

struct Brackets {
  std::string_view open;
  std::string_view close;
};

}  // namespace

Format format_of(const std::filesystem::path& path) {
  std::string extension = path.extension().string();
  std::ranges::transform(extension, extension.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  if (extension == ".md" || extension == ".markdown") return Format::markdown;
  if (extension == ".ipynb") return Format::notebook;
  return Format::latex;
}

std::vector<Segment> read_document(Source& source, std::string name, std::string text,
                                   Format format, const std::filesystem::path& folder) {
  Notes notes;
  Segments segments(notes);
  Expander expander(source, notes, folder, format == Format::latex);
  if (format == Format::notebook) {
    read_notebook(source, expander, notes, segments, name, std::move(text));
    return segments.take();
  }
  const std::size_t size = text.size();
  const std::filesystem::path file = name;
  const std::size_t offset = source.add(std::move(name), std::move(text));
  const std::string_view stored = source.text({offset, offset + size});
  if (format == Format::markdown) {
    read_markdown(expander, notes, segments, stored, offset);
  } else {
    expander.open(stored, offset, file);
    read_latex(expander, notes, segments, has_preamble(stored));
  }
  return segments.take();
}

Tokens read_formula(std::string_view text) {
  constexpr auto brackets =
      std::to_array<Brackets>({{"$$", "$$"}, {"$", "$"}, {"\\(", "\\)"}, {"\\[", "\\]"}});
  const std::size_t last = text.find_last_not_of(" \t\r\n");
  text = text.substr(0, last == std::string_view::npos ? 0 : last + 1);
  std::size_t begin = std::min(text.find_first_not_of(" \t\r\n"), text.size());
  for (const Brackets& pair : brackets) {
    const std::string_view inner = text.substr(begin);
    if (inner.size() < pair.open.size() + pair.close.size() || !inner.starts_with(pair.open) ||
        !inner.ends_with(pair.close)) {
      continue;
    }
    begin += pair.open.size();
    text.remove_suffix(pair.close.size());
    break;
  }
  Source source;
  Notes notes;
  Expander expander(source, notes, {}, false);
  expander.open(text.substr(begin), begin);
  const std::optional<Formula> formula = read_math(expander, notes, {"", {begin, begin}, false});
  for (const Segment& note : notes.take()) {
    if (const auto* problem = std::get_if<Problem>(&note)) throw problem->error;
  }
  return formula ? simplified(formula->tokens) : Tokens();
}

}  // namespace axial::tex
