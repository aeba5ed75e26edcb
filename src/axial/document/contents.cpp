#include "axial/document/contents.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

#include "axial/base/text.hpp"
#include "axial/document/lines.hpp"
#include "axial/notation/elaborate.hpp"
#include "axial/notation/lexer.hpp"

namespace axial::document {
namespace {

using notation::Token;
using notation::TokenKind;

constexpr std::size_t max_document = std::size_t{64} << 20;

bool is_symbol(const Token& token, std::string_view text) {
  return token.kind == TokenKind::symbol && token.text == text;
}

/// Behind the script that starts at `at`, if one does.
std::size_t after_scripts(const notation::Tokens& tokens, std::size_t at) {
  while (at < tokens.size() && (is_symbol(tokens[at], "^") || is_symbol(tokens[at], "_"))) {
    int open = 0;
    for (++at; at < tokens.size(); ++at) {
      open += is_symbol(tokens[at], "{") ? 1 : is_symbol(tokens[at], "}") ? -1 : 0;
      if (open == 0) break;
    }
    ++at;
  }
  return at;
}

/// Behind the closing parenthesis if a list of names stands in parentheses at `at`, else 0.
std::size_t after_parameters(const notation::Tokens& tokens, std::size_t at) {
  if (at >= tokens.size() || !is_symbol(tokens[at], "(")) return 0;
  for (++at; at < tokens.size() && !is_symbol(tokens[at], ")"); ++at) {
    const bool fits = tokens[at].kind == TokenKind::name || tokens[at].kind == TokenKind::number ||
                      is_symbol(tokens[at], ",") || is_symbol(tokens[at], ";") ||
                      is_symbol(tokens[at], "^") || is_symbol(tokens[at], "{") ||
                      is_symbol(tokens[at], "}") || is_symbol(tokens[at], "_");
    if (!fits) return 0;
  }
  return at + 1;
}

/// The function that a line defines or gives a signature: f(X) = ..., f : ... → ...
std::optional<std::string> function_of(const notation::Tokens& tokens, bool plain_text) {
  std::size_t at = 0;
  while (at < tokens.size() &&
         (tokens[at].kind == TokenKind::indent || tokens[at].kind == TokenKind::gap ||
          tokens[at].kind == TokenKind::word)) {
    ++at;
  }
  if (at >= tokens.size() || tokens[at].kind != TokenKind::name) return std::nullopt;
  std::string name = tokens[at].text;
  const std::size_t head = after_scripts(tokens, at + 1);
  const bool has_arrow =
      std::ranges::any_of(tokens, [](const Token& token) { return is_symbol(token, "→"); });
  if (head < tokens.size() && is_symbol(tokens[head], ":") && has_arrow) {
    const std::size_t split = plain_text ? name.rfind('_') : std::string::npos;
    return split == std::string::npos || split == 0 ? name : name.substr(0, split);
  }
  const std::size_t after = after_parameters(tokens, head);
  const bool defines = after > 0 && after < tokens.size() &&
                       (is_symbol(tokens[after], "=") || is_symbol(tokens[after], ":=") ||
                        is_symbol(tokens[after], "∈"));
  if (!defines) return std::nullopt;
  // In plain text the axis under a function is spelled with it: softmax_seq(X).
  const std::size_t split = plain_text ? name.rfind('_') : std::string::npos;
  return split == std::string::npos || split == 0 ? name : name.substr(0, split);
}

std::string first_word(std::string_view prose) {
  const std::size_t begin = prose.find_first_not_of(" \n,.;:(");
  if (begin == std::string_view::npos) return {};
  const std::size_t end = prose.find_first_of(" \n,.;:", begin);
  std::string word(prose.substr(begin, end - begin));
  std::ranges::transform(word, word.begin(),
                         [](char c) { return static_cast<char>(std::tolower(c)); });
  return word;
}

/// True if prose between two displays says that they belong together.
bool links(std::string_view prose) {
  const std::string word = first_word(prose);
  return word == "where" || word == "and" || word == "with" || word == "here" || word == "such" ||
         word == "so" || word == "in" || word == "for";
}

/// Walks through the segments of a document and collects its items.
class Collector {
 public:
  Collector(Contents& contents, const std::vector<tex::Segment>& segments)
      : contents_(contents), segments_(segments) {}

  void collect() {
    for (const tex::Segment& segment : segments_) {
      if (const auto* math = std::get_if<tex::Math>(&segment)) note_names(*math);
    }
    for (const tex::Segment& segment : segments_) {
      if (const auto* math = std::get_if<tex::Math>(&segment)) {
        lines_.push_back(lines_of(*math, [&](std::string_view name) { return is_long(name); }));
        for (const Line& line : lines_.back()) {
          if (auto name = function_of(line.tokens, false)) functions_.insert(*name);
        }
      }
    }
    if (mentions_sigmoid()) functions_.insert("σ");
    contents_.functions.assign(functions_.begin(), functions_.end());
    for (const tex::Segment& segment : segments_) {
      std::visit([&](const auto& part) { add(part); }, segment);
    }
  }

