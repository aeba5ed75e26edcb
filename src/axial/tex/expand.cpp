#include "axial/tex/expand.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>
#include <utility>

#include "axial/base/text.hpp"
#include "axial/tex/words.hpp"

namespace axial::tex {
namespace {

constexpr std::size_t deepest_expansion = 200;
constexpr std::size_t most_tokens = 2'000'000;
constexpr std::size_t most_tokens_of_formula = 100'000;
constexpr std::size_t deepest_group = 500;

std::string described(const Group& group) {
  switch (group.kind) {
    case Group::Kind::brace: return "{";
    case Group::Kind::environment: return "\\begin{" + shown(group.name) + "}";
    case Group::Kind::math: return group.name;
  }
  std::unreachable();
}

/// How many tokens a call gives, known before any is made since it may be too many.
std::size_t expanded_size(const Macro& macro, const std::vector<Tokens>& arguments) {
  std::size_t size = 0;
  for (const Token& token : macro.body) {
    const bool is_argument = token.kind == TokenKind::parameter && token.text.size() == 1;
    const std::size_t index = is_argument ? static_cast<std::size_t>(token.text[0] - '1') : 0;
    size += is_argument && index < arguments.size() ? arguments[index].size() : 1;
  }
  return size;
}

/// `body` with the arguments put in. What comes from the body is placed at `call`.
Tokens substituted(const Macro& macro, const std::vector<Tokens>& arguments, Span call) {
  Tokens result;
  for (const Token& token : macro.body) {
    if (token.kind != TokenKind::parameter) {
      result.push_back({token.kind, token.text, call});
    } else if (token.text.size() == 1) {
      const std::size_t index = static_cast<std::size_t>(token.text[0] - '1');
      if (index >= arguments.size()) continue;
      result.insert(result.end(), arguments[index].begin(), arguments[index].end());
    } else {
      // ##1 is #1 in the definition that the body makes, ####1 is ##1.
      const std::size_t marks = token.text.size() / 2;
      result.push_back({token.kind, std::string(marks - 1, '#') + token.text.back(), call});
    }
  }
  return result;
}

}  // namespace

Expander::Expander(Source& source, Notes& notes, std::filesystem::path folder,
                   bool formulas_are_groups)
    : source_(&source),
      notes_(&notes),
      folder_(std::move(folder)),
      formulas_are_groups_(formulas_are_groups),
      stream_(notes) {}

void Expander::open(std::string_view text, std::size_t offset, const std::filesystem::path& file) {
  // Known by its whole path, so that it is recognized when it is asked to read itself.
  std::error_code failure;
  const std::filesystem::path whole =
      file.empty() ? file : std::filesystem::weakly_canonical(folder_ / file.filename(), failure);
  stream_.open(Tokenizer(text, offset, *notes_), whole);
}

std::optional<Token> Expander::next() {
  if (ahead_) return std::exchange(ahead_, {});
  while (!exhausted_) {
    std::optional<Token> token = stream_.next();
    if (!token) return {};
    const Span span = token->span;
    try {
      if (std::optional<Token> passed = pass(std::move(*token))) return passed;
    } catch (const Error& error) {
      notes_->problem(error.at(span));
    }
  }
  return {};
}

std::optional<Token> Expander::pass(Token token) {
  const bool opens_text = after_text_command_ && token.kind == TokenKind::open;
  if (token.kind != TokenKind::space) after_text_command_ = false;
  if (token.kind == TokenKind::open) {
    const std::size_t around = groups_.empty() ? 0 : groups_.back().text_depth;
    open_group({Group::Kind::brace, "{", token.span, around + (opens_text ? 1 : 0)});
    return token;
  }
  if (token.kind == TokenKind::close) return close_brace(std::move(token));
  if (token.kind != TokenKind::command) return token;
  if (const MacroPointer macro = macros_.find(token.text)) {
    if (macro->alias.empty()) {
      expand(*macro, token);
      return {};
    }
    token.text = macro->alias;
  }
  if (token.text == "begin") return begin_environment(token);
  if (token.text == "end" || token.text == "end environment") return end_environment(token);
  if (define(token)) return {};
  after_text_command_ = is_text_command(token.text);
  return token;
}

std::optional<Token> Expander::close_brace(Token token) {
  if (groups_.empty() || groups_.back().kind != Group::Kind::brace) {
    notes_->problem(Error(code("syntax"), "this `}` closes nothing",
                          "remove it, or add the `{` that it belongs to", token.span));
    return {};
  }
  unwind(groups_.size() - 1);
  return token;
}

std::string Expander::name_of_environment(const Token& token, Span& span) {
  const Tokens name = stream_.argument(token);
  span = token.span;
  // The place of the name counts only if it was written here, not in some macro.
  if (!name.empty() && name.back().span.begin >= token.span.end &&
      name.back().span.end - token.span.begin < 200) {
    span.end = name.back().span.end + 1;
  }
  return spelled(name);
}

std::optional<Token> Expander::begin_environment(const Token& token) {
  Span span;
  std::string name = name_of_environment(token, span);
  const bool keeps = !formulas_are_groups_ && is_math_environment(name);
  const bool is_formula = is_math_environment(name);
  const std::size_t around = groups_.empty() || is_formula ? 0 : groups_.back().text_depth;
  open_group({Group::Kind::environment, name, span, around, keeps});
  if (const MacroPointer macro = macros_.find("begin " + name)) {
    expand(*macro, {TokenKind::command, name, span});
    return {};
  }
  return Token{TokenKind::begin, std::move(name), span};
}

std::optional<Token> Expander::end_environment(const Token& token) {
  Span span;
  std::string name = name_of_environment(token, span);
  if (const MacroPointer macro = macros_.find("end " + name); macro && token.text == "end") {
    // The environment's own definitions are still in force while its end is read.
    Tokens rest = {{TokenKind::command, "end environment", span}, {TokenKind::open, "{", span}};
    for (const char c : name) rest.push_back({TokenKind::character, std::string(1, c), span});
    rest.push_back({TokenKind::close, "}", span});
    stream_.insert(std::move(rest));
    expand(*macro, {TokenKind::command, name, span});
    return {};
  }
  std::size_t count = groups_.size();
  const auto matches = [&](const Group& group) {
    return group.kind == Group::Kind::environment && group.name == name;
  };
  while (count > 0 && !matches(groups_[count - 1])) --count;
  if (count == 0) {
    notes_->problem(Error(code("syntax"), fmt::format("`\\end{{{}}}` closes nothing", shown(name)),
                          fmt::format("add `\\begin{{{}}}` or remove it", shown(name)), span));
    return {};
  }
  if (count < groups_.size()) {
    const Group& unclosed = groups_[count];
    notes_->problem(Error(code("syntax"),
                          fmt::format("this `{}` is not closed before `\\end{{{}}}`",
                                      described(unclosed), shown(name)),
                          "close it, or remove it", unclosed.span));
  }
  unwind(count - 1);
  if (token.text != "end") return {};
  return Token{TokenKind::end, std::move(name), span};
}

void Expander::open_group(Group group) {
  if (groups_.size() >= deepest_group) {
    throw Overflow{
        Error(code("syntax"),
              fmt::format("more than {} groups are open within each other here", deepest_group),
              "check that all groups are closed", group.span)};
  }
  if (group.kind == Group::Kind::math) group.keeps = !formulas_are_groups_;
  groups_.push_back(std::move(group));
  macros_.open_scope();
}

void Expander::unwind(std::size_t count) {
  while (groups_.size() > count) {
    macros_.close_scope(groups_.back().keeps);
    groups_.pop_back();
  }
}

void Expander::start_formula() {
  in_formula_ = true;
  spent_on_formula_ = 0;
}

void Expander::spend(std::size_t tokens, const Token& call) {
  const auto stop = [&](std::string message, std::string hint) {
    throw Overflow{Error(code("macro-limit"), std::move(message), std::move(hint), call.span)};
  };
  spent_ += tokens + 1;
  spent_on_formula_ += tokens + 1;
  if (spent_ > most_tokens) {
    exhausted_ = true;
    stop(fmt::format("the macros of this document expand to more than {} tokens", most_tokens),
         "the rest of the document is not read; is there a macro that calls itself?");
  }
  if (spent_on_formula_ > most_tokens_of_formula) {
    stop(fmt::format("`\\{}` expands to more than {} tokens", shown(call.text),
                     most_tokens_of_formula),
         "is there a macro that calls itself?");
  }
  if (stream_.depth() >= deepest_expansion) {
    stop(fmt::format("more than {} macros are expanded within each other at `\\{}`",
                     deepest_expansion, shown(call.text)),
         "is there a macro that calls itself?");
  }
}

std::vector<Tokens> Expander::arguments(const Macro& macro, const Token& call) {
  std::vector<Tokens> arguments;
  if (macro.has_sizes && !stream_.star()) stream_.optional_argument(call);
  if (!macro.delimiters[0].empty()) stream_.delimited_argument(call, macro.delimiters[0]);
  for (std::size_t i = 0; i < macro.arity(); ++i) {
    if (i == 0 && macro.fallback) {
      std::optional<Tokens> given = stream_.optional_argument(call);
      arguments.push_back(given ? std::move(*given) : *macro.fallback);
    } else if (macro.delimiters[i + 1].empty()) {
      arguments.push_back(stream_.argument(call));
    } else {
      arguments.push_back(stream_.delimited_argument(call, macro.delimiters[i + 1]));
    }
  }
  return arguments;
}

void Expander::expand(const Macro& macro, const Token& call) {
  if (!in_formula_ && stream_.was_typed()) spent_on_formula_ = 0;
  const std::vector<Tokens> given = arguments(macro, call);
  spend(expanded_size(macro, given), call);
  stream_.insert(substituted(macro, given, call.span));
}

}  // namespace axial::tex
