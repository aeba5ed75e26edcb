#include "cli/explain.hpp"

#include <iostream>
#include <memory>

#include "axial/api/engine.hpp"
#include "cli/options.hpp"
#include "cli/subject.hpp"

namespace cli {
namespace {

struct Explanation {
  Subject subject;
  Output output;
  axial::ExplainOptions options;
};

int run(const Explanation& wanted) {
  try {
    from_options([&] { axial::require_passes(wanted.options); });
    axial::ExplainOptions options = wanted.options;
    options.json = wanted.output.is_json();
    std::cout << axial::explain(wanted.subject.tensor(), options);
    return 0;
  } catch (const axial::Error& error) {
    return report(error, wanted.subject.formula);
  }
}

}  // namespace

void add_explain(CLI::App& app, int& status) {
  auto wanted = std::make_shared<Explanation>();
  wanted->subject.random = true;
  wanted->subject.element = "float32";
  CLI::App* command =
      app.add_subcommand("explain", "Shows how a formula is computed: steps, work, memory, time");
  wanted->subject.add_to(*command);
  wanted->output.add_to(*command);
  command->add_option("--without", wanted->options.without, "leave out a pass; may be repeated");
  command->add_option("--after", wanted->options.after, "show the program that this pass left");
  command->callback([wanted, &status] { status = run(*wanted); });
}

}  // namespace cli
