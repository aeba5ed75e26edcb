#include "cli/subject.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <charconv>
#include <utility>

#include "axial/api/engine.hpp"
#include "axial/base/text.hpp"
#include "axial/document/evaluate.hpp"
#include "axial/files/files.hpp"

namespace cli {
namespace {

using axial::Array;
using axial::code;
using axial::Error;
using axial::document::Setting;
using nlohmann::json;

/// NAME=VALUE in two parts. Fails with syntax.
std::pair<std::string, std::string> split(const std::string& text, std::string_view option) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
    throw Error(code("syntax"),
                fmt::format("{} `{}` is not NAME=VALUE", option, axial::shown(text)),
                fmt::format("write {} x=1", option));
  }
  return {text.substr(0, equals), text.substr(equals + 1)};
}

/// Nested lists of numbers, all rows of one length.
void flatten(const json& value, std::size_t depth, Setting& setting) {
  const auto refuse = [&](std::string_view why) {
    throw Error(code("wrong-count"), fmt::format("the value for `{}` {}", setting.name, why),
                "write a number or lists such as [[1, 2], [3, 4]]");
  };
  if (depth > 32) refuse("is nested too deep");
  if (value.is_number()) {
    if (depth != setting.extents.size()) refuse("has rows of different depth");
    setting.values.push_back(value.get<double>());
    return;
  }
  if (!value.is_array()) refuse("is not made of numbers");
  if (setting.values.empty() && depth == setting.extents.size()) {
    setting.extents.push_back(static_cast<std::int64_t>(value.size()));
  }
  const bool fits = depth < setting.extents.size() &&
                    setting.extents[depth] == static_cast<std::int64_t>(value.size());
  if (!fits) refuse("has rows of different length");
  for (const json& part : value) flatten(part, depth + 1, setting);
}

void read_array(const std::string& path, Setting& setting) {
  const auto stores = axial::files::read(path);
  if (stores.size() != 1) {
    throw Error(code("wrong-arity"), fmt::format("`{}` does not hold one tensor", path),
                "use an .npy file");
  }
  const axial::files::Stored& stored = stores.begin()->second;
  std::vector<axial::Axis> order;
  for (std::size_t k = 0; k < stored.sizes.size(); ++k)
    order.emplace_back(fmt::format("axis{}", k));
  if (stored.axes) order.assign(stored.axes->begin(), stored.axes->end());
  const axial::Axes axes(order);
  const Array array = axial::laid_out(axial::files::named(stored, axes), axes);
  setting.extents = stored.sizes;
  for (std::int64_t k = 0; k < array.volume(); ++k) setting.values.push_back(array.real(k));
  if (stored.axes && setting.axes.empty()) {
    for (const axial::Axis axis : order) setting.axes.emplace_back(axis.name());
  }
}

/// X=3, X=[[1,2],[3,4]], X[seq,key]=..., X=file.npy
Setting setting_of(const std::string& text) {
  auto [name, value] = split(text, "--set");
  Setting setting;
  if (const std::size_t bracket = name.find('[');
      bracket != std::string::npos && name.back() == ']') {
    std::string axis;
    for (const char byte : name.substr(bracket + 1)) {
      if (byte == ',' || byte == ']')
        setting.axes.push_back(std::exchange(axis, {}));
      else if (byte != ' ')
        axis += byte;
    }
    name.resize(bracket);
  }
  setting.name = name;
  if (value.ends_with(".npy") || value.ends_with(".npz") || value.ends_with(".safetensors")) {
    read_array(value, setting);
    return setting;
  }
  const json parsed = json::parse(value, nullptr, false);
  if (parsed.is_discarded()) {
    throw Error(code("syntax"),
                fmt::format("the value for `{}` is neither numbers nor a file", name),
                "write a number, lists such as [[1, 2], [3, 4]], or a file such as x.npy");
  }
  flatten(parsed, 0, setting);
  return setting;
}

std::int64_t size_of(const std::string& name, const std::string& value) {
  std::int64_t size = 0;
  const auto read = std::from_chars(value.data(), value.data() + value.size(), size);
  if (read.ec != std::errc{} || read.ptr != value.data() + value.size() || size < 1) {
    throw Error(code("bad-size"),
                fmt::format("`{}` is not a size for `{}`", axial::shown(value), name),
                "a size is a positive whole number");
  }
  return size;
}

}  // namespace

void Subject::add_to(CLI::App& command) {
  command.add_option("FILE", file, "The document; - for none")->required();
  command.add_option("EXPR", formula, "The formula, in plain text or LaTeX")->required();
  command.add_option("--set", settings, "NAME=VALUE: a number, nested lists, or a file")
      ->take_all();
  command.add_option("--size", sizes, "AXIS=N")->take_all();
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
  for (const std::string& setting : settings) given.settings.push_back(setting_of(setting));
  for (const std::string& text : sizes) {
    const auto [name, value] = split(text, "--size");
    given.sizes[name] = size_of(name, value);
  }
  const axial::document::Contents contents =
      file == "-" ? axial::document::Contents{} : axial::document::read_file(file);
  return axial::Tensor(axial::document::expression(contents, formula, given));
}

}  // namespace cli
