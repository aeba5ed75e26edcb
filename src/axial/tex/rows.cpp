// The rows and cells of a formula.
#include <algorithm>
#include <array>
#include <utility>

#include "axial/tex/formula.hpp"
#include "axial/tex/prose.hpp"
#include "axial/tex/simplify.hpp"
#include "axial/tex/tokenize.hpp"
#include "axial/tex/words.hpp"

namespace axial::tex {
namespace {

/// Displays in displays in displays: nobody writes more.
constexpr int deepest_display = 4;

bool is_command(const Token& token, std::string_view name) {
  return token.kind == TokenKind::command && token.text == name;
}

bool is_intertext(const Token& token) {
  return is_command(token, "intertext") || is_command(token, "shortintertext");
}

Tokens trimmed(Tokens tokens) {
  const auto is_word = [](const Token& token) { return token.kind != TokenKind::space; };
  tokens.erase(std::ranges::find_if(tokens.rbegin(), tokens.rend(), is_word).base(), tokens.end());
  tokens.erase(tokens.begin(), std::ranges::find_if(tokens, is_word));
  return tokens;
}

bool is_empty(const Row& row) {
  return std::ranges::all_of(row.cells, [](const Cell& cell) { return cell.tokens.empty(); });
}

/// Cuts tokens into rows at `\\` and cells at `&`.
class RowCutter {
 public:
  explicit RowCutter(const Tokens& tokens) : tokens_(tokens), ends_(matching_ends(tokens)) {}

  std::vector<Row> run() {
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      const Token& token = tokens_[i];
      if (token.kind == TokenKind::open || token.kind == TokenKind::begin) {
        const std::size_t end = std::min(ends_[i], tokens_.size() - 1);
        copy_without_labels(i, end + 1);
        i = end;
      } else if (token.kind == TokenKind::align) {
        end_cell();
      } else if (is_command(token, "\\")) {
        end_row();
      } else if (is_label(i)) {
        i = take_label(i);
      } else {
        cell_.push_back(token);
      }
    }
    end_row();
    while (!rows_.empty() && is_empty(rows_.back())) {
      // A label behind the last \\ belongs to the row before.
      if (rows_.size() > 1 && rows_[rows_.size() - 2].label.empty()) {
        rows_[rows_.size() - 2].label = std::move(rows_.back().label);
      }
      rows_.pop_back();
    }
    return std::move(rows_);
  }

 private:
  bool is_label(std::size_t i) const {
    return is_command(tokens_[i], "label") && i + 1 < tokens_.size() &&
           tokens_[i + 1].kind == TokenKind::open;
  }
  std::size_t take_label(std::size_t i) {
    const std::size_t end = std::min(ends_[i + 1], tokens_.size());
    const Tokens name(tokens_.begin() + static_cast<std::ptrdiff_t>(i + 2),
                      tokens_.begin() + static_cast<std::ptrdiff_t>(std::max(end, i + 2)));
    row_.label = spelled(name);
    return end;
  }
  void copy_without_labels(std::size_t begin, std::size_t end) {
    const std::string& name = tokens_[begin].text;
    const bool has_rows = is_inner_display(name) || is_math_environment(name);
    for (std::size_t i = begin; i < end; ++i) {
      if (is_label(i) && !has_rows) {
        i = take_label(i);
      } else {
        cell_.push_back(tokens_[i]);
      }
    }
  }
  void end_cell() {
    Tokens tokens = trimmed(std::exchange(cell_, {}));
    const Span span = hull(tokens);
    row_.cells.push_back({std::move(tokens), span});
  }
  void end_row() {
    end_cell();
    rows_.push_back(std::exchange(row_, {}));
  }

