#include "axial/nn/schedule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "axial/base/error.hpp"

namespace axial {
namespace {

constexpr Setting warmup{"warmup"}, steps{"steps"}, final_factor{"final"};
constexpr Setting constant_settings[] = {warmup};
constexpr Setting step_settings[] = {warmup, {"every", 1000, 1}, {"factor", 0.1}};
constexpr Setting falling_settings[] = {warmup, steps, final_factor};

/// The share of the way from the warmup to the end that is behind us.
double progress(const Specification& s, double elapsed) {
  return std::min(1.0, elapsed / std::max(1.0, s["steps"] - s["warmup"]));
}

/// From 1 down to the final factor, where `height` goes from 1 to 0.
double falling(const Specification& s, double height) {
  return s["final"] + (1 - s["final"]) * height;
}

double flat(const Specification& /*s*/, double /*elapsed*/) { return 1; }
double stairs(const Specification& s, double elapsed) {
  return std::pow(s["factor"], std::floor(elapsed / s["every"]));
}
double line(const Specification& s, double elapsed) { return falling(s, 1 - progress(s, elapsed)); }
double cosine(const Specification& s, double elapsed) {
  return falling(s, (1 + std::cos(std::numbers::pi * progress(s, elapsed))) / 2);
}

constexpr SpecifiedKind kinds[] = {{"constant", constant_settings},
                                   {"step", step_settings},
                                   {"linear", falling_settings},
                                   {"cosine", falling_settings}};
/// The factor when so many steps have passed since the warmup, by kind.
constexpr double (*factors[])(const Specification&, double) = {flat, stairs, line, cosine};

Specification with_end(const Specification& given, std::int64_t steps_given) {
  const Specification whole = completed(given, "schedule", kinds);
  if (!whole.settings().contains("steps") || whole["steps"] > 0) return whole;
  if (steps_given <= 0) {
    throw Error(code("bad-value"),
                fmt::format("the schedule `{}` has to know how many steps there are", whole.name()),
                fmt::format("say it: {}:steps=1000", whole.name()));
  }
  auto settings = whole.settings();
  settings["steps"] = static_cast<double>(steps_given);
  return {whole.name(), std::move(settings)};
}

}  // namespace

Schedule::Schedule() : Schedule(Specification("constant")) {}

Schedule::Schedule(const Specification& specification, std::int64_t steps_given)
    : specification_(with_end(specification, steps_given)) {}

double Schedule::factor(std::int64_t step) const {
  const double warmup_steps = specification_["warmup"], now = static_cast<double>(step);
  if (now < warmup_steps) return (now + 1) / warmup_steps;
  const auto kind = std::ranges::find(kinds, specification_.name(), &SpecifiedKind::name);
  return factors[kind - kinds](specification_, now - warmup_steps);
}

}  // namespace axial
