#include "axial/nn/checkpoint.hpp"

#include <string_view>

namespace axial {
namespace {

constexpr std::string_view of_model = "model.", of_optimizer = "optimizer.";

/// The tensors whose names begin with `prefix`, without it.
Tensors part(const Tensors& all, std::string_view prefix) {
  Tensors found;
  for (const auto& [name, value] : all) {
    if (name.starts_with(prefix)) found.emplace(name.substr(prefix.size()), value);
  }
  return found;
}

}  // namespace

void save_checkpoint(const std::string& path, const Module& model, const Optimizer& optimizer) {
  Tensors all;
  for (const auto& [name, value] : model.state()) all.emplace(std::string(of_model) + name, value);
  for (const auto& [name, value] : optimizer.state())
    all.emplace(std::string(of_optimizer) + name, value);
  save(path, all);
}

void load_checkpoint(const std::string& path, Module& model, Optimizer& optimizer) {
  const Tensors all = load(path);
  model.restore(part(all, of_model));
  optimizer.restore(part(all, of_optimizer));
}

}  // namespace axial
