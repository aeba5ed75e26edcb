#include "axial/api/files.hpp"

#include <fmt/format.h>

#include "axial/base/error.hpp"
#include "axial/files/files.hpp"

namespace axial {
void save(const std::string& path, const Tensors& tensors) {
  files::Tensors arrays;
  for (const auto& [name, tensor] : tensors) arrays.emplace(name, tensor.array());
  files::write(path, arrays);
}

void save(const std::string& path, const Tensor& tensor, const Axes& order) {
  files::write(path, {{"", files::Ordered(tensor.array(), order)}});
}

Tensors load(const std::string& path, const AxisOrders& orders) {
  Tensors tensors;
  for (const auto& [name, stored] : files::read(path)) {
    const auto order = orders.find(name);
    tensors.emplace(name, Tensor(order == orders.end() ? files::named(stored)
                                                       : files::named(stored, order->second)));
  }
  for (const auto& [name, order] : orders) {
    if (!tensors.contains(name)) {
      throw Error(code("bad-value"), fmt::format("{} has no tensor `{}`", path, name));
    }
  }
  return tensors;
}

Tensor load(const std::string& path, const Axes& order) {
  const files::Stores stores = files::read(path);
  if (stores.size() != 1) {
    throw Error(
        code("wrong-arity"),
        fmt::format("{} holds {} tensors, but one order of axes is given", path, stores.size()),
        "name the axes of each: load(path, {{\"W\", height & width}})");
  }
  return Tensor(files::named(stores.begin()->second, order));
}

}  // namespace axial
