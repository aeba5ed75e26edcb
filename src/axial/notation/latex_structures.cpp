// Commands with arguments: fractions, fonts, functions, matrices, cases.
#include <algorithm>

#include "axial/notation/elaborate.hpp"
#include "axial/notation/latex_reader.hpp"
#include "axial/notation/latex_tables.hpp"

namespace axial::notation::latex {
namespace {

/// A letter in bold script: the notation's spelling of variables for shapes.
std::string script_letter(char letter) {
  const bool upper = letter >= 'A' && letter <= 'Z';
  if (!upper) return std::string(1, letter);
  const int point = 0x1D4D0 + (letter - 'A');
  return {'\xF0', static_cast<char>(0x80 | ((point >> 12) & 0x3F)),
          static_cast<char>(0x80 | ((point >> 6) & 0x3F)),
          static_cast<char>(0x80 | (point & 0x3F))};
}

/// Prose in \text: everything but a single word, and words that connect formulas.
bool is_prose(std::string_view text) {
  constexpr auto connecting = std::to_array<std::string_view>(
      {"where", "otherwise", "if",   "iff",   "for",        "and",        "or",
       "with",  "such",      "that", "when",  "odd",        "even",       "else",
       "const", "const.",    "st",   "s.t.",  "let",        "is",         "then",
       "so",    "as",        "all",  "else.", "otherwise.", "otherwise,", "odd.",
       "even.", "where,",    "in",   "if,",   "given",      "by"});
  return contains(connecting, text);
}

}  // namespace

/// \text{Attention} is a name; \text{for all $X$} is prose with formulas in it.
void Reader::word(const tex::Token& font) {
  if (font.text == "operatorname" && at_ < source_.size() && source_[at_].text == "*") ++at_;
  const tex::Tokens content = argument();
  const Span span = span_of(content, font.span);
  std::string text = plain_text(content);
  const bool has_math = std::ranges::any_of(content, [](const tex::Token& token) {
    const bool is_command = token.kind == Kind::command && token.text != "_";
    return token.kind == Kind::dollar || is_command || token.kind == Kind::sub ||
           token.kind == Kind::super;
  });
  if (font.text == "mathop" && has_math) return inner(content);
  if (text == "argmax" || text == "arg max") text = "argmax";
  if (text == "argmin" || text == "arg min") text = "argmin";
  const bool is_word = !text.empty() && !has_math && text.find(' ') == std::string::npos &&
                       (in_script_ || !is_prose(text)) && is_ascii_letter(text.substr(0, 1));
  if (!is_word) {
    if (text == "d" || (font.text == "mathrm" && !has_math && text.size() == 1))
      return name(text, span);
    return prose(content);
  }
  if (text == "d" && (font.text == "mathrm")) return symbol("∂", span);
  name(std::string(symbol_of(other_spellings, text).value_or(text)), span,
       text.size() == 1 ? "italic" : "word");
}

void Reader::prose(const tex::Tokens& content) {
  std::string text;
  Span span{};
  const auto flush = [&] {
    std::size_t begin = 0;
    while (begin < text.size()) {
      const std::size_t end = std::min(text.find(' ', begin), text.size());
      std::string one = text.substr(begin, end - begin);
      while (!one.empty() && (one.back() == '.' || one.back() == ',')) one.pop_back();
      if (!one.empty()) out_.push_back({TokenKind::word, one, span});
      begin = end + 1;
    }
    text.clear();
  };
  for (std::size_t k = 0; k < content.size(); ++k) {
    if (content[k].kind != Kind::dollar) {
      if (text.empty()) span = content[k].span;
      span.end = content[k].span.end;
      text += content[k].kind == Kind::character ? content[k].text : " ";
      continue;
    }
    flush();
    tex::Tokens formula;
    for (++k; k < content.size() && content[k].kind != Kind::dollar; ++k)
      formula.push_back(content[k]);
    inner(formula);
  }
  flush();
}

/// A formula in a box or over a brace; what is written at the brace is a remark.
void Reader::framed(std::string_view command, Span span) {
  const tex::Tokens content = argument();
  open(span);
  inner(content);
  close(span);
  skip_spaces();
  const bool is_labelled = command != "boxed" && at_ < source_.size() &&
                           (source_[at_].kind == Kind::sub || source_[at_].kind == Kind::super);
  if (!is_labelled) return;
  ++at_;
  argument();
}

void Reader::fraction(Span span) {
  const tex::Tokens above = argument();
  const tex::Tokens below = argument();
  const auto is_partial = [](const tex::Token& token) {
    return token.kind == Kind::command && token.text == "partial";
  };
  const bool is_operator =
      above.size() == 1 && is_partial(above[0]) && !below.empty() && is_partial(below[0]);
  if (is_operator) {
    symbol("∂/∂", span);
    open(span);
    inner({below.begin() + 1, below.end()});
    return close(span);
  }
  const Span top = span_of(above, span);
  const Span bottom = span_of(below, span);
  open({top.begin, top.begin});
  open({top.begin, top.begin});
  inner(above);
  close({top.end, top.end});
  symbol("/", span);
  open({bottom.begin, bottom.begin});
  inner(below);
  close({bottom.end, bottom.end});
  close({bottom.end, bottom.end});
}

void Reader::root(Span span) {
  const tex::Tokens degree = optional_argument();
  const tex::Tokens content = argument();
  if (degree.empty()) name("sqrt", span, "word");
  open(span);
  inner(content);
  close(span);
  if (degree.empty()) return;
  symbol("^", span);
  symbol("{", span, "implied");
  out_.push_back({TokenKind::number, "1", span});
  symbol("/", span);
  open(span);
  inner(degree);
  close(span);
  symbol("}", span, "implied");
}

/// \underset{axes}{f}, which is what \nfun and \nbin print.
void Reader::under(Span span) {
  const tex::Tokens axes = argument();
  tex::Tokens what = argument();
  while (what.size() > 1 && what[0].kind == Kind::command &&
         (what[0].text == "mathop" || what[0].text == "mathbin")) {
    Reader inside(what, is_long_name_);
    inside.at_ = 1;
    what = inside.argument();
  }
  const bool is_operation = what.size() == 1 && what[0].kind == Kind::command &&
                            symbol_of(signs, what[0].text).has_value();
  if (is_operation) return operation(axes, what, span);
  if (what.size() == 1 && what[0].text == "sum") {
    name("sum", span, "function");
    return axes_below(axes, span, "_");
  }
  function(axes, what, span);
}

/// \stackrel{(rule)}{=}
void Reader::over(Span span) {
  const tex::Tokens above = argument();
  const tex::Tokens below = argument();
  const std::size_t first = out_.size();
  inner(below);
  if (out_.size() == first + 1) {
    std::string rule;
    for (const tex::Token& token : above) {
      if (token.kind == Kind::character || token.kind == Kind::space) rule += token.text;
      // Of \ref{eq:sum_rule} its label.
      if (token.kind == Kind::sub || token.text == "_") rule += '_';
    }
    out_[first].note = rule.empty() ? "?" : rule;
    out_[first].span = span;
    if (rule.contains("def")) out_[first].note.clear();
  }
}

void Reader::function(const tex::Tokens& axes, const tex::Tokens& called, Span span) {
  const std::size_t first = out_.size();
  std::string text;
  tex::Tokens below;
  for (std::size_t k = 0; k < called.size(); ++k) {
    if (called[k].kind == Kind::sub) {
      below.assign(called.begin() + static_cast<std::ptrdiff_t>(k), called.end());
      break;
    }
    const bool is_underscore = called[k].kind == Kind::command && called[k].text == "_";
    if (called[k].kind == Kind::character || is_underscore) text += called[k].text;
  }
  if (text.empty()) inner(called);
  if (!text.empty()) {
    name(std::string(symbol_of(other_spellings, text).value_or(text)), span, "function");
  }
  if (out_.size() > first) out_[first].note = "function";
  axes_below(axes, span, "_");
  inner(below);
}

void Reader::operation(const tex::Tokens& axes, const tex::Tokens& op, Span span) {
  const std::string_view command = op.size() == 1 ? std::string_view(op[0].text) : "";
  if (command == "odot" || command == "cdot") return axes_below(axes, span, ".");
  if (command == "oplus") {
    symbol("⊕", span);
    return axes_below(axes, span, "_");
  }
  symbol(fmt::format("\\nbin{{}}{{{}}}", command), span);
}

void Reader::calligraphic(Span span) {
  for (const tex::Tokens content = argument(); const tex::Token& token : content) {
    if (token.kind == Kind::character && is_ascii_letter(token.text)) {
      name(script_letter(token.text[0]), span, "script");
    } else if (token.text == "'") {
      out_.back().text += "'";
    } else if (token.kind == Kind::super) {
      symbol("^", span);
    } else if (token.text == "*") {
      symbol("⊙", span);
    }
  }
}

/// A letter in another font or with an accent is a name of its own.
void Reader::accented(const tex::Token& token) {
  const std::size_t first = out_.size();
  const tex::Tokens content = argument();
  const std::string text = plain_text(content);
  if (text.size() > 1 && std::ranges::all_of(text, [](char c) {
        return is_ascii_letter(std::string_view(&c, 1)) || is_digit(std::string_view(&c, 1));
      })) {
    name(text, span_of(content, token.span));
  } else {
    inner(content);
  }
  if (out_.size() == first + 1 && out_[first].kind == TokenKind::name) {
    if (const auto accent = symbol_of(accents, token.text)) out_[first].text += *accent;
  }
}

/// The cells of an environment that begins here, by rows.
std::vector<std::vector<tex::Tokens>> Reader::environment_rows(const std::string& name) {
  std::vector<std::vector<tex::Tokens>> rows{{{}}};
  int depth = 0, braces = 0;
  for (++at_; at_ < source_.size(); ++at_) {
    const tex::Token& token = source_[at_];
    if (token.kind == Kind::end && depth == 0) {
      ++at_;
      break;
    }
    depth += token.kind == Kind::begin ? 1 : token.kind == Kind::end ? -1 : 0;
    braces += token.kind == Kind::open ? 1 : token.kind == Kind::close ? -1 : 0;
    const bool outer = depth == 0 && braces == 0;
    if (outer && token.kind == Kind::align) {
      rows.back().emplace_back();
    } else if (outer && token.kind == Kind::command && (token.text == "\\" || token.text == "cr")) {
      rows.push_back({{}});
      if (at_ + 1 < source_.size() && source_[at_ + 1].text == "[") {
        while (at_ < source_.size() && source_[at_].text != "]") ++at_;
      }
    } else {
      rows.back().back().push_back(token);
    }
  }
  const auto is_blank = [](const std::vector<tex::Tokens>& row) {
    return std::ranges::all_of(row, [](const tex::Tokens& cell) {
      return std::ranges::all_of(cell,
                                 [](const tex::Token& token) { return token.kind == Kind::space; });
    });
  };
  while (!rows.empty() && is_blank(rows.back()) && (rows.size() > 1 || name == "cases"))
    rows.pop_back();
  return rows;
}

void Reader::environment(const tex::Token& begin) {
  const std::string what = begin.text;
  const Span span = begin.span;
  const auto rows = environment_rows(what);
  // Prose is prose again between the rows of an environment.
  in_script_ = false;
  if (what == "cases" || what == "dcases" || what == "cases*" || what == "rcases") {
    return cases(rows, span);
  }
  if (contains(matrices, what)) return matrix(rows, {}, {}, span);
  if (what == "array") return framed_matrix(rows, span);
  if (what == "split" || what == "aligned" || what == "gathered" || what == "alignedat") {
    for (const auto& row : rows) {
      for (const tex::Tokens& cell : row) inner(cell);
    }
    return;
  }
  symbol("\\begin{" + what + "}", span);
}

void Reader::cases(const std::vector<std::vector<tex::Tokens>>& rows, Span span) {
  name("cases", span, "word");
  symbol("{", span, "implied");
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (k > 0) symbol(";", span, "implied");
    for (std::size_t cell = 0; cell < rows[k].size(); ++cell) {
      const std::size_t first = out_.size();
      if (cell == 1) out_.push_back({TokenKind::word, "if", span});
      inner(rows[k][cell]);
      // "if", "for" and "when" say the same, and "otherwise" needs none of them. Those in braces
      // belong to cases inside of this one.
      int open = 0;
      for (std::size_t t = first + 1; cell == 1 && t < out_.size(); ++t) {
        open += out_[t].text == "{" ? 1 : out_[t].text == "}" ? -1 : 0;
        if (open > 0) continue;
        const bool repeats =
            out_[t].text == "if" || out_[t].text == "for" || out_[t].text == "when";
        if (out_[t].kind == TokenKind::word && repeats)
          out_.erase(out_.begin() + static_cast<std::ptrdiff_t>(t--));
        else if (out_[t].text == "otherwise" || out_[t].text == "else") {
          out_[t].text = "otherwise";
          out_.erase(out_.begin() + static_cast<std::ptrdiff_t>(first));
          --t;
        }
      }
    }
  }
  symbol("}", span, "implied");
}

