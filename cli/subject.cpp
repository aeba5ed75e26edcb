#include "cli/subject.hpp"

#include "axial/api/engine.hpp"
#include "axial/document/evaluate.hpp"
#include "cli/values.hpp"

namespace cli {

void Subject::add_to(CLI::App& command) {
  command.add_option("FILE", file, "The document; - for none")->required();
  command.add_option("EXPR", formula, "The formula, in plain text or LaTeX")->required();
  command.add_option("--set", settings, "NAME=VALUE: a number, nested lists, or a file")
      ->take_all();
  command.add_option("--load", loaded, "A file of values, as training saves it")
      ->check(CLI::ExistingFile);
  command.add_option("--size", sizes, "AXIS=N, or several with commas between them")->take_all();
  command.add_flag("--random", random, "Draw what has no value at random");
  command.add_option("--seed", seed, "Seed of the random values");
  command.add_option("--dtype", element, "float32 or float64")
      ->check(CLI::IsMember({"float32", "float64"}));
  command.add_option("--threads", threads, "How many threads compute")->check(CLI::PositiveNumber);
}

axial::Tensor Subject::tensor() const {
  if (threads > 0) axial::set_threads(threads);
  axial::document::EvaluateOptions given;
  given.random = random;
  given.seed = seed;
  given.element = element == "float32" ? axial::float32 : axial::float64;
  if (!loaded.empty()) given.settings = loaded_settings(loaded);
  for (const std::string& setting : settings) given.settings.push_back(setting_of(setting));
  given.sizes = sizes_of(sizes);
  if (!loaded.empty()) given.sizes.merge(loaded_sizes(loaded));
  const axial::document::Contents contents =
      file == "-" ? axial::document::Contents{} : axial::document::read_file(file);
  return axial::Tensor(axial::document::expression(contents, formula, given));
}

}  // namespace cli
