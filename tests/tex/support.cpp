#include "tex/support.hpp"

#include <fmt/format.h>

namespace axial::tex {
namespace {

struct Line {
  std::string operator()(const Math& math) const {
    std::string text = math.display ? "display:" : "math:";
    for (const Row& row : math.rows) {
      if (&row != &math.rows.front()) text += " //";
      for (const Cell& cell : row.cells) {
        if (&cell != &row.cells.front()) text += " |";
        if (!cell.tokens.empty()) text += " " + typed(cell.tokens);
      }
      if (!row.label.empty()) text += " (" + row.label + ")";
    }
    return text;
  }
  std::string operator()(const Prose& prose) const {
    std::string text;
    for (const char c : prose.text) text += c == '\n' ? std::string("¶") : std::string(1, c);
    return "prose: " + text;
  }
  std::string operator()(const Heading& heading) const {
    return fmt::format("heading {}: {}", heading.level, heading.title);
  }
  std::string operator()(const Environment& environment) const {
    return (environment.begins ? "begin: " : "end: ") + environment.name;
  }
  std::string operator()(const Directive& directive) const {
    return "directive: " + directive.text;
  }
  std::string operator()(const Problem& problem) const {
    return fmt::format("problem {} at {}: {}", problem.error.code().name,
                       problem.error.span() ? problem.error.span()->begin : 0,
                       problem.error.message());
  }
};

std::string typed(const Token& token) {
  switch (token.kind) {
    case TokenKind::command: return "\\" + token.text;
    case TokenKind::begin: return "\\begin{" + token.text + "}";
    case TokenKind::end: return "\\end{" + token.text + "}";
    case TokenKind::space: return "·";
    default: return token.text;
  }
}

}  // namespace

std::string typed(const Tokens& tokens) {
  std::string text;
  for (const Token& token : tokens) text += (text.empty() ? "" : " ") + typed(token);
  return text;
}

std::string outline(std::string_view text, Format format, const std::filesystem::path& folder) {
  Source source;
  std::string lines;
  for (const Segment& segment :
       read_document(source, "document", std::string(text), format, folder)) {
    lines += std::visit(Line(), segment) + "\n";
  }
  return lines;
}

}  // namespace axial::tex
