#include "axial/nn/linear.hpp"

#include "axial/api/function.hpp"

namespace axial {
namespace {

Shape primed_where_shared(const Shape& in, const Shape& out) {
  std::vector<SizedAxis> axes;
  for (const SizedAxis& axis : out.written()) {
    axes.push_back(in.contains(axis.axis) ? axis.prime() : axis);
  }
  return Shape(axes);
}

}  // namespace

OutputAxes::OutputAxes(const Shape& in, const Shape& out)
    : inside_(primed_where_shared(in, out)), out_(out) {}

Tensor OutputAxes::named(Tensor y) const {
  for (std::size_t k = 0; k < inside_.written().size(); ++k) {
    const Axis from = inside_.written()[k].axis, to = out_.written()[k].axis;
    if (from != to) y = y[from >> to];
  }
  return y;
}

Linear::Linear(const Shape& in, const Shape& out, const LayerOptions& options)
    : inputs(in.names()),
      outputs(in, out),
      W(parameter(
          "W", outputs.inside() * in,
          options.weights ? options.weights : init::glorot(inputs, outputs.inside().names()))) {
  if (options.bias) b = parameter("b", outputs.inside(), init::filled(0));
}

Tensor Linear::operator()(const Tensor& x) const {
  // A function, so that x may have any further axes, even those that are used inside.
  return function("Linear", {inputs}, outputs.names(), [this](const Tensor& slice) {
    const Tensor y = dot(inputs, W, slice);
    return outputs.named(b ? y + *b : y);
  })(x);
}

}  // namespace axial
