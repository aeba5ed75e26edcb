// The page docs/diagnostics.md: every code with the message of a wrong use, taken from the texts
// that tests/diagnostics checks. AXIAL_UPDATE_GOLDEN=1 writes it anew.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <string>

#include "axial/base/code.hpp"
#include "pages/page.hpp"

namespace axial {
namespace {

struct Example {
  std::string title;
  std::string text;
};

/// The first wrong use of each code in golden.txt: a line `# title`, the code, then the text.
std::map<std::string, Example> first_examples() {
  std::ifstream golden(std::string(AXIAL_SOURCE_DIR) + "/tests/diagnostics/golden.txt");
  std::map<std::string, Example> examples;
  std::string line, title, code;
  while (std::getline(golden, line)) {
    if (line.starts_with("# ")) {
      title = line.substr(2);
      std::getline(golden, code);
      if (examples.contains(code))
        code.clear();
      else
        examples[code].title = title;
    } else if (!code.empty() && !line.empty()) {
      examples[code].text += line + "\n";
    }
  }
  return examples;
}

TEST(diagnostics_page, shows_every_code_with_an_example) {
  std::string page =
      "# Diagnostics\n\nEvery error has a code that scripts may rely on, says what was found and "
      "where, and names a way "
      "out.\nIn C++ it is an `axial::Error`, derived from `std::exception`; `code().name` is the "
      "code. This page is "
      "written from the\ntests of the messages.\n";
  const auto examples = first_examples();
  for (const Code& code : all_codes) {
    const auto found = examples.find(std::string(code.name));
    ASSERT_NE(found, examples.end())
        << code.name << " has no example in tests/diagnostics/golden.txt";
    page += fmt::format(
        "\n## {}\n\n{}. For example, {}:\n\n```\n{}```\n", code.name,
        static_cast<char>(std::toupper(code.summary[0])) + std::string(code.summary.substr(1)),
        found->second.title, found->second.text);
  }
  expect_page("docs/diagnostics.md", page);
}

}  // namespace
}  // namespace axial