 private:
  void note_names(const tex::Math& math) {
    for (const tex::Row& row : math.rows) {
      for (const tex::Cell& cell : row.cells) {
        for (std::string& name : notation::long_names(cell.tokens)) long_.insert(std::move(name));
      }
    }
  }
  /// Authors who say that σ is the logistic function seldom define it.
  bool mentions_sigmoid() const {
    return std::ranges::any_of(segments_, [](const tex::Segment& segment) {
      const auto* prose = std::get_if<tex::Prose>(&segment);
      return prose != nullptr && (prose->text.find("sigmoid") != std::string::npos ||
                                  prose->text.find("logistic") != std::string::npos);
    });
  }
  bool is_long(std::string_view name) const { return long_.contains(name); }

  void add(const tex::Prose& prose) { prose_ += prose.text + " "; }
  void add(const tex::Environment&) { prose_ += "\n\n"; }
  void add(const tex::Problem& problem) { contents_.problems.push_back(problem.error); }
  void add(const tex::Heading& heading) {
    while (!levels_.empty() && levels_.back() >= heading.level) {
      levels_.pop_back();
      section_.pop_back();
    }
    levels_.push_back(heading.level);
    section_.push_back(++headings_);
    block_ = ++blocks_;
    paragraph_ = 0;
    prose_ = "\n\n";
    last_math_ = 0;
  }
  void add(const tex::Directive& directive) {
    ignore_ = ignore_ || directive.text.starts_with("ignore");
    expect_ = expect_ || directive.text.starts_with("expect-error");
    if (directive.text.starts_with("assume")) assume(directive);
  }

  /// % axial: assume X : R[seq, key]
  void assume(const tex::Directive& directive) {
    Item item{directive.span};
    item.block = block_;
    item.section = section_;
    item.assumed = true;
    try {
      const std::size_t begin = directive.text.find_first_not_of(' ', 6);
      if (begin == std::string::npos) return;
      notation::Tokens tokens = notation::tokenize(std::string_view(directive.text).substr(begin));
      for (Token& token : tokens) token.span = directive.span;
      auto parsed = notation::parse_line(std::move(tokens),
                                         [&](std::string_view name) { return knows(name); });
      for (notation::Remarked& one : parsed) {
        item.statement = std::move(one.statement);
        contents_.items.push_back(item);
      }
    } catch (const Error& error) {
      contents_.problems.push_back(
          Error(error.code(), error.message(), error.hint(), directive.span));
    }
  }

  void add(const tex::Math& math) {
    const std::vector<Line>& lines = lines_[next_math_++];
    if (math.display && !links(prose_)) block_ = ++blocks_;
    // Formulas inside the sentences of a paragraph belong together, and to a display only if the
    // sentence says so.
    const bool starts_paragraph =
        prose_.find("\n\n", last_math_) != std::string::npos || paragraph_ == 0;
    if (!math.display && starts_paragraph && !links(prose_)) paragraph_ = ++blocks_;
    if (math.display) paragraph_ = 0;
    if (!math.display && links(prose_) && first_word(prose_) == "where") paragraph_ = block_;
    std::vector<std::optional<std::size_t>> last_of_line;
    for (const Line& line : lines) {
      last_of_line.push_back(add_line(line, math.display, last_of_line));
    }
    if (math.display) {
      prose_.clear();
      ignore_ = expect_ = false;
    } else {
      prose_ += "□ ";
    }
    last_math_ = prose_.size();
  }

  bool knows(std::string_view name) const { return document::is_function(contents_, name); }

  /// Adds the statements of a line; returns the last of them.
  std::optional<std::size_t> add_line(const Line& line, bool display,
                                      const std::vector<std::optional<std::size_t>>& before) {
    Item item{line.span};
    item.display = display;
    item.block = display || paragraph_ == 0 ? block_ : paragraph_;
    item.section = section_;
    item.lead = prose_;
    item.label = line.label;
    item.ignored = ignore_;
    item.error_expected = expect_;
    if (line.continues && *line.continues < before.size()) item.continues = before[*line.continues];
    try {
      if (line.problem) throw *line.problem;
      require_balance(line.tokens);
      notation::Tokens tokens = line.tokens;
      tokens.push_back({TokenKind::end, "", {line.span.end, line.span.end}});
      auto parsed = notation::parse_line(std::move(tokens),
                                         [&](std::string_view name) { return knows(name); });
      std::optional<std::size_t> last;
      for (notation::Remarked& one : parsed) last = push(item, std::move(one));
      return last;
    } catch (const Error& error) {
      // Inside a sentence most formulas are mentions, which state nothing.
      if (!display) return std::nullopt;
      item.problem = error.at(line.span);
      if (error.code().name == "unbalanced") item.tokens = line.tokens;
      contents_.items.push_back(item);
      return contents_.items.size() - 1;
    }
  }

