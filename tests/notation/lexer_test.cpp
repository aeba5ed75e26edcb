// Plain text into tokens.
#include "axial/notation/lexer.hpp"

#include <gmock/gmock.h>

#include <string>

#include "diagnostics/expect.hpp"

namespace axial::notation {
namespace {

using diagnostics::error_of;
using ::testing::ElementsAre;

std::vector<std::string> texts(std::string_view source) {
  std::vector<std::string> all;
  for (const Token& token : tokenize(source)) {
    if (token.kind != TokenKind::end) all.emplace_back(token.text);
  }
  return all;
}

TEST(lexer, splits_names_numbers_and_symbols) {
  EXPECT_THAT(texts("softmax_seq(Q .key K)/2.5"),
              ElementsAre("softmax_seq", "(", "Q", ".", "key", "K", ")", "/", "2.5"));
  EXPECT_THAT(texts("X'-W2'' 3"), ElementsAre("X'", "-", "W2''", "3"));
}

TEST(lexer, gives_one_spelling_to_symbols_with_several) {
  EXPECT_THAT(texts("* ⊙ -> → <= ≤ >= ≥ != ≠ − :="),
              ElementsAre("⊙", "⊙", "→", "→", "≤", "≤", "≥", "≥", "≠", "≠", "-", ":="));
  EXPECT_THAT(texts("Σ_ax X"), ElementsAre("sum", "_", "ax", "X"));
}

TEST(lexer, reads_numbers) {
  EXPECT_THAT(texts("1 2.5 1e5 1e-5 2.5e10"), ElementsAre("1", "2.5", "1e5", "1e-5", "2.5e10"));
  EXPECT_THAT(texts("2.ax"), ElementsAre("2", ".", "ax"));
  EXPECT_THAT(texts("2e"), ElementsAre("2", "e"));
}

TEST(lexer, reads_names_in_every_script) {
  EXPECT_THAT(texts("ε+größe"), ElementsAre("ε", "+", "größe"));
  EXPECT_THAT(texts("ε⊙σ"), ElementsAre("ε", "⊙", "σ"));
}

TEST(lexer, passes_over_comments_and_spaces) {
  EXPECT_THAT(texts("a # b c\nd"), ElementsAre("a", "\n", "d"));
  EXPECT_THAT(texts("a \t b\r\n"), ElementsAre("a", "b", "\n"));
  EXPECT_THAT(texts(""), ElementsAre());
}

TEST(lexer, marks_indented_lines) {
  std::vector<TokenKind> kinds;
  for (const Token& token : tokenize("a\n  b")) kinds.push_back(token.kind);
  EXPECT_THAT(kinds, ElementsAre(TokenKind::name, TokenKind::newline, TokenKind::indent,
                                 TokenKind::name, TokenKind::end));
}

TEST(lexer, knows_where_each_token_stands) {
  const std::string source = "x ⊙ foo";
  const auto tokens = tokenize(source);
  EXPECT_EQ(tokens[0].span, (Span{0, 1}));
  EXPECT_EQ(tokens[1].span, (Span{2, 5}));
  EXPECT_EQ(tokens[2].span, (Span{6, 9}));
  EXPECT_EQ(tokens[3].span, (Span{9, 9}));
}

TEST(lexer, refuses_stray_characters_where_they_stand) {
  for (const char stray : {'$', '@', '"', '\\', '~', '\0', '\x07', '\x7f'}) {
    const std::string source = std::string("x + ") + stray;
    const auto error = error_of([&] { tokenize(source); });
    ASSERT_TRUE(error.has_value());
    EXPECT_EQ(error->code().name, "syntax");
    EXPECT_EQ(error->span(), (Span{4, 5}));
  }
}

}  // namespace
}  // namespace axial::notation
