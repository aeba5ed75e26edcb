#include "axial/nn/convolution.hpp"

#include "axial/api/function.hpp"

namespace axial {
namespace {

Shape kernels_of(const std::vector<Window>& windows) {
  Shape kernels;
  for (const Window& window : windows) kernels = kernels * Shape(window.kernel);
  return kernels;
}

Axes axes_of(const std::vector<Window>& windows) {
  Axes axes;
  for (const Window& window : windows) axes = axes & window.axis;
  return axes;
}

/// A reduction of the windows of X, as a function of the axes that they lie on, so that others may have
/// the names of kernels.
template <class Reduce>
Tensor pooled(const std::vector<Window>& windows, const Tensor& X, Number beyond, Reduce reduce) {
  const Axes axes = axes_of(windows);
  return function("pool", {axes}, axes, [&](Tensor slice) {
    for (const auto& [axis, kernel, options] : windows) {
      if (!options) {
        slice = pool(axis, kernel, slice);
      } else {
        WindowOptions padded = *options;
        padded.value = beyond;
        slice = unroll(axis, kernel, slice, padded);
      }
    }
    return reduce(kernels_of(windows).names(), slice);
  })(X);
}

}  // namespace

Conv::Conv(const Shape& in, const Shape& out, std::vector<Window> over, const LayerOptions& options)
    : inputs(in.names()),
      outputs(in, out),
      windows(std::move(over)),
      W(parameter(
          "W", outputs.inside() * in * kernels_of(windows),
          options.weights ? options.weights : init::he(inputs & kernels_of(windows).names()))) {
  if (options.bias) b = parameter("b", outputs.inside(), init::filled(0));
}

Tensor Conv::operator()(const Tensor& X) const {
  const Axes axes = axes_of(windows);
  const Axes result = outputs.names() & axes;
  return function("Conv", {inputs & axes}, result, [&](Tensor slice) {
    for (const auto& [axis, kernel, options] : windows)
      slice = unroll(axis, kernel, slice, options.value_or(WindowOptions{}));
    const Tensor Y = dot(inputs & kernels_of(windows).names(), W, slice);
    return outputs.named(b ? Y + *b : Y);
  })(X);
}

Tensor max_pool(const std::vector<Window>& windows, const Tensor& X) {
  return pooled(windows, X, -infinity,
                [](const Axes& kernels, const Tensor& slice) { return max(kernels, slice); });
}

Tensor mean_pool(const std::vector<Window>& windows, const Tensor& X) {
  return pooled(windows, X, 0,
                [](const Axes& kernels, const Tensor& slice) { return mean(kernels, slice); });
}

}  // namespace axial
