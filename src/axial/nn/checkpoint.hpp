// A training that can be interrupted: model and optimiser in one file.
#pragma once

#include <string>

#include "axial/nn/module.hpp"
#include "axial/nn/optimizer.hpp"

namespace axial {

/// Writes the states of both, as `model.first.W` and `optimizer.adam.m/first.W`. The file is replaced
/// as a whole or not at all. Fails with file-access.
void save_checkpoint(const std::string& path, const Module& model, const Optimizer& optimizer);

/// Goes on from such a file, exactly. Fails like `load` and like `restore` of a module and of an
/// optimiser.
void load_checkpoint(const std::string& path, Module& model, Optimizer& optimizer);

}  // namespace axial
