#include "bench/formulas/formulas.hpp"

#include <algorithm>
#include <stdexcept>

namespace bench {

void Inputs::give(std::string_view name, axial::Tensor tensor) {
  std::erase_if(given_, [&](const auto& input) { return input.first == name; });
  const auto place = std::ranges::find_if(given_, [&](const auto& each) { return name < each.first; });
  given_.emplace(place, name, std::move(tensor));
}

const axial::Tensor* Inputs::find(std::string_view name) const {
  for (const auto& [known, tensor] : given_) {
    if (known == name) return &tensor;
  }
  return nullptr;
}

const axial::Tensor& Inputs::at(std::string_view name) const {
  if (const axial::Tensor* found = find(name)) return *found;
  throw std::out_of_range("there is no input " + std::string(name));
}

Results only(axial::Tensor result) {
  Results results;
  results.push_back(std::move(result));
  return results;
}

}  // namespace bench
