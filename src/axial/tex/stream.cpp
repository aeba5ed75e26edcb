#include "axial/tex/stream.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "axial/base/text.hpp"

namespace axial::tex {
namespace {

Error missing_argument(const Token& command, std::string_view found) {
  return {
      code("syntax"),
      fmt::format("`\\{}` is called here with too few arguments: {}", shown(command.text), found),
      "give each argument in braces", command.span};
}

Error unclosed_argument(const Token& command, Span open) {
  return {code("syntax"), fmt::format("this argument of `\\{}` is not closed", shown(command.text)),
          "add the missing brace or bracket", open};
}

}  // namespace

void TokenStream::open(Tokenizer text, std::filesystem::path file, bool foreign) {
  texts_.push_back({std::move(text), std::move(file), foreign});
  notes_->be_quiet(foreign);
}

bool TokenStream::is_open(const std::filesystem::path& file) const {
  return std::ranges::any_of(texts_, [&](const Text& text) { return text.file == file; });
}

std::optional<Token> TokenStream::next() {
  was_typed_ = false;
  while (!inserted_.empty()) {
    Inserted& top = inserted_.back();
    if (top.next < top.tokens.size()) return std::move(top.tokens[top.next++]);
    inserted_.pop_back();
  }
  was_typed_ = true;
  while (!texts_.empty()) {
    if (std::optional<Token> token = texts_.back().tokens.next()) return token;
    texts_.pop_back();
    notes_->be_quiet(!texts_.empty() && texts_.back().foreign);
  }
  return {};
}

void TokenStream::insert(Tokens tokens) {
  if (depth(); !tokens.empty()) inserted_.push_back({std::move(tokens), 0});
}

std::size_t TokenStream::depth() {
  while (!inserted_.empty() && inserted_.back().next == inserted_.back().tokens.size()) {
    inserted_.pop_back();
  }
  return inserted_.size();
}

void TokenStream::close() {
  inserted_.clear();
  texts_.clear();
}

void TokenStream::pass_spaces() {
  while (std::optional<Token> token = next()) {
    if (token->kind == TokenKind::space) continue;
    insert({std::move(*token)});
    return;
  }
}

bool TokenStream::character(std::string_view wanted) {
  std::optional<Token> token = next();
  if (!token) return false;
  if (token->kind == TokenKind::character && token->text == wanted) return true;
  insert({std::move(*token)});
  return false;
}

bool TokenStream::star() {
  pass_spaces();
  return character("*");
}

Tokens TokenStream::argument(const Token& command) {
  pass_spaces();
  std::optional<Token> token = next();
  if (!token) throw missing_argument(command, "the text ends");
  if (token->kind == TokenKind::open) return group(command, *token);
  const bool is_paragraph = token->kind == TokenKind::command && token->text == "par";
  if (is_paragraph || token->kind == TokenKind::close || token->kind == TokenKind::dollar) {
    const std::string found = is_paragraph ? "the paragraph ends" : "found `" + token->text + "`";
    insert({std::move(*token)});
    throw missing_argument(command, found);
  }
  return {std::move(*token)};
}

Tokens TokenStream::group(const Token& command, const Token& open) {
  Tokens tokens;
  std::size_t depth = 0;
  while (std::optional<Token> token = next()) {
    if (token->kind == TokenKind::close && depth-- == 0) return tokens;
    if (token->kind == TokenKind::open) ++depth;
    tokens.push_back(std::move(*token));
  }
  throw unclosed_argument(command, open.span);
}

std::optional<Tokens> TokenStream::optional_argument(const Token& command) {
  pass_spaces();
  if (!character("[")) return {};
  Tokens tokens;
  std::size_t depth = 0;
  while (std::optional<Token> token = next()) {
    if (depth == 0 && token->kind == TokenKind::character && token->text == "]") return tokens;
    const bool is_paragraph = token->kind == TokenKind::command && token->text == "par";
    if (is_paragraph || (token->kind == TokenKind::close && depth-- == 0)) {
      insert({std::move(*token)});
      break;
    }
    if (token->kind == TokenKind::open) ++depth;
    tokens.push_back(std::move(*token));
  }
  throw unclosed_argument(command, command.span);
}

Tokens TokenStream::delimited_argument(const Token& command, const Tokens& delimiter) {
  const auto same = [](const Token& a, const Token& b) {
    return a.kind == b.kind && a.text == b.text;
  };
  Tokens tokens;
  std::size_t depth = 0;
  while (std::optional<Token> token = next()) {
    if (token->kind == TokenKind::command && token->text == "par") {
      insert({std::move(*token)});
      break;
    }
    if (token->kind == TokenKind::open) ++depth;
    if (token->kind == TokenKind::close && depth > 0) --depth;
    tokens.push_back(std::move(*token));
    if (depth > 0 || tokens.size() < delimiter.size()) continue;
    const auto tail = tokens.end() - static_cast<std::ptrdiff_t>(delimiter.size());
    if (!std::equal(tail, tokens.end(), delimiter.begin(), same)) continue;
    tokens.erase(tail, tokens.end());
    return tokens;
  }
  throw missing_argument(command, fmt::format("there is no `{}`", shown(spelled(delimiter))));
}

}  // namespace axial::tex
