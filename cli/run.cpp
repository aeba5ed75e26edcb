#include "cli/run.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "axial/base/error.hpp"
#include "axial/version.hpp"
#include "cli/check.hpp"
#include "cli/demo.hpp"
#include "cli/diff.hpp"
#include "cli/eval.hpp"
#include "cli/explain.hpp"
#include "cli/fmt.hpp"
#include "cli/generate.hpp"
#include "cli/options.hpp"
#include "cli/train.hpp"
#include "examples/examples.hpp"

namespace {

std::string example_list() {
  std::string text = "Examples:\n";
  for (const examples::Example& example : examples::all) {
    text += fmt::format("  {:<15} {}\n", example.name, example.summary);
  }
  return text;
}

/// Runs an example; false, with a word of help, if there is none of that name.
bool run_example(const std::string& name) {
  const auto example = std::ranges::find(examples::all, name, &examples::Example::name);
  if (example == examples::all.end()) {
    std::cerr << fmt::format("axial: there is no example `{}`\n{}", name, example_list());
    return false;
  }
  example->run(std::cout);
  return true;
}

std::string describe_misuse(const CLI::App*, const CLI::Error& error) {
  return fmt::format("axial: {}\n  hint: axial --help\n", error.what());
}

/// Turns arguments around, as they are parsed from the last to the first. A formula may start with a
/// minus sign; a space before it keeps it from being taken for an option.
void prepare(std::vector<std::string>& arguments) {
  for (std::string& argument : arguments) {
    const bool is_formula =
        argument.size() > 1 && argument[0] == '-' && argument[1] != '-' && argument != "-h";
    if (is_formula) argument.insert(0, " ");
  }
  std::ranges::reverse(arguments);
}

}  // namespace

namespace cli {

int run(std::vector<std::string> arguments) {
  prepare(arguments);
  CLI::App app("Axial: tensors with named axes.", "axial");
  app.set_version_flag("--version", fmt::format("axial {}", axial::version));
  app.require_subcommand(1);
  app.failure_message(describe_misuse);

  std::string name;
  CLI::App* example = app.add_subcommand("example", "Runs a model of the paper, written in C++");
  example->add_option("NAME", name, "Which one; without it they are listed");
  example->footer(example_list());

  int status = 0;
  add_check(app, status);
  add_eval(app, status);
  add_diff(app, status);
  add_explain(app, status);
  add_fmt(app, status);
  add_train(app, status);
  add_generate(app, status);
  add_demo(app, status);

  try {
    app.parse(std::move(arguments));
    if (!example->parsed()) return status;
    if (!name.empty()) return run_example(name) ? 0 : wrong_usage;
    std::cout << example_list();
    return 0;
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : wrong_usage;
  } catch (const axial::Error& error) {
    std::cerr << "axial: " << error.what() << '\n';
    return status_of(error);
  } catch (const std::exception& error) {
    std::cerr << "axial: " << error.what() << '\n';
    return 1;
  }
}

}  // namespace cli
