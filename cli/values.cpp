#include "cli/values.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <charconv>

#include "axial/base/text.hpp"
#include "axial/files/files.hpp"
#include "axial/nn/checkpoint.hpp"
#include "axial/train/trainer.hpp"
#include "cli/options.hpp"

namespace cli {
namespace {

using axial::Array;
using axial::code;
using axial::document::Setting;
using nlohmann::json;

/// Nested lists of numbers, all rows of one length.
void flatten(const json& value, std::size_t depth, Setting& setting) {
  const auto refuse = [&](std::string_view why) {
    throw Misuse(code("wrong-count"), fmt::format("the value for `{}` {}", setting.name, why),
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

/// Takes over the elements of a stored tensor, and the names of its axes if the file says them.
void take_over(const axial::files::Stored& stored, Setting& setting) {
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

void read_array(const std::string& path, Setting& setting) {
  const auto stores = axial::files::read(path);
  if (stores.size() != 1) {
    throw Misuse(code("wrong-arity"), fmt::format("`{}` does not hold one tensor", path),
                 "use an .npy file");
  }
  take_over(stores.begin()->second, setting);
}

bool is_file(std::string_view value) {
  constexpr std::string_view endings[] = {".npy",    ".npz",   ".safetensors", ".idx",
                                          ".idx.gz", "-ubyte", "-ubyte.gz"};
  return std::ranges::any_of(endings, [&](std::string_view one) { return value.ends_with(one); });
}

std::int64_t size_of(const std::string& name, const std::string& value) {
  std::int64_t size = 0;
  const auto read = std::from_chars(value.data(), value.data() + value.size(), size);
  if (read.ec != std::errc{} || read.ptr != value.data() + value.size() || size < 1) {
    throw Misuse(code("bad-size"),
                 fmt::format("`{}` is not a size for `{}`", axial::shown(value), name),
                 "a size is a positive whole number");
  }
  return size;
}

}  // namespace

std::pair<std::string, std::string> name_and_value(const std::string& text,
                                                   std::string_view option) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
    throw Misuse(code("syntax"),
                 fmt::format("{} `{}` is not NAME=VALUE", option, axial::shown(text)),
                 fmt::format("write {} x=1", option));
  }
  return {text.substr(0, equals), text.substr(equals + 1)};
}

std::vector<std::string> listed(std::string_view text) {
  std::vector<std::string> parts(1);
  for (const char byte : text) {
    if (byte == ',')
      parts.emplace_back();
    else if (byte != ' ')
      parts.back() += byte;
  }
  return parts;
}

Setting setting_of(const std::string& text) {
  auto [name, value] = name_and_value(text, "--set");
  Setting setting;
  if (const std::size_t bracket = name.find('['); bracket != std::string::npos) {
    if (name.back() != ']') {
      throw Misuse(code("syntax"), fmt::format("--set `{}` has no `]`", axial::shown(text)),
                   "write --set 'X[seq, key]=[[1, 2], [3, 4]]'");
    }
    setting.axes = listed(std::string_view(name).substr(bracket + 1, name.size() - bracket - 2));
    from_options([&] {
      return axial::Axes(std::vector<axial::Axis>(setting.axes.begin(), setting.axes.end()));
    });
    name.resize(bracket);
  }
  setting.name = name;
  if (is_file(value)) {
    read_array(value, setting);
    return setting;
  }
  const json parsed = json::parse(value, nullptr, false);
  if (parsed.is_discarded()) {
    throw Misuse(code("syntax"),
                 fmt::format("the value for `{}` is neither numbers nor a file", name),
                 "write a number, lists such as [[1, 2], [3, 4]], or a file such as x.npy");
  }
  flatten(parsed, 0, setting);
  return setting;
}

std::vector<Setting> loaded_settings(const std::string& path) {
  std::vector<Setting> settings;
  for (const auto& [name, stored] : axial::files::read(path)) {
    const std::optional<std::string> known = axial::name_in_model(name);
    if (!known) continue;
    Setting setting{.name = *known};
    take_over(stored, setting);
    settings.push_back(std::move(setting));
  }
  return settings;
}

std::map<std::string, std::int64_t> loaded_sizes(const std::string& path) {
  if (!path.ends_with(".safetensors")) return {};
  const auto facts = axial::checkpoint_facts(path);
  const auto found = facts.find(axial::train::sizes_fact);
  if (found == facts.end() || found->second.empty()) return {};
  return sizes_of({found->second});
}

std::map<std::string, std::int64_t> sizes_of(const std::vector<std::string>& texts) {
  std::map<std::string, std::int64_t> sizes;
  for (const std::string& text : texts) {
    for (const std::string& part : listed(text)) {
      const auto [name, value] = name_and_value(part, "--size");
      sizes[name] = size_of(name, value);
    }
  }
  return sizes;
}

}  // namespace cli
