// What a training leaves on the disk: parameters under their names, so that `axial eval --load` finds
// them; the state of the optimiser and the losses under names with a dot, which no tensor of a document
// has; and in the metadata what must be the same to go on. The order of the examples follows from the
// seed and the number of steps, so the generator has no state of its own.
#include <fmt/format.h>

#include "axial/api/create.hpp"
#include "axial/base/error.hpp"
#include "axial/files/safetensors.hpp"
#include "axial/train/trainer.hpp"

namespace axial::train {
namespace {

const std::string losses_name = "axial.losses", validations_name = "axial.validations",
                  count_name = "axial.steps", metadata_prefix = "axial.train.";
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

std::vector<Validation> validations_of(const Array& stored) {
  const Array table = laid_out(stored, Axes{step_axis, value_axis});
  const std::int64_t width = table.shape().size(value_axis);
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

const Array& required(const std::map<std::string, Array>& arrays, const std::string& name,
                      const std::string& path) {
  const auto found = arrays.find(name);
  if (found != arrays.end()) return found->second;
  throw Error(code("bad-file"), fmt::format("{} is not a file that training saved", path),
              "--resume goes on from the file that --save named");
}

}  // namespace

std::map<std::string, std::string> Trainer::fingerprint() const {
  return {{"loss", goal_.loss},
          {"batch", std::to_string(plan_.batch)},
          {"seed", std::to_string(plan_.seed)},
          {"optimizer", to_text(optimizer_.rule())},
          {"examples", std::to_string(learned_.size())},
          {"element", std::string(to_text(goal_.element))}};
}

void Trainer::save(const std::string& path) const {
  files::Tensors tensors;
  for (const Tensors& group : {parameters_, optimizer_.state()}) {
    for (const auto& [name, value] : group) tensors.emplace(name, value.array());
  }
  tensors.emplace(losses_name, build<double>(Shape{step_axis[steps()]}, [&](double* out) {
                    std::ranges::copy(losses_, out);
                  }));
  tensors.emplace(count_name, scalar(steps(), int64));
  tensors.emplace(validations_name, table_of(validations_, std::ssize(goal_.metrics)));
  files::Metadata metadata;
  for (const auto& [key, text] : fingerprint()) metadata.emplace(metadata_prefix + key, text);
  metadata.emplace(std::string(sizes_key), sizes_text(goal_.sizes));
  files::write_safetensors(path, tensors, metadata);
}

void Trainer::restore(const std::string& path) {
  std::map<std::string, Array> arrays;
  Tensors tensors;
  for (const auto& [name, stored] : files::read_safetensors(path)) {
    arrays.emplace(name, files::named(stored));
    tensors.emplace(name, Tensor(arrays.at(name)));
  }
  const Array& count = required(arrays, count_name, path);
  const files::Metadata metadata = files::read_safetensors_metadata(path);
  for (const auto& [key, now] : fingerprint()) {
    const auto found = metadata.find(metadata_prefix + key);
    const std::string before = found == metadata.end() ? "none" : found->second;
    if (before == now) continue;
    throw Error(code("bad-value"),
                fmt::format("{} was saved by a training with {} `{}`, and this one has `{}`", path,
                            key, before, now),
                "go on with the same command, or start from its parameters with --load");
  }
  set_parameters(tensors);
  optimizer_.restore(tensors);
  const Array& losses = required(arrays, losses_name, path);
  losses_.clear();
  for (std::int64_t k = 0; k < count.whole(0); ++k) losses_.push_back(losses.real(k));
  validations_ = validations_of(required(arrays, validations_name, path));
}

}  // namespace axial::train
