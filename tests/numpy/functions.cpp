// Recurrences and functions with signatures: the same steps and bodies as in scans.py and calls.py.
#include <array>

#include "numpy/operations.hpp"

namespace axial::recorded {
namespace {

using Tensors = std::vector<Tensor>;

ScanOptions options(const Case& c) { return {.reverse = c.parameters.at("reverse").get<bool>()}; }

Tensors scan_product(const Case& c) {
  return {scan(
      c.axis(), c.inputs[0], c.inputs[1], [](const Tensor& s, const Tensor& x) { return s * x; },
      options(c))};
}

Tensors scan_affine(const Case& c) {
  return {scan(
      c.axis(), c.inputs[0], {c.inputs[1], c.inputs[2]},
      [](const Tensor& s, const Tensor& x, const Tensor& y) { return s * x + y; }, options(c))};
}

Tensors scan_rnn(const Case& c) {
  const Axis hidden{"hidden"};
  const Tensor W = c.inputs[2];
  const auto step = [&](const Tensor& s, const Tensor& x) {
    return tanh((W * hidden * s)[hidden.prime() >> hidden] + x);
  };
  return {scan(c.axis(), c.inputs[0], c.inputs[1], step, options(c))};
}

Tensors scan_pair(const Case& c) {
  const auto step = [](const Tensor& place, const Tensor& speed, const Tensor& x) -> Tensors {
    return {place + speed, speed * x};
  };
  return scan(c.axis(), Tensors{c.inputs[0], c.inputs[1]}, Tensors{c.inputs[2]}, step, options(c));
}

Tensors call_attention(const Case& c) {
  const Axis key{"key"}, seq{"seq"}, val{"val"};
  const Function attention = function(
      {key, seq & key, seq & val}, val, [=](const Tensor& Q, const Tensor& K, const Tensor& V) {
        return softmax(seq, Q * key * K / std::sqrt(K.size(key))) * seq * V;
      });
  return {attention(c.inputs[0], c.inputs[1], c.inputs[2])};
}

Tensors call_energy(const Case& c) {
  const Axis layer{"layer"};
  const Function energy =
      function({layer}, Axes{}, [=](const Tensor& x) { return sum(layer, x * x); });
  return {energy(c.inputs[0])};
}

constexpr auto table = std::to_array<NamedOperation>({
    {"scan_product", Takes::numbers, scan_product},
    {"scan_affine", Takes::numbers, scan_affine},
    {"scan_rnn", Takes::reals, scan_rnn},
    {"scan_pair", Takes::numbers, scan_pair},
    {"call_attention", Takes::reals, call_attention},
    {"call_energy", Takes::reals, call_energy},
});

}  // namespace

std::span<const NamedOperation> function_operations() { return table; }

}  // namespace axial::recorded
