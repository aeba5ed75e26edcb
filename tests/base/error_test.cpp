// Errors and how they are shown.
#include "axial/base/error.hpp"

#include <gmock/gmock.h>

#include <stdexcept>

namespace axial {
namespace {

using ::testing::HasSubstr;

const Error plain(code("syntax"), "a name is expected here", "write one");

TEST(error, says_its_message_and_then_its_hint) {
  EXPECT_STREQ(plain.what(), "a name is expected here\n  hint: write one");
  EXPECT_EQ(plain.message(), "a name is expected here");
  EXPECT_EQ(plain.hint(), "write one");
  EXPECT_EQ(plain.code().name, "syntax");
}

TEST(error, says_only_its_message_if_there_is_no_hint) {
  EXPECT_STREQ(Error(code("syntax"), "wrong").what(), "wrong");
}

TEST(error, is_a_standard_exception) {
  EXPECT_THROW(throw plain, std::exception);
  const std::exception& base = plain;
  EXPECT_THAT(base.what(), HasSubstr("a name is expected here"));
}

TEST(error, gets_a_place_once) {
  const Error placed = plain.at({3, 5});
  EXPECT_EQ(placed.span(), (Span{3, 5}));
  EXPECT_EQ(placed.at({0, 1}).span(), (Span{3, 5}));
  EXPECT_FALSE(plain.span().has_value());
}

TEST(error, keeps_code_hint_and_place_when_it_is_opened_by_an_activity) {
  const Error opened = plain.at({3, 5}).within("`sum`");
  EXPECT_EQ(opened.message(), "`sum`: a name is expected here");
  EXPECT_EQ(opened.hint(), "write one");
  EXPECT_EQ(opened.span(), (Span{3, 5}));
  EXPECT_EQ(&opened.code(), &plain.code());
}

TEST(bug, is_not_an_error_of_the_user) {
  try {
    bug("two and two is five");
    FAIL();
  } catch (const Error&) {
    FAIL();
  } catch (const std::logic_error& broken) {
    EXPECT_THAT(broken.what(), HasSubstr("two and two is five"));
    EXPECT_THAT(broken.what(), HasSubstr("error_test.cpp"));
    EXPECT_THAT(broken.what(), HasSubstr("report"));
  }
}

TEST(render, shows_place_line_caret_and_hint) {
  EXPECT_EQ(render(plain.at({4, 7}), "A + foo", "p.nt"),
            "p.nt:1:5: a name is expected here\n"
            "  |  A + foo\n"
            "  |      ^^^\n"
            "  hint: write one\n");
}

TEST(render, leaves_out_a_hint_that_is_not_there) {
  EXPECT_EQ(render(Error(code("syntax"), "wrong", {}, Span{0, 1}), "x", "f"),
            "f:1:1: wrong\n  |  x\n  |  ^\n");
}

TEST(render, counts_lines_from_one_and_shows_only_the_line_in_question) {
  EXPECT_EQ(render(plain.at({6, 9}), "first\nsecond\nthird", "f"),
            "f:2:1: a name is expected here\n  |  second\n  |  ^^^\n  hint: write one\n");
}

TEST(render, puts_the_caret_under_letters_of_several_bytes) {
  const std::string source = "x ⊙ ε + y";
  const std::size_t at = source.find('y');
  EXPECT_THAT(render(plain.at({at, at + 1}), source, "f"),
              HasSubstr("  |  x ⊙ ε + y\n  |          ^\n"));
}

TEST(render, keeps_the_caret_under_a_line_with_tabs) {
  // A tab before the caret stays a tab, however wide the terminal makes it.
  EXPECT_THAT(render(plain.at({1, 2}), "\tx", "f"), HasSubstr("  |  \tx\n  |  \t^\n"));
}

TEST(render, ends_the_carets_with_the_line) {
  EXPECT_THAT(render(plain.at({2, 9}), "abcd\nefgh", "f"), HasSubstr("  |  abcd\n  |    ^^\n"));
}

TEST(render, points_behind_the_end_of_a_text) {
  EXPECT_THAT(render(plain.at({3, 3}), "abc", "f"), HasSubstr("  |  abc\n  |     ^\n"));
}

TEST(render, survives_places_outside_the_text) {
  EXPECT_THAT(render(plain.at({100, 200}), "abc", "f"), HasSubstr("  |  abc\n"));
  EXPECT_THAT(render(plain.at({2, 1}), "abc", "f"), HasSubstr("  |  abc\n  |    ^\n"));
  EXPECT_THAT(render(plain.at({0, 0}), "", "f"), HasSubstr("f:1:1: "));
}

TEST(render, shows_a_window_of_a_very_long_line) {
  const std::string source(100'000, 'x');
  const std::string text = render(plain.at({50'000, 50'001}), source, "f");
  EXPECT_LT(text.size(), 1'000);
  EXPECT_THAT(text, HasSubstr("xxx"));
}

TEST(render, names_only_the_file_if_there_is_no_place) {
  EXPECT_EQ(render(plain, "some text", "f"), "f: a name is expected here\n  hint: write one\n");
}

}  // namespace
}  // namespace axial
