// Tensors in files: `.safetensors`, `.npz` and `.npy`, chosen by the end of the name.
#pragma once

#include <map>
#include <string>

#include "axial/api/tensor.hpp"

namespace axial {

/// Tensors by name.
using Tensors = std::map<std::string, Tensor>;
/// The axes of tensors that a file does not name, by tensor, in the order of the file.
using AxisOrders = std::map<std::string, Axes>;

/// Writes tensors with the names of their axes. The file is replaced as a whole or not at all. Fails
/// with file-access.
void save(const std::string& path, const Tensors& tensors);
/// Writes one tensor to an `.npy` file, the last axis of `order` varying fastest.
void save(const std::string& path, const Tensor& tensor, const Axes& order);

/// The tensors in a file. Where another program wrote it, `orders` names the axes. Large safetensors
/// files are mapped, not read. Fails with file-access or bad-file, and with wrong-arity if the axes
/// of a tensor are not known.
Tensors load(const std::string& path, const AxisOrders& orders = {});
/// The only tensor in a file, its axes called by `order`. Fails with wrong-arity if there are more.
Tensor load(const std::string& path, const Axes& order);

}  // namespace axial
