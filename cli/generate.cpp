#include "cli/generate.hpp"

#include <iostream>
#include <memory>

#include "axial/api/engine.hpp"
#include "axial/train/sampler.hpp"
#include "cli/options.hpp"
#include "cli/values.hpp"

namespace cli {
namespace {

struct Options {
  std::string file, load, prompt = "\n";
  std::vector<std::string> sizes;
  axial::train::SamplerRequest request;
  std::int64_t length = 300;
  int threads = 0;
};

int run(Options& options) {
  if (options.threads > 0) axial::set_threads(options.threads);
  const axial::document::Contents contents = axial::document::read_file(options.file);
  options.request.options.settings = loaded_settings(options.load);
  options.request.options.sizes = sizes_of(options.sizes);
  options.request.options.sizes.merge(loaded_sizes(options.load));
  options.request.options.element = axial::float32;
  axial::train::Sampler sampler(contents, options.request);
  std::string text = options.prompt;
  std::cout << text;
  for (std::int64_t k = 0; k < options.length; ++k) {
    text += sampler.next(text);
    std::cout << text.back() << std::flush;
  }
  std::cout << "\n";
  return 0;
}

}  // namespace

void add_generate(CLI::App& app, int& status) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("generate", "Writes text with a model that was trained");
  command->add_option("FILE", options->file, "The document")->required();
  command
      ->add_option("SCORES", options->request.scores,
                   "Scores of the bytes that may follow each position, before softmax")
      ->required();
  command->add_option("--text", options->request.text, "The tensor that stands for the text")
      ->required();
  command->add_option("--load", options->load, "What training saved")
      ->required()
      ->check(CLI::ExistingFile);
  command->add_option("--prompt", options->prompt, "How the text begins");
  command->add_option("--length", options->length, "How many bytes are added")
      ->check(CLI::PositiveNumber);
  command
      ->add_option("--temperature", options->request.temperature,
                   "Below 1, likely bytes become more likely")
      ->check(CLI::PositiveNumber);
  command->add_option("--size", options->sizes, "AXIS=N, or several with commas between them")
      ->take_all();
  command->add_option("--seed", options->request.options.seed, "Seed of what is drawn");
  command->add_option("--threads", options->threads, "How many threads compute")
      ->check(CLI::PositiveNumber);
  command->callback([options, &status] { status = run(*options); });
}

}  // namespace cli
