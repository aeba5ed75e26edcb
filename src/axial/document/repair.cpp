#include "axial/document/repair.hpp"

#include <algorithm>

#include "axial/document/examine.hpp"
#include "axial/notation/print.hpp"

namespace axial::document {
namespace {

using notation::Token;
using notation::TokenKind;
using notation::Tokens;

// More places than this are not tried, nor documents larger than this examined again and again.
constexpr std::size_t max_places = 200;
constexpr std::size_t max_examined = 12;
constexpr std::size_t max_items = 2000;

bool is_bracket(const Token& token, std::string_view text) {
  return token.kind == TokenKind::symbol && token.text == text && token.note != "implied";
}

/// Every way to add or remove one parenthesis so that as many close as open.
std::vector<Tokens> candidates(const Tokens& tokens) {
  const auto opens =
      std::ranges::count_if(tokens, [](const Token& t) { return is_bracket(t, "("); });
  const auto closes =
      std::ranges::count_if(tokens, [](const Token& t) { return is_bracket(t, ")"); });
  const bool surplus = closes > opens;
  if (opens == closes || tokens.size() > max_places) return {};
  std::vector<Tokens> all;
  for (std::size_t k = 0; k < tokens.size(); ++k) {
    if (is_bracket(tokens[k], surplus ? ")" : "(")) {
      Tokens fewer = tokens;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(k));
      all.push_back(std::move(fewer));
    }
  }
  for (std::size_t k = 0; k < tokens.size(); ++k) {
    Tokens more = tokens;
    const Span span = surplus ? Span{tokens[k].span.begin, tokens[k].span.begin}
                              : Span{tokens[k].span.end, tokens[k].span.end};
    more.insert(more.begin() + static_cast<std::ptrdiff_t>(surplus ? k : k + 1),
                Token{TokenKind::symbol, surplus ? "(" : ")", span, "added"});
    all.push_back(std::move(more));
  }
  return all;
}

}  // namespace

std::vector<Repair> repairs(const Contents& contents, std::size_t item,
                            const CheckOptions& options) {
  std::vector<Repair> found;
  std::vector<notation::Statement> statements;
  const auto is_known = [&](std::string_view name) { return is_function(contents, name); };
  for (Tokens& tokens : candidates(contents.items[item].tokens)) {
    try {
      const std::size_t end = tokens.empty() ? 0 : tokens.back().span.end;
      tokens.push_back({TokenKind::end, "", {end, end}});
      auto parsed = notation::parse_line(std::move(tokens), is_known);
      if (parsed.empty()) continue;
      // An equation inside parentheses is not what anybody meant.
      const auto* equation = std::get_if<notation::Equation>(&parsed[0].statement);
      if (equation == nullptr || equation->relations.empty()) continue;
      std::string text = notation::to_text(parsed[0].statement);
      if (std::ranges::find(found, text, &Repair::formula) != found.end()) continue;
      found.push_back({std::move(text)});
      statements.push_back(std::move(parsed[0].statement));
    } catch (const Error&) {
      // This way it cannot be read either.
    }
  }
  const bool examined = contents.items.size() <= max_items;
  Contents changed;
  if (examined) {
    changed.items = contents.items;
    changed.functions = contents.functions;
    changed.is_plain_text = contents.is_plain_text;
  }
  for (std::size_t k = 0; examined && k < std::min(found.size(), max_examined); ++k) {
    changed.items[item].statement = statements[k];
    changed.items[item].problem.reset();
    const Symbols symbols(changed);
    const auto& equation = std::get<notation::Equation>(*changed.items[item].statement);
    const Examined result = examine_equation(symbols, item, equation, options);
    // A definition agrees with any numbers.
    const bool is_claim = symbols.role(item) == Role::equation || equation.sides.size() > 2;
    found[k].typed = result.status == Status::checked;
    found[k].verified = is_claim && result.verified;
  }
  std::ranges::stable_sort(found, std::greater{}, [](const Repair& repair) {
    return 2 * static_cast<int>(repair.verified) + static_cast<int>(repair.typed);
  });
  return found;
}

}  // namespace axial::document
