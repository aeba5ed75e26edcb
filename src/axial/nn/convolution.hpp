// Convolution and pooling: sums and reductions over the windows of axes (sections 4.4 and 4.5).
#pragma once

#include <optional>
#include <vector>

#include "axial/nn/linear.hpp"

namespace axial {

/// Windows along an axis. Without options they are those of the place: of a convolution, with stride 1;
/// of a pool, each begins where the one before ends.
struct Window {
  Axis axis;
  SizedAxis kernel;
  std::optional<WindowOptions> options = {};
};

/// Conv(X) = W ⊙_{in, kernels} unroll X + b, over the windows of one axis (Conv1d), of two (Conv2d) or of
/// more: `Conv(chans[1], chans[6], {{height, kh[5]}, {width, kw[5]}})`. W starts as He and others say.
struct Conv : Module {
  Conv(const Shape& in, const Shape& out, std::vector<Window> windows,
       const LayerOptions& options = {});
  Tensor operator()(const Tensor& X) const;

  Axes inputs;
  OutputAxes outputs;
  std::vector<Window> windows;
  Parameter W;
  std::optional<Parameter> b;
};

/// max_{kernels} pool X: `max_pool({{height, kh[2]}, {width, kw[2]}}, X)`. Where windows reach beyond
/// the axis by padding, nothing is there to be the largest. Fails with window-size for a remainder.
Tensor max_pool(const std::vector<Window>& windows, const Tensor& X);
/// mean_{kernels} pool X; padding counts as zeros.
Tensor mean_pool(const std::vector<Window>& windows, const Tensor& X);

}  // namespace axial
