// The operations on tensors whose names are checked at run time; operations.hpp gives them their
// public spellings, for Tensor and Named alike.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "axial/api/tensor.hpp"

namespace axial {

/// How windows are laid over an axis. `padding` positions of `value` are added at both ends.
struct WindowOptions {
  std::int64_t stride = 1;
  std::int64_t dilation = 1;
  std::int64_t padding = 0;
  Number value = 0;
};

namespace plain {

Tensor apply(const Word& word, expr::Operands operands);
Tensor apply(const Word& word, std::span<const Tensor> operands);
Tensor reduce(const Reduction& reduction, const Axes& over, const Tensor& x);
Tensor contract(const Axes& over, expr::Operands factors);
Tensor primitive(std::string_view name, const Axes& over, const std::vector<Tensor>& operands);
Tensor phrase(std::string_view name, const std::vector<Axes>& axes,
              const std::vector<Tensor>& arguments);
Tensor index(Axis axis, const Tensor& source, const Tensor& indices);
Tensor unroll(Axis axis, SizedAxis kernel, const Tensor& x, const WindowOptions& options);
Tensor pool(Axis axis, SizedAxis kernel, const Tensor& x);
Tensor concat(Axis axis, const std::vector<Tensor>& parts);
Tensor stack(Axis axis, const std::vector<Tensor>& parts);
Tensor pad(Axis axis, std::int64_t before, std::int64_t after, const Tensor& x, Number value);
Tensor reverse(Axis axis, const Tensor& x);
Tensor top_k(Axis axis, SizedAxis best, const Tensor& x);
Tensor top_k_indices(Axis axis, SizedAxis best, const Tensor& x);
Tensor to(ElementType type, const Tensor& x);
Tensor broadcast(const Tensor& x, const Shape& along);

}  // namespace plain
}  // namespace axial
