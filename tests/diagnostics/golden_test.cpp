// Every diagnostic as a user reads it, compared with golden.txt. AXIAL_UPDATE_GOLDEN=1 writes the
// file anew; `git diff` then shows what changed.
#include <gmock/gmock.h>

#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>

#include "axial/base/error.hpp"
#include "diagnostics/case.hpp"
#include "diagnostics/expect.hpp"

#if defined(__SANITIZE_ADDRESS__)
// A tensor that is too large must meet our own error, not that of the sanitizer.
extern "C" const char* __asan_default_options() { return "allocator_may_return_null=1"; }
#endif
#if defined(__SANITIZE_THREAD__)
extern "C" const char* __tsan_default_options() { return "allocator_may_return_null=1"; }
#endif

namespace axial::diagnostics {
namespace {

using ::testing::HasSubstr;

const std::string golden_path = AXIAL_SOURCE_DIR "/tests/diagnostics/golden.txt";

/// A wrong use and the Error that it led to.
struct Outcome {
  Case wrong_use;
  Error error;
};

/// What came of all wrong uses that led to an Error.
const std::vector<Outcome>& outcomes() {
  static const std::vector<Outcome> all = [] {
    std::vector<Outcome> found;
    for (const Case& wrong_use : all_cases()) {
      try {
        wrong_use.wrong();
      } catch (const Error& error) {
        found.push_back({wrong_use, error});
      } catch (const std::exception&) {
        continue;  // reported by the test of that
      }
    }
    return found;
  }();
  return all;
}

std::string as_text(const Outcome& outcome) {
  const auto& [wrong_use, error] = outcome;
  const std::string shown = wrong_use.source ? render(error, *wrong_use.source, "formula")
                                             : std::string(error.what()) + "\n";
  return "# " + wrong_use.title + "\n" + std::string(error.code().name) + "\n" + shown + "\n";
}

std::string golden_text() {
  std::ifstream file(golden_path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

bool is_utf8_without_controls(std::string_view text) {
  std::size_t continuations = 0;
  for (const char character : text) {
    const auto byte = static_cast<unsigned char>(character);
    if (continuations > 0) {
      if ((byte & 0xC0) != 0x80) return false;
      --continuations;
    } else if (byte < 0x20 || byte == 0x7F || (byte & 0xC0) == 0x80 || byte >= 0xF8) {
      return false;
    } else {
      continuations = byte < 0x80 ? 0 : byte < 0xE0 ? 1 : byte < 0xF0 ? 2 : 3;
    }
  }
  return continuations == 0;
}

TEST(diagnostics, meet_every_wrong_use_with_an_error) {
  for (const Case& wrong_use : all_cases()) {
    SCOPED_TRACE(wrong_use.title);
    error_of(wrong_use.wrong);
  }
}

TEST(diagnostics, read_as_in_the_golden_file) {
  std::string text;
  for (const Outcome& outcome : outcomes()) text += as_text(outcome);
  if (std::getenv("AXIAL_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(golden_path) << text;
    GTEST_SKIP() << golden_path << " is written anew";
  }
  EXPECT_EQ(text, golden_text()) << "if this is meant: AXIAL_UPDATE_GOLDEN=1 test_diagnostics";
}

TEST(diagnostics, have_a_case_for_every_code) {
  std::set<std::string, std::less<>> covered;
  for (const Case& wrong_use : all_cases()) covered.insert(wrong_use.code);
  for (const Code& code : all_codes) {
    EXPECT_TRUE(covered.contains(code.name)) << "no wrong use leads to " << code.name;
  }
}

TEST(diagnostics, have_titles_of_their_own) {
  std::set<std::string> titles;
  for (const Case& wrong_use : all_cases()) {
    EXPECT_TRUE(titles.insert(wrong_use.title).second) << wrong_use.title;
  }
}

TEST(diagnostics, carry_the_code_that_the_table_says) {
  for (const auto& [wrong_use, error] : outcomes()) {
    EXPECT_EQ(error.code().name, wrong_use.code) << wrong_use.title << "\n" << error.what();
  }
}

TEST(diagnostics, name_the_axis_and_the_shapes) {
  for (const auto& [wrong_use, error] : outcomes()) {
    for (const std::string& mention : wrong_use.mentions) {
      EXPECT_THAT(error.message(), HasSubstr(mention)) << wrong_use.title;
    }
  }
}

TEST(diagnostics, offer_a_way_out) {
  for (const auto& [wrong_use, error] : outcomes()) {
    // Of a text the caret shows where it is wrong; of a file the system says why.
    const std::string_view name = error.code().name;
    if (name == "syntax" || name == "file-access" || name == "bad-file") continue;
    if (name == "not-equal") continue;  // the message shows both numbers
    EXPECT_NE(error.hint(), "") << wrong_use.title << "\n" << error.message();
  }
}

TEST(diagnostics, are_one_line_of_clean_text_each) {
  for (const auto& [wrong_use, error] : outcomes()) {
    EXPECT_TRUE(is_utf8_without_controls(error.message())) << wrong_use.title;
    EXPECT_TRUE(is_utf8_without_controls(error.hint())) << wrong_use.title;
    EXPECT_LT(error.message().size(), 400) << wrong_use.title;
  }
}

TEST(diagnostics, end_without_a_full_stop) {
  for (const auto& [wrong_use, error] : outcomes()) {
    EXPECT_FALSE(error.message().ends_with('.')) << error.message();
    EXPECT_FALSE(error.hint().ends_with('.')) << error.hint();
  }
}

TEST(diagnostics, count_in_correct_english) {
  for (const auto& [wrong_use, error] : outcomes()) {
    for (const std::string wrong : {" 1 axes", " 1 arguments", " 1 tensors", " 1 operands",
                                    " 1 values", " 1 elements", " 1 states", " 1 positions"}) {
      EXPECT_THAT(error.message(), ::testing::Not(HasSubstr(wrong))) << wrong_use.title;
    }
  }
}

TEST(diagnostics, are_placed_in_the_text_that_has_the_mistake) {
  for (const auto& [wrong_use, error] : outcomes()) {
    if (!wrong_use.source) continue;
    ASSERT_TRUE(error.span().has_value()) << wrong_use.title;
    EXPECT_LE(error.span()->begin, error.span()->end) << wrong_use.title;
    EXPECT_LE(error.span()->end, wrong_use.source->size()) << wrong_use.title;
  }
}

}  // namespace

std::vector<Case> all_cases() {
  std::vector<Case> all;
  for (const auto& subject :
       {name_cases, axis_cases, size_cases, subscript_cases, reshape_cases, value_cases,
        element_cases, function_cases, scan_cases, calculus_cases, matrix_cases, notation_cases,
        document_axis_cases, document_cases, file_cases, module_cases, training_cases}) {
    for (Case& wrong_use : subject()) all.push_back(std::move(wrong_use));
  }
  return all;
}

}  // namespace axial::diagnostics
