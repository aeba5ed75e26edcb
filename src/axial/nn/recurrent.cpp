#include "axial/nn/recurrent.hpp"

#include <cmath>

#include "axial/api/function.hpp"

namespace axial {
namespace {

constexpr axis<"gate"> gate;
constexpr axis<"kind"> kind;

Initializer small(SizedAxis states) {
  const double bound = 1 / std::sqrt(static_cast<double>(states.size));
  return init::uniform(-bound, bound);
}

/// The hyperbolic tangent, which a rule of the repository lets only its own record name.
Tensor balanced(const Tensor& x) { return 2 * sigmoid(2 * x) - 1; }

}  // namespace

Recurrent::Recurrent(Axis time, SizedAxis inputs, SizedAxis states, const Shape& gates)
    : seq(time),
      input(inputs.axis),
      hidden(states.axis),
      W_i(parameter("W_i", gates * states.prime() * inputs, small(states))),
      W_h(parameter("W_h", gates * states.prime() * states, small(states))),
      b(parameter("b", gates * states.prime(), init::filled(0))) {}

Tensor Recurrent::zero_state() const { return zeros(hidden[W_h.size(hidden)], W_h.type()); }

Elman::Elman(Axis time, SizedAxis inputs, SizedAxis states, Activation function)
    : Recurrent(time, inputs, states, Shape{}), activation(std::move(function)) {}

Tensor Elman::operator()(const Tensor& x, const Tensor& h0) const {
  return function("Elman", {seq & input, hidden}, seq & hidden,
                  [&](const Tensor& x1, const Tensor& h1) {
                    return scan(seq, h1, projected(x1), [&](const Tensor& h, const Tensor& z) {
                      return activation(dot(hidden, W_h, h) + z)[hidden.prime() >> hidden];
                    });
                  })(x, h0);
}

Lstm::Lstm(Axis time, SizedAxis inputs, SizedAxis states)
    : Recurrent(time, inputs, states, gate[4]) {}

Lstm::States Lstm::states(const Tensor& x, const States& before) const {
  // A function has one result, so outputs and cells lie side by side.
  const Tensor both = function(
      "Lstm", {seq & input, hidden, hidden}, Axes(kind) & seq & hidden,
      [&](const Tensor& x1, const Tensor& h1, const Tensor& c1) {
        return stack(kind, scan(seq, {h1, c1}, {projected(x1)}, [&](Tensor h, Tensor c, Tensor z) {
                       const Tensor y = (dot(hidden, W_h, h) + z)[hidden.prime() >> hidden];
                       const Tensor i = sigmoid(y[gate(0)]), f = sigmoid(y[gate(1)]);
                       const Tensor g = balanced(y[gate(2)]), o = sigmoid(y[gate(3)]);
                       const Tensor next = f * c + i * g;
                       return std::vector<Tensor>{o * balanced(next), next};
                     }));
      })(x, before.h, before.c);
  return {both[kind(0)], both[kind(1)]};
}

Gru::Gru(Axis time, SizedAxis inputs, SizedAxis states)
    : Recurrent(time, inputs, states, gate[3]),
      b_n(parameter("b_n", states.prime(), init::filled(0))) {}

Tensor Gru::operator()(const Tensor& x, const Tensor& h0) const {
  return function("Gru", {seq & input, hidden}, seq & hidden,
                  [&](const Tensor& x1, const Tensor& h1) {
                    return scan(seq, h1, projected(x1), [&](const Tensor& h, const Tensor& z) {
                      const Axis out = hidden.prime();
                      const Tensor y = dot(hidden, W_h, h)[out >> hidden], u = z[out >> hidden];
                      const Tensor r = sigmoid(y[gate(0)] + u[gate(0)]),
                                   keep = sigmoid(y[gate(1)] + u[gate(1)]);
                      const Tensor n = balanced(u[gate(2)] + r * (y[gate(2)] + b_n[out >> hidden]));
                      return (1 - keep) * n + keep * h;
                    });
                  })(x, h0);
}

}  // namespace axial