  std::optional<std::size_t> push(Item item, notation::Remarked&& one) {
    item.span = std::visit([](const auto& statement) { return statement.span; }, one.statement);
    const auto* equation = std::get_if<notation::Equation>(&one.statement);
    const bool is_mention = equation != nullptr && equation->relations.empty();
    const bool is_ellipsis = is_mention && equation->sides.size() == 1 &&
                             equation->sides[0].form == notation::Form::ellipsis;
    if ((is_mention && !item.display) || is_ellipsis) return std::nullopt;
    item.statement = std::move(one.statement);
    item.remark = std::move(one.remark);
    contents_.items.push_back(std::move(item));
    return contents_.items.size() - 1;
  }

  Contents& contents_;
  const std::vector<tex::Segment>& segments_;
  std::vector<std::vector<Line>> lines_;
  std::set<std::string, std::less<>> long_;
  std::set<std::string, std::less<>> functions_;
  std::size_t next_math_ = 0;
  std::string prose_;
  std::size_t last_math_ = 0;
  std::vector<int> section_;
  std::vector<int> levels_;
  int headings_ = 0;
  int blocks_ = 0;
  int block_ = 0;
  int paragraph_ = 0;
  bool ignore_ = false;
  bool expect_ = false;
};

/// Plain text: a line is a statement; lines without a blank one between them are a block.
void read_plain_text(Contents& contents, const std::string& text, std::size_t offset) {
  std::set<std::string, std::less<>> functions;
  std::vector<std::pair<std::size_t, std::string_view>> lines;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines.emplace_back(begin, std::string_view(text).substr(begin, end - begin));
    begin = end + 1;
  }
  std::vector<notation::Tokens> tokens;
  std::vector<std::optional<Error>> problems(lines.size());
  for (std::size_t k = 0; k < lines.size(); ++k) {
    tokens.emplace_back();
    try {
      tokens.back() = notation::tokenize(lines[k].second);
    } catch (const Error& error) {
      problems[k] = error;
    }
    if (auto name = function_of(tokens.back(), true)) functions.insert(*name);
  }
  contents.functions.assign(functions.begin(), functions.end());
  int block = 0;
  for (std::size_t k = 0; k < lines.size(); ++k) {
    const auto shifted = [&](Span span) {
      return Span{span.begin + lines[k].first + offset, span.end + lines[k].first + offset};
    };
    if (lines[k].second.find_first_not_of(" \t\r") == std::string_view::npos) ++block;
    for (Token& token : tokens[k]) token.span = shifted(token.span);
    std::erase_if(tokens[k], [](const Token& token) { return token.kind == TokenKind::indent; });
    if (!problems[k] && tokens[k].size() <= 1) continue;
    Item item{shifted({0, lines[k].second.size()})};
    item.block = block;
    try {
      if (problems[k]) throw problems[k]->at(item.span);
      require_balance(tokens[k]);
      for (notation::Remarked& one : notation::parse_line(
               tokens[k], [&](std::string_view name) { return is_function(contents, name); })) {
        item.span = std::visit([](const auto& statement) { return statement.span; }, one.statement);
        item.statement = std::move(one.statement);
        item.remark = std::move(one.remark);
        contents.items.push_back(item);
      }
    } catch (const Error& error) {
      item.problem = error.at(item.span);
      if (error.code().name == "unbalanced") item.tokens = tokens[k];
      if (problems[k] && problems[k]->span()) {
        item.problem =
            Error(error.code(), error.message(), error.hint(), shifted(*problems[k]->span()));
      }
      contents.items.push_back(item);
    }
  }
}

}  // namespace

bool is_function(const Contents& contents, std::string_view name) {
  return std::ranges::binary_search(contents.functions, name) || notation::is_function(name);
}

Contents read(const std::string& file, std::string text, const std::filesystem::path& folder) {
  if (text.size() > max_document) {
    throw Error(code("bad-file"), fmt::format("`{}` is larger than 64 MiB", shown(file)),
                "split the document");
  }
  Contents contents;
  if (std::filesystem::path(file).extension() == ".nt") {
    contents.is_plain_text = true;
    if (!is_utf8(text)) {
      throw Error(code("bad-file"), fmt::format("`{}` is not UTF-8", shown(file)),
                  "save it as UTF-8");
    }
    const std::size_t offset = contents.source.add(file, text);
    read_plain_text(contents, text, offset);
    return contents;
  }
  const std::vector<tex::Segment> segments =
      tex::read_document(contents.source, file, std::move(text), tex::format_of(file), folder);
  Collector(contents, segments).collect();
  return contents;
}

Contents read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file || std::filesystem::is_directory(path)) {
    throw Error(code("file-access"), fmt::format("`{}` cannot be read", shown(path.string())),
                "check that the file is there");
  }
  std::ostringstream text;
  text << file.rdbuf();
  const std::filesystem::path folder = path.parent_path();
  return read(path.string(), std::move(text).str(), folder.empty() ? "." : folder);
}

}  // namespace axial::document
