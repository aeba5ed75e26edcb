// Operations that create, move and convert elements, and contractions.
#include <array>

#include "numpy/operations.hpp"

namespace axial::recorded {
namespace {

using Tensors = std::vector<Tensor>;
using nlohmann::json;

ElementType type(const Case& c) { return element_type(c.text("type")); }

Shape sizes(const json& recorded) {
  std::vector<SizedAxis> axes;
  for (const auto& [name, size] : recorded.items()) {
    axes.push_back(Axis(name)[size.get<std::int64_t>()]);
  }
  return Shape(axes);
}

// Contractions.

Tensors contract(const Case& c) { return {c.inputs[0] * c.axes() * c.inputs[1]}; }

Tensors dot_product(const Case& c) {
  const Tensors& x = c.inputs;
  if (x.size() == 1) return {dot(c.axes(), x[0])};
  if (x.size() == 2) return {dot(c.axes(), x[0], x[1])};
  return {dot(c.axes(), x.at(0), x.at(1), x.at(2))};
}

// Creation and conversion.

Tensors full_tensor(const Case& c) {
  return {full(sizes(c.parameters.at("shape")), number(c.parameters.at("value")), type(c))};
}

Tensors positions(const Case& c) { return {iota(c.axis("axis")[c.whole("size")], type(c))}; }

Tensors sized_identity(const Case& c) {
  return {identity(c.axis("row")[c.whole("size")], c.axis("column"), type(c))};
}

Tensors open_identity(const Case& c) {
  return {c.inputs[0] * c.axis() * identity(c.axis("row"), c.axis("column"))};
}

Tensors convert(const Case& c) { return {to(type(c), c.inputs[0])}; }

// New names.

Tensors rename(const Case& c) {
  std::vector<Renaming> pairs;
  for (const json& pair : c.parameters.at("pairs")) {
    pairs.push_back(Axis(pair[0].get<std::string>()) >> Axis(pair[1].get<std::string>()));
  }
  const Tensor& x = c.inputs[0];
  if (pairs.size() == 1) return {x[pairs[0]]};
  if (pairs.size() == 2) return {x[pairs[0], pairs[1]]};
  return {x[pairs.at(0), pairs.at(1), pairs.at(2)]};
}

Tensors flatten(const Case& c) { return {c.inputs[0][c.axes() >> c.axis("to")]}; }

Tensors split(const Case& c) {
  AxisParts parts;
  for (const json& part : c.parameters.at("parts")) {
    const Axis name(part[0].get<std::string>());
    parts.parts.push_back(part[1].is_null() ? AxisPart(name)
                                            : AxisPart(name[part[1].get<std::int64_t>()]));
  }
  return {c.inputs[0][c.axis() >> parts]};
}

Tensors broadcast_along(const Case& c) {
  return {broadcast(c.inputs[0], sizes(c.parameters.at("along")))};
}

// Indexing.

Tensors at(const Case& c) {
  Tensor result = c.inputs[0];
  for (const auto& [name, position] : c.parameters.at("record").items()) {
    result = result[Axis(name)(position.get<std::int64_t>())];
  }
  return {result};
}

Tensors slice(const Case& c) {
  Tensor result = c.inputs[0];
  for (const auto& [name, range] : c.parameters.at("ranges").items()) {
    result = result[Axis(name)(range[0].get<std::int64_t>(), range[1].get<std::int64_t>(),
                               range[2].get<std::int64_t>())];
  }
  return {result};
}

Tensors subscript(const Case& c) {
  const Axis a{"a"}, b{"b"}, cc{"c"}, d{"d"}, f{"f"};
  return {c.inputs[0][a(1), b(1, 5, 2), cc(c.inputs[1]), d >> f]};
}

Tensors reversed(const Case& c) { return {reverse(c.axis(), c.inputs[0])}; }

Tensors index_by(const Case& c) { return {index(c.axis(), c.inputs[0], c.inputs[1])}; }

Tensors select(const Case& c) { return {c.inputs[0][c.axis()(c.inputs[1])]}; }

Tensors index_twice(const Case& c) {
  return {index(c.over[1], index(c.over[0], c.inputs[0], c.inputs[1]), c.inputs[2])};
}

// Recombination.

Tensors concatenated(const Case& c) { return {concat(c.axis(), c.inputs)}; }

Tensors stacked(const Case& c) { return {stack(c.axis(), c.inputs)}; }

Tensors padded(const Case& c) {
  return {pad(c.axis(), c.whole("before"), c.whole("after"), c.inputs[0],
              number(c.parameters.at("value")))};
}

SizedAxis best(const Case& c) { return c.axis("best")[c.whole("count")]; }

Tensors largest(const Case& c) { return {top_k(c.axis(), best(c), c.inputs[0])}; }

Tensors largest_indices(const Case& c) { return {top_k_indices(c.axis(), best(c), c.inputs[0])}; }

SizedAxis kernel(const Case& c) { return c.axis("kernel")[c.whole("size")]; }

Tensors unrolled(const Case& c) {
  return {unroll(c.axis(), kernel(c), c.inputs[0],
                 {.stride = c.whole("stride"),
                  .dilation = c.whole("dilation"),
                  .padding = c.whole("padding"),
                  .value = number(c.parameters.at("value"))})};
}

Tensors pooled(const Case& c) { return {pool(c.axis(), kernel(c), c.inputs[0])}; }

constexpr auto contraction_table = std::to_array<NamedOperation>({
    {"contract", Takes::numbers, contract},
    {"dot", Takes::numbers, dot_product},
});

constexpr auto structure_table = std::to_array<NamedOperation>({
    {"full", Takes::anything, full_tensor},
    {"iota", Takes::numbers, positions},
    {"identity", Takes::anything, sized_identity},
    {"open_identity", Takes::numbers, open_identity},
    {"to", Takes::anything, convert},
    {"rename", Takes::anything, rename},
    {"flatten", Takes::anything, flatten},
    {"split", Takes::anything, split},
    {"broadcast", Takes::anything, broadcast_along},
    {"at", Takes::anything, at},
    {"slice", Takes::anything, slice},
    {"subscript", Takes::anything, subscript},
    {"reverse", Takes::anything, reversed},
    {"index", Takes::anything, index_by},
    {"select", Takes::anything, select},
    {"index_twice", Takes::anything, index_twice},
    {"concat", Takes::anything, concatenated},
    {"stack", Takes::anything, stacked},
    {"pad", Takes::anything, padded},
    {"top_k", Takes::numbers, largest},
    {"top_k_indices", Takes::numbers, largest_indices},
    {"unroll", Takes::anything, unrolled},
    {"pool", Takes::anything, pooled},
});

}  // namespace

std::span<const NamedOperation> contractions() { return contraction_table; }
std::span<const NamedOperation> structural_operations() { return structure_table; }

}  // namespace axial::recorded
