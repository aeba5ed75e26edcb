#include "cli/fmt.hpp"

#include <iostream>
#include <memory>

#include "axial/document/format.hpp"

namespace cli {

void add_fmt(CLI::App& app, int& status) {
  struct Options {
    std::string file;
    std::string to;
  };
  auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("fmt", "Converts the formulas of a document between LaTeX and plain text");
  command->add_option("FILE", options->file, "LaTeX, Markdown, notebooks or plain text (.nt)")
      ->required();
  command->add_option("--to", options->to, "latex or text; without it, the other form")
      ->check(CLI::IsMember({"latex", "text"}));
  command->callback([options, &status] {
    const axial::document::Contents contents = axial::document::read_file(options->file);
    const bool to_latex = options->to.empty() ? contents.is_plain_text : options->to == "latex";
    std::cout << (to_latex ? axial::document::as_latex(contents)
                           : axial::document::as_plain_text(contents));
    status = 0;
  });
}

}  // namespace cli
