#include "cli/train.hpp"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <numeric>
#include <optional>

#include "axial/api/engine.hpp"
#include "axial/api/files.hpp"
#include "axial/document/contents.hpp"
#include "axial/files/replace.hpp"
#include "axial/nn/checkpoint.hpp"
#include "axial/train/curve.hpp"
#include "axial/train/trainer.hpp"
#include "cli/interrupt.hpp"
#include "cli/options.hpp"
#include "cli/training_display.hpp"
#include "cli/values.hpp"

namespace cli {
namespace {

using axial::code;
using namespace axial::train;

/// The status of a command that the user stopped, as shells have it.
constexpr int interrupted_status = 130;

struct Options {
  std::string file;
  Goal goal;
  Plan plan;
  DataRequest data;
  std::vector<std::string> axes, sizes, settings, validation;
  double hold_out = 0;
  std::int64_t most_steps = 0;
  std::string element = "float32";
  std::string save, load, plot;
  bool resume = false;
  double save_every = 60;
  int threads = 0;
  Output output;
};

/// The examples that tell how well unseen ones are handled.
struct HeldOut {
  Examples examples;
  std::vector<std::int64_t> positions;
};

/// Fails with misuse if there is no folder for a file that will be written. Hours may pass until then.
void require_folder(const std::string& path) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  std::error_code ignored;
  if (folder.empty() || std::filesystem::is_directory(folder, ignored)) return;
  throw Misuse(code("file-access"),
               fmt::format("{} cannot be written: there is no folder {}", path, folder.string()),
               fmt::format("make it first: mkdir -p {}", folder.string()));
}

/// Fails with misuse if options do not go together or cannot mean anything, before any file is read.
void require_consistent(const Options& options) {
  if (options.resume && options.save.empty()) {
    throw Misuse(code("syntax"), "--resume does not say from which file",
                 "name it: --save w.safetensors --resume");
  }
  if (!options.save.empty() && !options.save.ends_with(".safetensors")) {
    throw Misuse(code("syntax"), fmt::format("--save {} is not a .safetensors file", options.save),
                 "choose a name such as w.safetensors");
  }
  if (!options.plot.empty() && !options.plot.ends_with(".svg")) {
    const std::string drawn =
        std::filesystem::path(options.plot).replace_extension(".svg").string();
    throw Misuse(
        code("syntax"), fmt::format("--plot {} is not an .svg file", options.plot),
        fmt::format("write --plot {0}; browsers show it, and rsvg-convert {0} makes a .png "
                    "of it",
                    drawn));
  }
  require_folder(options.save);
  require_folder(options.plot);
  const bool validates = options.hold_out > 0 || !options.validation.empty();
  if (!options.goal.metrics.empty() && !validates) {
    throw Misuse(code("syntax"), "--metric is measured on examples that are not learned from",
                 "hold some out, --hold-out 0.1, or give a file with --validate");
  }
  if (options.hold_out > 0 && !options.validation.empty()) {
    throw Misuse(code("syntax"), "--hold-out and --validate exclude each other", "choose one");
  }
  if (!(options.hold_out >= 0 && options.hold_out < 1)) {
    throw Misuse(code("bad-value"),
                 fmt::format("--hold-out {} is not a part of the examples", options.hold_out),
                 "hold out a fraction such as 0.1");
  }
  from_options([&] {
    const axial::Specification schedule(options.plan.schedule);
    return axial::Optimizer(options.plan.optimizer, axial::Schedule(schedule, 1));
  });
}

/// The request with everything that is said for all data.
DataRequest data_of(const Options& options) {
  DataRequest data = options.data;
  for (const std::string& text : options.axes) {
    const auto [name, value] = name_and_value(text, "--axes");
    data.axes[name] = listed(value);
  }
  data.sizes = sizes_of(options.sizes);
  from_options([&] { require_well_formed(data); });
  return data;
}

std::optional<HeldOut> held_out(const Options& options, DataRequest data, const Examples& examples,
                                const Split& parts, const axial::document::Symbols& symbols) {
  if (options.hold_out > 0) return HeldOut{examples, parts.held_out};
  if (options.validation.empty()) return std::nullopt;
  // What is validated with comes in the form of what is learned from.
  if (data.texts.empty()) {
    data.files = options.validation;
  } else {
    data.texts = options.validation;
    data.files.clear();
  }
  HeldOut held{read_examples(data, symbols), {}};
  held.positions.resize(static_cast<std::size_t>(held.examples.count));
  std::iota(held.positions.begin(), held.positions.end(), std::int64_t{0});
  return held;
}

axial::Tensors loaded_parameters(const std::string& path) {
  axial::Tensors parameters;
  for (const auto& [name, value] : axial::load(path)) {
    if (const auto known = axial::name_in_model(name)) parameters.emplace(*known, value);
  }
  return parameters;
}

void draw(const Trainer& trainer, const std::string& title, const std::string& path) {
  constexpr std::size_t fine = 400, coarse = 50;
  Drawing drawing{title, "step", trainer.goal().metrics.empty() ? "loss" : "", {}};
  if (trainer.losses().size() > coarse)
    drawing.curves.push_back({"", smoothed(trainer.losses(), fine), Style::background});
  drawing.curves.push_back({"loss", smoothed(trainer.losses(), coarse)});
  const auto curve = [&](const std::string& label, auto&& value) {
    Curve points{label, {}, Style::marked};
    for (const Validation& one : trainer.validations())
      points.points.push_back({static_cast<double>(one.step), value(one)});
    if (!points.points.empty()) drawing.curves.push_back(std::move(points));
  };
  curve("held out", [](const Validation& one) { return one.measured.loss; });
  for (std::size_t k = 0; k < trainer.goal().metrics.size(); ++k) {
    curve(trainer.goal().metrics[k],
          [k](const Validation& one) { return one.measured.metrics[k]; });
  }
  axial::files::replace_file(
      path, [&](axial::files::Sink& sink) { sink.write(std::string_view(to_svg(drawing))); });
}

/// Learns until all is done or the user wishes to stop; true in the second case.
bool learn(const Options& options, Trainer& trainer, const std::optional<HeldOut>& held,
           const Interrupt& interrupt, TrainingDisplay& display) {
  using Clock = std::chrono::steady_clock;
  auto saved = Clock::now();
  const auto save = [&] {
    if (options.save.empty()) return;
    trainer.save(options.save);
    display.saved(options.save);
    saved = Clock::now();
  };
  const std::int64_t most = options.most_steps > 0
                                ? std::min(options.most_steps, trainer.all_steps())
                                : trainer.all_steps();
  while (trainer.steps() < most && !interrupt.is_wished()) {
    trainer.step();
    display.step();
    if (trainer.steps() % trainer.steps_per_epoch() == 0) {
      if (held) trainer.note({trainer.steps(), trainer.measure(held->examples, held->positions)});
      save();
      display.epoch(held ? &trainer.validations().back() : nullptr);
    } else if (std::chrono::duration<double>(Clock::now() - saved).count() > options.save_every) {
      save();
    }
  }
  if (trainer.steps() % trainer.steps_per_epoch() != 0) {
    save();
    if (held && !interrupt.is_wished())
      display.measured(trainer.measure(held->examples, held->positions));
  }
  return interrupt.is_wished();
}

int run(Options& options) {
  const Interrupt interrupt;
  require_consistent(options);
  if (options.threads > 0) axial::set_threads(options.threads);
  options.goal.element = options.element == "float32" ? axial::float32 : axial::float64;
  options.goal.sizes = sizes_of(options.sizes);
  options.goal.seed = options.plan.seed;
  for (const std::string& text : options.settings)
    options.goal.settings.push_back(setting_of(text));
  const DataRequest data = data_of(options);
  const axial::document::Contents contents = axial::document::read_file(options.file);
  const axial::document::Symbols symbols(contents);
  const Examples examples = read_examples(data, symbols);
  const Split parts = split(examples, options.hold_out, options.plan.seed);
  const auto held = held_out(options, data, examples, parts, symbols);
  Trainer trainer(contents, examples, parts.learned, options.goal, options.plan);
  if (!options.load.empty()) trainer.set_parameters(loaded_parameters(options.load));
  if (options.resume) trainer.restore(options.save);
  TrainingDisplay display(trainer, options.output);
  display.begin(options.file, std::ssize(parts.learned), held ? std::ssize(held->positions) : 0);
  const bool interrupted = learn(options, trainer, held, interrupt, display);
  display.end(interrupted);
  if (!options.save.empty()) display.wrote("what was learned", options.save);
  if (!options.plot.empty()) {
    const std::string document = std::filesystem::path(options.file).filename().string();
    draw(trainer, fmt::format("{}: {}", document, options.goal.loss), options.plot);
    display.wrote("the curve of the loss", options.plot);
  }
  return interrupted ? interrupted_status : 0;
}

}  // namespace

