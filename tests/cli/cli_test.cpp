// The program as a user meets it: what it prints and how it ends. AXIAL_UPDATE_GOLDEN=1 writes the
// texts of the examples anew.
#include <sys/wait.h>

#include <cstdio>
#include <string>

#include "examples/examples.hpp"
#include "pages/page.hpp"

namespace axial {
namespace {

struct Run {
  int status;
  std::string printed;
};

/// Runs the program in a shell; what it prints to the error stream comes along.
Run run(const std::string& arguments) {
  FILE* pipe = popen(fmt::format("{} {} 2>&1", AXIAL_PROGRAM, arguments).c_str(), "r");
  std::string printed;
  char buffer[4096];
  for (std::size_t count = 0; (count = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) {
    printed.append(buffer, count);
  }
  return {WEXITSTATUS(pclose(pipe)), printed};
}

TEST(program, tells_its_version) {
  const auto [status, printed] = run("--version");
  EXPECT_EQ(status, 0);
  EXPECT_THAT(printed, testing::MatchesRegex("axial [0-9]+\\.[0-9]+\\.[0-9]+\n"));
}

TEST(program, lists_its_commands_when_asked_for_help) {
  const auto [status, printed] = run("--help");
  EXPECT_EQ(status, 0);
  EXPECT_THAT(printed, testing::HasSubstr("example"));
}

TEST(program, ends_with_2_when_it_is_called_wrongly) {
  for (const char* arguments : {"", "nonsense", "--nonsense", "example nonsense"}) {
    const auto [status, printed] = run(arguments);
    EXPECT_EQ(status, 2) << arguments;
    EXPECT_THAT(printed, testing::StartsWith("axial: ")) << arguments;
  }
}

TEST(program, lists_the_examples) {
  const auto [status, printed] = run("example");
  EXPECT_EQ(status, 0);
  for (const examples::Example& example : examples::all) {
    EXPECT_THAT(printed, testing::HasSubstr(std::string(example.name)));
  }
}

TEST(program, runs_every_example) {
  for (const examples::Example& example : examples::all) {
    const auto [status, printed] = run("example " + std::string(example.name));
    EXPECT_EQ(status, 0);
    expect_page("tests/cli/printed/" + std::string(example.name) + ".txt", printed);
  }
}

}  // namespace
}  // namespace axial