  const Tokens& tokens_;
  std::vector<std::size_t> ends_;
  std::vector<Row> rows_;
  Row row_;
  Tokens cell_;
};

/// The one cell of a row that is not empty, or null.
const Cell* only_cell(const Row& row) {
  const auto has_tokens = [](const Cell& cell) { return !cell.tokens.empty(); };
  if (std::ranges::count_if(row.cells, has_tokens) != 1) return nullptr;
  return &*std::ranges::find_if(row.cells, has_tokens);
}

/// What is inside the display that makes up the row, with the punctuation behind it; or nothing.
std::optional<Tokens> inner_display(const Row& row) {
  const Cell* cell = only_cell(row);
  if (cell == nullptr || cell->tokens.front().kind != TokenKind::begin) return {};
  const std::string& name = cell->tokens.front().text;
  if (!is_inner_display(name) && !is_math_environment(name)) return {};
  const std::size_t end = matching_ends(cell->tokens).front();
  if (end == cell->tokens.size()) return {};
  const auto is_punctuation = [](const Token& token) {
    return token.kind == TokenKind::space ||
           (token.kind == TokenKind::character && std::string_view(".,;").contains(token.text));
  };
  const auto tail = cell->tokens.begin() + static_cast<std::ptrdiff_t>(end);
  if (!std::all_of(tail + 1, cell->tokens.end(), is_punctuation)) return {};
  Tokens tokens(cell->tokens.begin() + 1, tail);
  tokens = trimmed(std::move(tokens));
  // A row that ends in \\ before the end of the display would put the punctuation on its own.
  while (!tokens.empty() && is_command(tokens.back(), "\\")) {
    tokens.pop_back();
    tokens = trimmed(std::move(tokens));
  }
  tokens.insert(tokens.end(), tail + 1, cell->tokens.end());
  return tokens;
}

std::vector<Row> rows_of(const Tokens& tokens, int depth = 0) {
  std::vector<Row> rows;
  for (Row& row : RowCutter(tokens).run()) {
    const std::optional<Tokens> inner =
        depth < deepest_display ? inner_display(row) : std::optional<Tokens>();
    if (!inner) {
      rows.push_back(std::move(row));
      continue;
    }
    std::vector<Row> inner_rows = rows_of(*inner, depth + 1);
    if (!inner_rows.empty() && inner_rows.front().label.empty()) {
      inner_rows.front().label = std::move(row.label);
    }
    std::ranges::move(inner_rows, std::back_inserter(rows));
  }
  return rows;
}

/// multline breaks one formula over several lines.
std::vector<Row> joined(std::vector<Row> rows) {
  Row all = {{Cell{}}, {}};
  Tokens& tokens = all.cells[0].tokens;
  for (Row& row : rows) {
    if (all.label.empty()) all.label = std::move(row.label);
    for (Cell& cell : row.cells) {
      if (!tokens.empty() && !cell.tokens.empty()) {
        tokens.push_back({TokenKind::space, " ", {cell.span.begin, cell.span.begin}});
      }
      std::ranges::move(cell.tokens, std::back_inserter(tokens));
    }
  }
  if (tokens.empty()) return {};
  all.cells[0].span = hull(tokens);
  return {std::move(all)};
}

/// \intertext{words with $formulas$ in them}: prose and formulas.
void add_text(std::vector<Segment>& segments, const Tokens& tokens) {
  Words words;
  const auto end_prose = [&] {
    if (std::optional<Prose> prose = words.take()) segments.emplace_back(std::move(*prose));
  };
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].kind != TokenKind::dollar) {
      add_word(words, tokens[i]);
      continue;
    }
    Formula formula = {{"$", tokens[i].span, false}, {}, tokens[i].span};
    for (++i; i < tokens.size() && tokens[i].kind != TokenKind::dollar; ++i) {
      formula.tokens.push_back(tokens[i]);
    }
    if (i < tokens.size()) formula.span.end = tokens[i].span.end;
    std::vector<Row> rows = rows_of(formula.tokens);
    if (rows.empty()) continue;
    end_prose();
    segments.emplace_back(Math{false, std::move(rows), formula.span});
  }
  end_prose();
}

}  // namespace

std::vector<Segment> segments_of(const Formula& formula) {
  const Tokens tokens = simplified(formula.tokens);
  const std::vector<std::size_t> ends = matching_ends(tokens);
  const bool is_one = unstarred(formula.opening.name) == "multline";
  std::vector<Segment> segments;
  bool is_divided = false;
  Tokens part;
  const auto end_part = [&] {
    std::vector<Row> rows = rows_of(part);
    if (is_one) rows = joined(std::move(rows));
    if (!rows.empty()) {
      const Span span = is_divided ? hull(part) : formula.span;
      segments.emplace_back(Math{formula.opening.display, std::move(rows), span});
    }
    part.clear();
  };
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const bool divides =
        is_intertext(tokens[i]) && i + 1 < tokens.size() && tokens[i + 1].kind == TokenKind::open;
    if (divides) {
      is_divided = true;
      end_part();
      const std::size_t end = std::min(ends[i + 1], tokens.size());
      add_text(segments, Tokens(tokens.begin() + static_cast<std::ptrdiff_t>(i + 2),
                                tokens.begin() + static_cast<std::ptrdiff_t>(end)));
      i = end;
    } else {
      part.push_back(tokens[i]);
    }
  }
  end_part();
  return segments;
}

}  // namespace axial::tex
