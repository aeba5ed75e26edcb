#include "cli/eval.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <iostream>
#include <memory>

#include "axial/files/files.hpp"
#include "axial/tensor/print.hpp"
#include "cli/options.hpp"
#include "cli/subject.hpp"

namespace cli {
namespace {

using axial::Array;
using axial::Error;
using nlohmann::json;

struct Options {
  Subject subject;
  std::string out;
  Output output;
};

std::string json_of(const Array& value) {
  json shape = json::object(), order = json::array(), values = json::array();
  std::vector<axial::Axis> axes;
  for (const axial::SizedAxis& axis : value.shape().sorted()) {
    shape[std::string(axis.axis.name())] = axis.size;
    order.push_back(axis.axis.name());
    axes.push_back(axis.axis);
  }
  const Array ordered = axial::laid_out(value, axial::Axes(axes));
  for (std::int64_t k = 0; k < ordered.volume(); ++k) values.push_back(ordered.real(k));
  const json object = {{"shape", shape}, {"order", order}, {"values", values}};
  return object.dump() + "\n";
}

int run(const Options& options) {
  try {
    const Array value = options.subject.tensor().array();
    if (!options.out.empty())
      axial::files::write(options.out, {{"", axial::files::Ordered(value)}});
    if (options.output.is_json())
      std::cout << json_of(value);
    else
      std::cout << axial::to_text(value) << "\n";
    return 0;
  } catch (const Error& error) {
    return report(error, options.subject.formula);
  }
}

}  // namespace

void add_eval(CLI::App& app, int& status) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("eval", "Evaluates a formula in the scope of a document");
  options->subject.add_to(*command);
  command->add_option("--out", options->out,
                      "Write the value to a file (.npy, .npz, .safetensors)");
  options->output.add_to(*command);
  command->callback([options, &status] { status = run(*options); });
}

}  // namespace cli