void add_train(CLI::App& app, int& status) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("train", "Learns the open tensors of a document from data");
  command->add_option("FILE", options->file, "The document")->required();
  command->add_option("--loss", options->goal.loss, "What is to become small: a name or a formula")
      ->required();
  command->add_option("--data", options->data.files, "FILE or NAME=FILE")->take_all();
  command->add_option("--text", options->data.texts, "I,J=FILE: bytes, and those that follow them")
      ->take_all();
  command->add_option("--axes", options->axes, "NAME=AXIS,AXIS,...: axes in the order of the file")
      ->take_all();
  command->add_option("--size", options->sizes, "AXIS=N, or several with commas between them")
      ->take_all();
  command->add_option("--set", options->settings, "NAME=VALUE for what is not learned")->take_all();
  command->add_option("--batch", options->plan.batch, "Examples a step")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command->add_option("--epochs", options->plan.epochs, "How often all examples are learned from")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command->add_option("--steps", options->most_steps, "Stop after so many steps")
      ->check(CLI::PositiveNumber);
  command->add_option("--optimizer", options->plan.optimizer, "For instance adam:lr=1e-3")
      ->capture_default_str();
  command->add_option("--schedule", options->plan.schedule, "For instance cosine:warmup=100")
      ->capture_default_str();
  command->add_option("--validate", options->validation, "FILE or NAME=FILE not to learn from")
      ->take_all();
  command->add_option("--hold-out", options->hold_out,
                      "The fraction of the data not to learn from");
  command->add_option("--metric", options->goal.metrics, "A formula to report on held-out examples")
      ->take_all();
  command->add_option("--save", options->save, "Write what was learned to a .safetensors file");
  command->add_option("--save-every", options->save_every, "Seconds between two savings")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  command->add_option("--load", options->load, "Start from the values in a file")
      ->check(CLI::ExistingFile);
  command->add_flag("--resume", options->resume, "Go on from the file that --save names");
  command->add_option("--plot", options->plot, "Draw the curve of the loss to an .svg file");
  command->add_option("--seed", options->plan.seed, "Seed of first values and orders")
      ->capture_default_str();
  command->add_option("--dtype", options->element, "float32 or float64")
      ->check(CLI::IsMember({"float32", "float64"}))
      ->capture_default_str();
  command->add_option("--threads", options->threads, "How many threads compute")
      ->check(CLI::PositiveNumber);
  options->output.add_to(*command);
  command->callback([options, &status] { status = run(*options); });
}

}  // namespace cli
