#include "axial/nn/checkpoint.hpp"

#include <utility>

#include "axial/files/safetensors.hpp"

namespace axial {
namespace {

/// The parts of a checkpoint and how the names of their tensors begin in the file.
constexpr std::pair<std::string_view, Tensors Checkpoint::*> groups[] = {
    {"model.", &Checkpoint::model},
    {"optimizer.", &Checkpoint::optimizer},
    {"progress.", &Checkpoint::progress}};
constexpr std::string_view of_facts = "training.";

}  // namespace

void write_checkpoint(const std::string& path, const Checkpoint& checkpoint) {
  files::Tensors tensors;
  for (const auto& [prefix, group] : groups) {
    for (const auto& [name, value] : checkpoint.*group) {
      tensors.emplace(std::string(prefix) + name, value.array());
    }
  }
  files::Metadata metadata;
  for (const auto& [key, text] : checkpoint.facts) {
    metadata.emplace(std::string(of_facts) + key, text);
  }
  files::write_safetensors(path, tensors, metadata);
}

Checkpoint read_checkpoint(const std::string& path) {
  Checkpoint checkpoint;
  for (const auto& [name, stored] : files::read_safetensors(path)) {
    for (const auto& [prefix, group] : groups) {
      if (!name.starts_with(prefix)) continue;
      (checkpoint.*group).emplace(name.substr(prefix.size()), Tensor(files::named(stored)));
    }
  }
  checkpoint.facts = checkpoint_facts(path);
  return checkpoint;
}

std::map<std::string, std::string> checkpoint_facts(const std::string& path) {
  std::map<std::string, std::string> facts;
  for (const auto& [key, text] : files::read_safetensors_metadata(path)) {
    if (key.starts_with(of_facts)) facts.emplace(key.substr(of_facts.size()), text);
  }
  return facts;
}

std::optional<std::string> name_in_model(std::string_view stored) {
  const std::string_view of_model = groups[0].first;
  if (stored.starts_with(of_model)) return std::string(stored.substr(of_model.size()));
  for (const auto& [prefix, group] : groups) {
    if (stored.starts_with(prefix)) return std::nullopt;
  }
  return std::string(stored);
}

void save_checkpoint(const std::string& path, const Module& model, const Optimizer& optimizer) {
  write_checkpoint(path, {.model = model.state(), .optimizer = optimizer.state()});
}

void load_checkpoint(const std::string& path, Module& model, Optimizer& optimizer) {
  const Checkpoint checkpoint = read_checkpoint(path);
  model.restore(checkpoint.model);
  optimizer.restore(checkpoint.optimizer);
}

}  // namespace axial
