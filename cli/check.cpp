#include "cli/check.hpp"

#include <fmt/format.h>

#include <iostream>
#include <memory>

#include "cli/options.hpp"
#include "cli/report.hpp"

namespace cli {
namespace {

struct Options {
  std::vector<std::string> files;
  axial::document::CheckOptions check;
  Output output;
  bool all = false;
  bool no_verify = false;
};

int run(const Options& options) {
  axial::document::CheckOptions check = options.check;
  check.verify = !options.no_verify;
  std::vector<std::unique_ptr<axial::document::Contents>> contents;
  std::vector<CheckedFile> checked;
  for (const std::string& path : options.files) {
    contents.push_back(
        std::make_unique<axial::document::Contents>(axial::document::read_file(path)));
    checked.push_back(
        {path, contents.back().get(), axial::document::check(*contents.back(), check)});
    if (options.output.is_json()) continue;
    std::cout << to_text(checked.back(), {options.output.in_color(), options.all});
  }
  if (options.output.is_json()) std::cout << to_json(checked);
  const bool has_errors = std::ranges::any_of(checked, [](const CheckedFile& file) {
    return file.report.count(axial::document::Severity::error) > 0;
  });
  return has_errors ? 1 : 0;
}

}  // namespace

void add_check(CLI::App& app, int& status) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "check", "Types every equation of a document and verifies by numbers what can be verified");
  command->add_option("FILE", options->files, "LaTeX, Markdown, notebooks or plain text (.nt)")
      ->required();
  command->add_flag("--all", options->all, "Print every equation, not only those skipped");
  command->add_flag("--no-verify", options->no_verify, "Types only, no numbers");
  command->add_option("--seed", options->check.seed, "Seed of the random values");
  command->add_option("--trials", options->check.trials, "How often values are drawn")
      ->check(CLI::Range(1, 100));
  options->output.add_to(*command);
  command->callback([options, &status] { status = run(*options); });
}

}  // namespace cli
