#include "axial/document/lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "axial/notation/parse.hpp"

namespace axial::document {
namespace {

using notation::Token;
using notation::TokenKind;

// What stands between the two parts of a declaration or signature.
constexpr auto connectives = std::to_array<std::string_view>({"∈", "→", ":"});
constexpr auto operators = std::to_array<std::string_view>({"+", "-", "⊙", "/", ".", "×", "⊕"});

template <class List>
bool is_one_of(const List& list, const Token& token) {
  return token.kind == TokenKind::symbol && std::ranges::find(list, token.text) != list.end();
}

bool connects(const Token& token) {
  return notation::is_relation(token) || is_one_of(connectives, token);
}

bool has_relation(const notation::Tokens& tokens) {
  return std::ranges::any_of(tokens, [](const Token& token) { return connects(token); });
}

bool is_prose_only(const notation::Tokens& tokens) {
  return std::ranges::all_of(tokens, [](const Token& token) {
    return token.kind == TokenKind::word || token.kind == TokenKind::gap ||
           (token.kind == TokenKind::symbol && token.text.size() == 1 &&
            std::string_view(".,;").find(token.text[0]) != std::string_view::npos);
  });
}

bool opens_condition(const Token& token) {
  constexpr auto words =
      std::to_array<std::string_view>({"if", "iff", "when", "since", "for", "by"});
  return token.kind == TokenKind::word && std::ranges::find(words, token.text) != words.end();
}

/// A word or two beside an equation is a remark, even if it could be a name.
bool is_remark(const notation::Tokens& tokens) {
  return is_prose_only(tokens) || opens_condition(tokens.front()) ||
         std::ranges::all_of(tokens, [](const Token& token) {
           return token.kind == TokenKind::word || token.note == "word";
         });
}

struct Bracket {
  std::string_view open;
  std::string_view close;
};
constexpr auto brackets = std::to_array<Bracket>({{"(", ")"}, {"[", "]"}, {"{", "}"}});

/// The middle column of an eqnarray.
bool is_relation_alone(const tex::Tokens& tokens) {
  const notation::Tokens read =
      notation::from_latex(tokens, [](std::string_view) { return false; });
  return read.size() == 1 && connects(read[0]);
}

/// The cells of a row, two by two: left and right side of an equation.
std::vector<tex::Tokens> columns_of(const tex::Row& row) {
  std::vector<tex::Tokens> columns;
  if (row.cells.size() == 3 && is_relation_alone(row.cells[1].tokens)) {
    columns.emplace_back();
    for (const tex::Cell& cell : row.cells) {
      columns[0].insert(columns[0].end(), cell.tokens.begin(), cell.tokens.end());
    }
    return columns;
  }
  for (std::size_t k = 0; k < row.cells.size(); ++k) {
    if (k % 2 == 0) columns.emplace_back();
    const tex::Tokens& cell = row.cells[k].tokens;
    columns.back().insert(columns.back().end(), cell.begin(), cell.end());
  }
  return columns;
}

Span span_of(const notation::Tokens& tokens) {
  Span span = tokens.front().span;
  for (const Token& token : tokens) {
    span.begin = std::min(span.begin, token.span.begin);
    span.end = std::max(span.end, token.span.end);
  }
  return span;
}

class Joiner {
 public:
  void add(std::size_t column, notation::Tokens tokens, const std::string& label) {
    const auto before = last_.find(column);
    Line* previous = before == last_.end() ? nullptr : &lines_[before->second];
    const bool starts_relation = connects(tokens.front());
    const bool starts_operator = is_one_of(operators, tokens.front());
    const bool joins =
        previous != nullptr &&
        ((starts_relation && !has_relation(previous->tokens)) || starts_operator ||
         connects(previous->tokens.back()) || is_one_of(operators, previous->tokens.back()));
    if (joins) {
      previous->tokens.insert(previous->tokens.end(), tokens.begin(), tokens.end());
      previous->span = span_of(previous->tokens);
      if (previous->label.empty()) previous->label = label;
      return;
    }
    Line line{std::move(tokens), {}};
    line.span = span_of(line.tokens);
    line.label = label;
    if (starts_relation && previous != nullptr) line.continues = before->second;
    last_[column] = lines_.size();
    lines_.push_back(std::move(line));
  }

  /// A remark belongs to the statement beside it.
  void remark(const notation::Tokens& tokens) {
    if (lines_.empty()) return;
    for (Token token : tokens) {
      token.kind = token.kind == TokenKind::symbol ? TokenKind::gap : TokenKind::word;
      lines_.back().tokens.push_back(std::move(token));
    }
  }

  void fail(const Error& error, Span span) { lines_.push_back({{}, span, {}, error}); }

  std::vector<Line> finish() { return std::move(lines_); }

 private:
  std::vector<Line> lines_;
  std::map<std::size_t, std::size_t> last_;
};

}  // namespace

std::vector<Line> lines_of(const tex::Math& math, const notation::IsLongName& is_long_name) {
  Joiner joiner;
  for (const tex::Row& row : math.rows) {
    const std::vector<tex::Tokens> columns = columns_of(row);
    bool has_statement = false;
    for (std::size_t column = 0; column < columns.size(); ++column) {
      try {
        notation::Tokens tokens = notation::from_latex(columns[column], is_long_name);
        while (!tokens.empty() && tokens.front().kind == TokenKind::gap)
          tokens.erase(tokens.begin());
        if (tokens.empty()) continue;
        const bool aside = has_statement || column > 0 ? is_remark(tokens) : is_prose_only(tokens);
        if (aside) {
          joiner.remark(tokens);
          continue;
        }
        joiner.add(column, std::move(tokens), row.label);
        has_statement = true;
      } catch (const Error& error) {
        joiner.fail(error, math.span);
      }
    }
  }
  return joiner.finish();
}

void require_balance(const notation::Tokens& tokens) {
  // As many brackets close as open: an interval such as [0, 1) or ]0, 1[, which is other notation.
  int open_count = 0, close_count = 0, braces = 0;
  for (const Token& token : tokens) {
    if (token.kind != TokenKind::symbol) continue;
    open_count += token.text == "(" || token.text == "[" ? 1 : 0;
    close_count += token.text == ")" || token.text == "]" ? 1 : 0;
    braces += token.text == "{" ? 1 : token.text == "}" ? -1 : 0;
  }
  const Code& kind =
      open_count == close_count || braces != 0 ? code("foreign") : code("unbalanced");
  std::vector<const Token*> open;
  for (const Token& token : tokens) {
    if (token.kind != TokenKind::symbol) continue;
    for (const Bracket& bracket : brackets) {
      if (token.text == bracket.open) open.push_back(&token);
      if (token.text != bracket.close) continue;
      const bool matches = !open.empty() && open.back()->text == bracket.open;
      if (!matches) {
        throw Error(kind, fmt::format("this `{}` closes nothing that is open here", bracket.close),
                    open.empty() ? "remove it, or open it further left"
                                 : fmt::format("`{}` is open", open.back()->text),
                    token.span);
      }
      open.pop_back();
    }
  }
  if (open.empty()) return;
  throw Error(kind, fmt::format("this `{}` is never closed", open.back()->text),
              "close it where its content ends", open.back()->span);
}

}  // namespace axial::document
