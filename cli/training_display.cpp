#include "cli/training_display.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include <algorithm>
#include <iostream>

namespace cli {
namespace {

using axial::Tensor;
using nlohmann::json;

constexpr std::string_view green = "\x1b[32m", bold = "\x1b[1m", dim = "\x1b[2m", plain = "\x1b[0m";

std::string duration(double seconds) {
  const auto whole = static_cast<std::int64_t>(seconds + 0.5);
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

/// How many characters a text takes on the screen.
std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char byte) { return (byte & 0xC0) != 0x80; }));
}

std::string padded(const std::string& text, std::size_t width) {
  return text + std::string(width - std::min(width, width_of(text)), ' ');
}

json shape_of(const Tensor& tensor) {
  json shape = json::object();
  for (const axial::SizedAxis& axis : tensor.shape().sorted())
    shape[std::string(axis.axis.name())] = axis.size;
  return shape;
}

std::string bar_of(double part, int width) {
  const int filled = static_cast<int>(part * width);
  std::string bar;
  for (int k = 0; k < width; ++k) bar += k < filled ? "━" : k == filled ? "╸" : " ";
  return bar;
}

}  // namespace

std::string TrainingDisplay::painted(const std::string& text, std::string_view style) const {
  return color_ ? fmt::format("{}{}{}", style, text, plain) : text;
}

json TrainingDisplay::json_of(const axial::train::Measured& measured) const {
  json object = {{"loss", measured.loss}};
  const std::vector<std::string>& names = trainer_.goal().metrics;
  for (std::size_t k = 0; k < names.size(); ++k) object[names[k]] = measured.metrics[k];
  return object;
}

std::string TrainingDisplay::text_of(const axial::train::Measured& measured) const {
  std::string text = fmt::format(", on held-out examples {:.4f}", measured.loss);
  const std::vector<std::string>& names = trainer_.goal().metrics;
  for (std::size_t k = 0; k < names.size(); ++k)
    text += fmt::format(", {} = {:.4f}", names[k], measured.metrics[k]);
  return text;
}

TrainingDisplay::TrainingDisplay(const axial::train::Trainer& trainer, const Output& output)
    : trainer_(trainer),
      json_(output.is_json()),
      bar_(!output.is_json() && isatty(1) != 0),
      color_(output.in_color()),
      first_step_(trainer.steps()),
      shown_step_(trainer.steps()) {}

double TrainingDisplay::seconds() const {
  return std::chrono::duration<double>(Clock::now() - started_).count();
}

double TrainingDisplay::examples_per_second() const {
  const auto learned =
      static_cast<double>((trainer_.steps() - first_step_) * trainer_.plan().batch);
  return learned / std::max(seconds(), 1e-9);
}

double TrainingDisplay::recent_loss() const {
  const std::vector<double>& losses = trainer_.losses();
  const std::int64_t in_epoch = (trainer_.steps() - 1) % trainer_.steps_per_epoch() + 1;
  const std::int64_t count = std::min<std::int64_t>({in_epoch, trainer_.steps(), 100});
  double sum = 0;
  for (std::int64_t k = 0; k < count; ++k)
    sum += losses[losses.size() - 1 - static_cast<std::size_t>(k)];
  return sum / static_cast<double>(count);
}

void TrainingDisplay::clear_bar() {
  if (bar_) std::cout << "\r\x1b[K";
}

void TrainingDisplay::begin(std::string_view file, std::int64_t learned, std::int64_t held_out) {
  std::int64_t count = 0;
  std::size_t name_width = 9, shape_width = 5;
  json all = json::array();
  for (const auto& [name, value] : trainer_.parameters()) {
    count += value.shape().volume();
    name_width = std::max(name_width, width_of(name));
    shape_width = std::max(shape_width, width_of(to_text(value.shape())));
    all.push_back(
        {{"name", name}, {"shape", shape_of(value)}, {"elements", value.shape().volume()}});
  }
  if (json_) {
    const json line = {{"event", "start"},
                       {"file", file},
                       {"loss", trainer_.goal().loss},
                       {"examples", learned},
                       {"held_out", held_out},
                       {"batch", trainer_.plan().batch},
                       {"steps", trainer_.all_steps()},
                       {"first_step", first_step_},
                       {"parameters", all},
                       {"elements", count}};
    std::cout << line.dump() << std::endl;
    return;
  }
  const auto row = [&](const std::string& name, const std::string& shape,
                       const std::string& elements) {
    std::cout << fmt::format("  {}  {}  {:>9}\n", padded(name, name_width),
                             padded(shape, shape_width), elements);
  };
  std::cout << fmt::format(
      "{}: {} is learned from {} examples{}, {} at a time, {} steps an epoch\n\n", file,
      trainer_.goal().loss, learned,
      held_out > 0 ? fmt::format(" ({} are held out)", held_out) : "", trainer_.plan().batch,
      trainer_.steps_per_epoch());
  row("parameter", "shape", "elements");
  for (const auto& [name, value] : trainer_.parameters())
    row(name, to_text(value.shape()), std::to_string(value.shape().volume()));
  row("together", "", std::to_string(count));
  std::cout << "\n";
  if (first_step_ > 0) std::cout << fmt::format("going on after step {}\n", first_step_);
  std::cout.flush();
}

