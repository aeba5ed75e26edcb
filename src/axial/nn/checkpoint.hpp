// A training that can be interrupted: all that it needs to go on in one file.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "axial/nn/module.hpp"
#include "axial/nn/optimizer.hpp"

namespace axial {

/// What a training keeps.
struct Checkpoint {
  Tensors model;
  Tensors optimizer;
  /// How it went so far, such as the losses.
  Tensors progress = {};
  /// Texts that say which training it is.
  std::map<std::string, std::string> facts = {};
};

/// Writes a `.safetensors` file with `model.first.W`, `optimizer.adam.m/first.W`, `progress.losses`,
/// and the facts as metadata. The file is replaced as a whole or not at all. Fails with file-access.
void write_checkpoint(const std::string& path, const Checkpoint& checkpoint);
/// What was written; a file of another origin has nothing of it. Fails with file-access or bad-file.
Checkpoint read_checkpoint(const std::string& path);

/// The facts alone.
std::map<std::string, std::string> checkpoint_facts(const std::string& path);
/// What a tensor in a file is called by the model: `W` for `model.W`, and for `W` in a file that is no
/// checkpoint; nothing for what else a training keeps.
std::optional<std::string> name_in_model(std::string_view stored);

/// Writes the states of both as a checkpoint.
void save_checkpoint(const std::string& path, const Module& model, const Optimizer& optimizer);
/// Goes on from such a file, exactly. Fails like `read_checkpoint` and like `restore` of a module and
/// of an optimiser.
void load_checkpoint(const std::string& path, Module& model, Optimizer& optimizer);

}  // namespace axial
