#include "cli/explain.hpp"

#include <iostream>
#include <memory>

#include "axial/api/engine.hpp"
#include "cli/options.hpp"
#include "cli/subject.hpp"

namespace cli {
namespace {

int run(const Subject& subject) {
  try {
    std::cout << axial::explain(subject.tensor());
    return 0;
  } catch (const axial::Error& error) {
    return report(error, subject.formula);
  }
}

}  // namespace

void add_explain(CLI::App& app, int& status) {
  auto subject = std::make_shared<Subject>();
  subject->random = true;
  subject->element = "float32";
  CLI::App* command =
      app.add_subcommand("explain", "Shows how a formula is computed: steps, work, memory, time");
  subject->add_to(*command);
  command->callback([subject, &status] { status = run(*subject); });
}

}  // namespace cli
