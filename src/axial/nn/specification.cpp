#include "axial/nn/specification.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <vector>

#include "axial/base/error.hpp"
#include "axial/base/text.hpp"

namespace axial {
namespace {

constexpr std::string_view example = "write it like adam:lr=1e-3,beta1=0.9";

std::optional<double> number(std::string_view text) {
  if (text == "true") return 1;
  if (text == "false") return 0;
  double value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// The text up to `separator`, which is taken from the front of `rest` together with it.
std::string_view take(std::string_view& rest, char separator) {
  const std::size_t end = std::min(rest.find(separator), rest.size());
  const std::string_view taken = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return taken;
}

std::vector<std::string_view> names_of(const auto& rows) {
  std::vector<std::string_view> names;
  for (const auto& row : rows) names.push_back(row.name);
  return names;
}

std::string suggestion(std::string_view wanted, const std::vector<std::string_view>& names) {
  const auto near = nearest(wanted, names);
  return near ? fmt::format("did you mean `{}`? ", *near) : std::string();
}

const SpecifiedKind& kind_of(const Specification& specification, std::string_view subject,
                             std::span<const SpecifiedKind> kinds) {
  const auto kind = std::ranges::find(kinds, specification.name(), &SpecifiedKind::name);
  if (kind != kinds.end()) return *kind;
  const std::vector<std::string_view> names = names_of(kinds);
  throw Error(code("bad-value"),
              fmt::format("there is no {} `{}`", subject, shown(specification.name())),
              fmt::format("{}there are {}", suggestion(specification.name(), names),
                          fmt::join(names, ", ")));
}

void require_known(std::string_view name, const SpecifiedKind& kind, std::string_view subject) {
  if (std::ranges::find(kind.settings, name, &Setting::name) != kind.settings.end()) return;
  std::vector<std::string> known;
  for (const Setting& setting : kind.settings) {
    known.push_back(fmt::format("{}={}", setting.name, setting.value));
  }
  throw Error(
      code("bad-value"),
      fmt::format("the {} `{}` has no setting `{}`", subject, kind.name, shown(name)),
      fmt::format("{}it has {}", suggestion(name, names_of(kind.settings)),
                  known.empty() ? "no settings" : fmt::format("{}", fmt::join(known, ", "))));
}

void require_in_range(const Setting& setting, double value, const SpecifiedKind& kind,
                      std::string_view subject) {
  if (value >= setting.least && value < setting.below) return;
  throw Error(code("bad-value"),
              fmt::format("the setting `{}` of the {} `{}` cannot be {}", setting.name, subject,
                          kind.name, value),
              std::isinf(setting.below)
                  ? fmt::format("it is a number from {} on", setting.least)
                  : fmt::format("it is at least {} and below {}", setting.least, setting.below));
}

}  // namespace

Specification::Specification(std::string_view text) {
  std::string_view rest = text;
  name_ = take(rest, ':');
  if (name_.empty() || (rest.empty() && text.ends_with(':'))) {
    throw Error(code("bad-value"), fmt::format("`{}` is not a specification", shown(text)),
                std::string(example));
  }
  while (!rest.empty()) {
    std::string_view value = take(rest, ',');
    const bool is_flag = value.find('=') == std::string_view::npos;
    const std::string_view setting = take(value, '=');
    const std::optional<double> parsed = is_flag ? 1 : number(value);
    if (!parsed || setting.empty()) {
      throw Error(code("bad-value"),
                  fmt::format("in `{}`, the setting `{}` is given `{}`, which is not a number",
                              shown(text), shown(setting), shown(value)),
                  std::string(example));
    }
    if (!settings_.emplace(setting, *parsed).second) {
      throw Error(code("bad-value"),
                  fmt::format("`{}` has the setting `{}` twice", shown(text), shown(setting)),
                  "keep one of them");
    }
  }
}

Specification completed(const Specification& specification, std::string_view subject,
                        std::span<const SpecifiedKind> kinds) {
  const SpecifiedKind& kind = kind_of(specification, subject, kinds);
  for (const auto& [name, value] : specification.settings()) require_known(name, kind, subject);
  auto settings = specification.settings();
  for (const Setting& setting : kind.settings) {
    const auto [place, is_new] = settings.emplace(setting.name, setting.value);
    require_in_range(setting, place->second, kind, subject);
  }
  return {specification.name(), std::move(settings)};
}

std::string to_text(const Specification& specification) {
  std::vector<std::string> settings;
  for (const auto& [name, value] : specification.settings()) {
    settings.push_back(fmt::format("{}={}", name, value));
  }
  return settings.empty() ? specification.name()
                          : fmt::format("{}:{}", specification.name(), fmt::join(settings, ","));
}

}  // namespace axial