void TrainingDisplay::step() {
  const auto now = Clock::now();
  const double since = std::chrono::duration<double>(now - shown_).count();
  const double wait = bar_ ? 0.1 : 5;
  if (since < wait) return;
  const double rate = examples_per_second();
  const double left =
      static_cast<double>((trainer_.all_steps() - trainer_.steps()) * trainer_.plan().batch) / rate;
  const std::int64_t per_epoch = trainer_.steps_per_epoch();
  const std::int64_t epoch = (trainer_.steps() - 1) / per_epoch + 1;
  const std::int64_t in_epoch = (trainer_.steps() - 1) % per_epoch + 1;
  if (json_) {
    const json line = {{"event", "step"},
                       {"epoch", epoch},
                       {"step", trainer_.steps()},
                       {"loss", recent_loss()},
                       {"examples_per_second", rate},
                       {"seconds_left", left}};
    std::cout << line.dump() << std::endl;
  } else if (bar_) {
    const std::string bar =
        bar_of(static_cast<double>(in_epoch) / static_cast<double>(per_epoch), 30);
    std::cout << fmt::format("\r\x1b[Kepoch {}/{} {} loss {:.4f}  {:.0f} examples/s  {} left",
                             epoch, trainer_.plan().epochs, painted(bar, green), recent_loss(),
                             rate, duration(left));
  } else {
    std::cout << fmt::format("epoch {}  step {}/{}  loss {:.4f}  {:.0f} examples/s  {} left\n",
                             epoch, in_epoch, per_epoch, recent_loss(), rate, duration(left));
  }
  std::cout.flush();
  shown_ = now;
}

void TrainingDisplay::epoch(const axial::train::Validation* validation) {
  const std::int64_t per_epoch = trainer_.steps_per_epoch();
  const std::int64_t epoch = trainer_.steps() / per_epoch;
  double sum = 0;
  for (std::int64_t k = trainer_.steps() - per_epoch; k < trainer_.steps(); ++k)
    sum += trainer_.losses()[static_cast<std::size_t>(k)];
  const double loss = sum / static_cast<double>(per_epoch);
  clear_bar();
  if (json_) {
    json line = {{"event", "epoch"}, {"epoch", epoch}, {"step", trainer_.steps()}, {"loss", loss}};
    if (validation != nullptr) line["validation"] = json_of(validation->measured);
    std::cout << line.dump() << std::endl;
    return;
  }
  const std::string head = fmt::format("epoch {}", epoch);
  std::cout << fmt::format("{}: loss {:.4f}{}  {}", painted(head, bold), loss,
                           validation != nullptr ? text_of(validation->measured) : "",
                           painted(duration(seconds()), dim))
            << std::endl;
}

void TrainingDisplay::measured(const axial::train::Measured& measured) {
  clear_bar();
  if (json_)
    std::cout << json{{"event", "measured"},
                      {"step", trainer_.steps()},
                      {"validation", json_of(measured)}}
                     .dump()
              << std::endl;
  else
    std::cout << fmt::format("step {}{}", trainer_.steps(), text_of(measured)) << std::endl;
}

void TrainingDisplay::saved(const std::string& path) {
  if (json_)
    std::cout << json{{"event", "saved"}, {"path", path}, {"step", trainer_.steps()}}.dump()
              << std::endl;
}

void TrainingDisplay::wrote(std::string_view what, const std::string& path) {
  clear_bar();
  if (json_)
    std::cout << json{{"event", "wrote"}, {"what", what}, {"path", path}}.dump() << std::endl;
  else
    std::cout << fmt::format("{} is in {}\n", what, path);
}

void TrainingDisplay::end(bool interrupted) {
  clear_bar();
  if (json_) {
    const json line = {{"event", interrupted ? "interrupted" : "end"},
                       {"steps", trainer_.steps()},
                       {"loss", trainer_.steps() > 0 ? json(recent_loss()) : json(nullptr)},
                       {"seconds", seconds()},
                       {"examples_per_second", examples_per_second()}};
    std::cout << line.dump() << std::endl;
    return;
  }
  const std::string loss =
      trainer_.steps() > 0 ? fmt::format(", loss {:.4f}", recent_loss()) : std::string();
  std::cout << fmt::format("{} after {} steps{}, {:.0f} examples/s, {}\n",
                           interrupted ? "stopped" : "finished", trainer_.steps(), loss,
                           examples_per_second(), duration(seconds()));
}

}  // namespace cli