/// [[..], [..]]_{rows, columns}; without the name of one of them, a single row or column.
void Reader::matrix(const std::vector<std::vector<tex::Tokens>>& rows, const std::string& row_axis,
                    const std::string& column_axis, Span span) {
  const bool flat = row_axis.empty() != column_axis.empty();
  symbol("[", span, "implied");
  bool first = true;
  for (const auto& row : rows) {
    if (!flat && !first) symbol(",", span);
    if (!flat) symbol("[", span, "implied");
    for (std::size_t cell = 0; cell < row.size(); ++cell) {
      if (cell > 0 || (flat && !first)) symbol(",", span);
      first = false;
      inner(row[cell]);
    }
    first = false;
    if (!flat) symbol("]", span, "implied");
  }
  symbol("]", span, "implied");
  if (row_axis.empty() && column_axis.empty()) return;
  symbol("_", span);
  symbol("{", span, "implied");
  if (!row_axis.empty()) out_.push_back({TokenKind::axis, row_axis, span});
  if (!row_axis.empty() && !column_axis.empty()) symbol(",", span);
  if (!column_axis.empty()) out_.push_back({TokenKind::axis, column_axis, span});
  symbol("}", span, "implied");
}

/// An array whose second row is a matrix: the name of the columns above it, that of the rows before.
void Reader::framed_matrix(const std::vector<std::vector<tex::Tokens>>& rows, Span span) {
  const auto holds_matrix = [](const tex::Tokens& cell) {
    return std::ranges::any_of(cell, [](const tex::Token& token) {
      return token.kind == Kind::begin && contains(matrices, token.text);
    });
  };
  const bool is_frame =
      rows.size() == 2 && rows[0].size() == 1 && rows[1].size() == 1 && holds_matrix(rows[1][0]);
  if (!is_frame) return matrix(rows, {}, {}, span);
  std::string row_axis, column_axis;
  if (!out_.empty() && out_.back().kind == TokenKind::axis) {
    row_axis = out_.back().text;
    span.begin = std::min(span.begin, out_.back().span.begin);
    out_.pop_back();
  }
  const Tokens columns = Reader(rows[0][0], is_long_name_).read();
  for (const Token& token : columns) {
    if (token.kind == TokenKind::axis) column_axis = token.text;
  }
  Reader inside(rows[1][0], is_long_name_);
  while (inside.at_ < rows[1][0].size() && rows[1][0][inside.at_].kind != Kind::begin) ++inside.at_;
  const std::string what = rows[1][0][inside.at_].text;
  matrix(inside.environment_rows(what), row_axis, column_axis, span);
}

}  // namespace axial::notation::latex
