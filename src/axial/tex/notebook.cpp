#include "axial/tex/notebook.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <utility>
#include <vector>

#include "axial/tex/markdown.hpp"

namespace axial::tex {
namespace {

using nlohmann::json;

constexpr std::size_t deepest_json = 200;

/// How deep brackets nest, those in strings left out: the parser of JSON trusts its stack.
std::size_t depth_of(std::string_view text) {
  std::size_t depth = 0;
  std::size_t deepest = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string && c == '\\') ++i;
    if (c == '"') in_string = !in_string;
    if (in_string) continue;
    if (c == '[' || c == '{') deepest = std::max(deepest, ++depth);
    if ((c == ']' || c == '}') && depth > 0) --depth;
  }
  return deepest;
}

/// A cell's text, and on which lines of the file its lines stand.
struct CellText {
  std::string text;
  std::vector<std::int64_t> lines;
};

/// Finds the strings of a notebook in its file. They come in order, so that each search starts
/// where the last one ended.
class Lines {
 public:
  explicit Lines(std::string_view text) : text_(text) {}

  /// The line of the next string that is written as `string`, or the last line found.
  std::int64_t of(const json& string) {
    const std::string written = string.dump(-1, ' ', false, json::error_handler_t::replace);
    std::size_t found = text_.find(written, at_);
    if (found == std::string_view::npos) {
      const std::string ascii = string.dump(-1, ' ', true, json::error_handler_t::replace);
      found = is_lost_ ? found : text_.find(ascii, at_);
    }
    if (found == std::string_view::npos) {
      // Once is enough to know that this file escapes its strings in a way of its own.
      is_lost_ = true;
      return line_;
    }
    for (; at_ < found; ++at_) line_ += text_[at_] == '\n' ? 1 : 0;
    return line_;
  }

  bool is_lost() const { return is_lost_; }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
  std::int64_t line_ = 1;
  bool is_lost_ = false;
};

void add_lines(CellText& cell, const json& string, std::int64_t line) {
  const auto& text = string.get_ref<const std::string&>();
  const bool starts_line = cell.text.empty() || cell.text.back() == '\n';
  if (starts_line) cell.lines.push_back(line);
  // A string that holds several lines stands on one line of the file.
  for (std::size_t i = text.find('\n'); i + 1 < text.size(); i = text.find('\n', i + 1)) {
    if (i == std::string::npos) break;
    cell.lines.push_back(line);
  }
  cell.text += text;
}

CellText text_of(const json& source, Lines& lines) {
  CellText cell;
  const auto add = [&](const json& string) {
    if (!string.is_string()) return;
    const std::int64_t line = lines.is_lost() ? 1 : lines.of(string);
    add_lines(cell, string, line);
  };
  if (source.is_array()) {
    for (const json& string : source) add(string);
  } else {
    add(source);
  }
  if (lines.is_lost()) cell.lines.clear();
  return cell;
}

bool is_markdown(const json& cell) {
  return cell.is_object() && cell.contains("cell_type") && cell["cell_type"] == "markdown" &&
         cell.contains("source");
}

}  // namespace

void read_notebook(Source& source, Expander& expander, Notes& notes, Segments& segments,
                   const std::string& name, std::string text) {
  const auto fail = [&](std::string message) {
    const std::size_t offset = source.add(name, std::move(text));
    notes.problem(Error(code("bad-file"), std::move(message),
                        "save it as a notebook of format 4 (.ipynb)", Span{offset, offset}));
  };
  if (depth_of(text) > deepest_json) return fail("this notebook nests too deep");
  const json notebook = json::parse(text, nullptr, false);
  if (notebook.is_discarded()) return fail("this notebook is not JSON");
  if (!notebook.is_object() || !notebook.contains("cells") || !notebook["cells"].is_array()) {
    return fail("this notebook has no list of cells");
  }
  Lines lines(text);
  for (const json& cell : notebook["cells"]) {
    if (!is_markdown(cell)) continue;
    CellText content = text_of(cell["source"], lines);
    const std::size_t size = content.text.size();
    const std::size_t offset = source.add(name, std::move(content.text), std::move(content.lines));
    read_markdown(expander, notes, segments, source.text({offset, offset + size}), offset);
    segments.words().paragraph();
  }
}

}  // namespace axial::tex
