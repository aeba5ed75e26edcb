// The program `axial`.
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <iostream>

#include "axial/version.hpp"
#include "examples/examples.hpp"

namespace {

// Exit statuses: 0 fine, 1 the input has errors, 2 wrong usage or unreadable file.
constexpr int wrong_usage = 2;

std::string example_list() {
  std::string text = "Examples:\n";
  for (const examples::Example& example : examples::all) {
    text += fmt::format("  {:<15} {}\n", example.name, example.summary);
  }
  return text;
}

std::vector<std::string> example_names() {
  std::vector<std::string> names;
  for (const examples::Example& example : examples::all) names.emplace_back(example.name);
  return names;
}

void run_example(const std::string& name) {
  const auto example = std::ranges::find(examples::all, name, &examples::Example::name);
  example->run(std::cout);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Axial: tensors with named axes.", "axial");
  app.set_version_flag("--version", fmt::format("axial {}", axial::version));
  app.require_subcommand(1);
  app.failure_message(CLI::FailureMessage::help);

  std::string name;
  CLI::App* example = app.add_subcommand("example", "Runs a model of the paper, written in C++");
  example->add_option("NAME", name, "Which one; without it they are listed")
      ->check(CLI::IsMember(example_names()));
  example->footer(example_list());

  try {
    app.parse(argc, argv);
    if (name.empty())
      std::cout << example_list();
    else
      run_example(name);
    return 0;
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : wrong_usage;
  } catch (const std::exception& error) {
    std::cerr << "axial: " << error.what() << '\n';
    return 1;
  }
}
