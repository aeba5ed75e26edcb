// What a training of a document leaves on the disk: a checkpoint whose model are the tensors of the
// document, with the losses so far and, as facts, what must be the same to go on. The order of the
// examples follows from the seed and the number of steps, so the generator has no state of its own.
#include "axial/nn/checkpoint.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "axial/api/create.hpp"
#include "axial/base/error.hpp"
#include "axial/train/trainer.hpp"

namespace axial::train {
namespace {

const std::string losses_name = "losses", validations_name = "validations";
const Axis step_axis("step"), value_axis("value");

/// A row for each validation: its step, the loss, the metrics.
Array table_of(const std::vector<Validation>& validations, std::int64_t metrics) {
  const Shape shape{step_axis[std::ssize(validations)], value_axis[metrics + 2]};
  return build<double>(shape, [&](double* out) {
    for (const Validation& one : validations) {
      *out++ = static_cast<double>(one.step);
      *out++ = one.measured.loss;
      out = std::ranges::copy(one.measured.metrics, out).out;
    }
  });
}

[[noreturn]] void refuse(const std::string& path) {
  throw Error(code("bad-file"), fmt::format("{} is not a file that training saved", path),
              "--resume goes on from the file that --save named");
}

std::vector<Validation> validations_of(const Array& stored, std::int64_t metrics,
                                       const std::string& path) {
  const Axes order{step_axis, value_axis};
  const std::int64_t width = metrics + 2;
  if (stored.shape().names() != order || stored.shape().size(value_axis) != width) refuse(path);
  const Array table = laid_out(stored, order);
  std::vector<Validation> validations;
  for (std::int64_t row = 0; row < table.volume(); row += width) {
    Validation one{static_cast<std::int64_t>(table.real(row)), {table.real(row + 1), {}}};
    for (std::int64_t k = 2; k < width; ++k) one.measured.metrics.push_back(table.real(row + k));
    validations.push_back(std::move(one));
  }
  return validations;
}

std::string sizes_text(const std::map<std::string, std::int64_t>& sizes) {
  std::string text;
  for (const auto& [name, size] : sizes)
    text += fmt::format("{}{}={}", text.empty() ? "" : ",", name, size);
  return text;
}

Array required(const Checkpoint& checkpoint, const std::string& name, const std::string& path) {
  const auto found = checkpoint.progress.find(name);
  if (found != checkpoint.progress.end()) return found->second.array();
  refuse(path);
}

}  // namespace

std::map<std::string, std::string> Trainer::fingerprint() const {
  return {{"loss", goal_.loss},
          {"metrics", fmt::format("{}", fmt::join(goal_.metrics, ", "))},
          {"batch", std::to_string(plan_.batch)},
          {"seed", std::to_string(plan_.seed)},
          {"optimizer", to_text(optimizer_.rule())},
          {"examples", std::to_string(learned_.size())},
          {"element", std::string(to_text(goal_.element))}};
}

void Trainer::save(const std::string& path) const {
  const Array losses = build<double>(Shape{step_axis[steps()]},
                                     [&](double* out) { std::ranges::copy(losses_, out); });
  const Array validations = table_of(validations_, std::ssize(goal_.metrics));
  Checkpoint checkpoint{
      .model = parameters_,
      .optimizer = optimizer_.state(),
      .progress = {{losses_name, Tensor(losses)}, {validations_name, Tensor(validations)}},
      .facts = fingerprint()};
  checkpoint.facts.emplace(sizes_fact, sizes_text(goal_.sizes));
  write_checkpoint(path, checkpoint);
}

void Trainer::restore(const std::string& path) {
  const Checkpoint saved = read_checkpoint(path);
  const Array losses = required(saved, losses_name, path);
  for (const auto& [key, now] : fingerprint()) {
    const auto found = saved.facts.find(key);
    const std::string before = found == saved.facts.end() ? "none" : found->second;
    if (before == now) continue;
    throw Error(code("bad-value"),
                fmt::format("{} was saved by a training with {} `{}`, and this one has `{}`", path,
                            key, before, now),
                "go on with the same command, or start from its parameters with --load");
  }
  std::vector<Validation> validations =
      validations_of(required(saved, validations_name, path), std::ssize(goal_.metrics), path);
  set_parameters(saved.model);
  optimizer_.restore(saved.optimizer);
  losses_.clear();
  for (std::int64_t k = 0; k < losses.volume(); ++k) losses_.push_back(losses.real(k));
  validations_ = std::move(validations);
}

}  // namespace axial::train
