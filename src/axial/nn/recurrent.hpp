// Recurrent networks: each runs along an axis of time and gives the states of all times (section 4.2).
#pragma once

#include "axial/nn/activation.hpp"
#include "axial/nn/module.hpp"

namespace axial {

/// Weights of inputs and states for some gates, and the bias that they share.
struct Recurrent : Module {
  Recurrent(Axis time, SizedAxis inputs, SizedAxis states, const Shape& gates);

  Axis seq, input, hidden;
  Parameter W_i, W_h, b;

 protected:
  /// W^i ⊙_input x + b, of all times at once.
  Tensor projected(const Tensor& x) const { return dot(input, W_i, x) + b; }
  /// The state before the first.
  Tensor zero_state() const;
};

/// h^t = σ(W^h ⊙_hidden h^{t−1} + W^i ⊙_input x^t + b)_{hidden'→hidden}: `Elman(seq, input[8], hidden[16])`.
struct Elman : Recurrent {
  Elman(Axis time, SizedAxis inputs, SizedAxis states, Activation function = "sigmoid");
  /// The states along seq; h⁰ is zero unless given.
  Tensor operator()(const Tensor& x) const { return (*this)(x, zero_state()); }
  Tensor operator()(const Tensor& x, const Tensor& h0) const;

  Activation activation;
};

/// Long short-term memory (Hochreiter and Schmidhuber, with the gate that forgets). The gates i, f, g, o
/// lie along an axis `gate` of the weights.
struct Lstm : Recurrent {
  Lstm(Axis time, SizedAxis inputs, SizedAxis states);
  struct States {
    Tensor h, c;
  };
  /// The outputs h along seq.
  Tensor operator()(const Tensor& x) const { return states(x).h; }
  /// Outputs and cells along seq, from those before the first.
  States states(const Tensor& x) const { return states(x, {zero_state(), zero_state()}); }
  States states(const Tensor& x, const States& before) const;
};

/// Gated recurrent unit (Cho and others). The gates r, z, n lie along an axis `gate` of the weights; the
/// last has a bias of its own for the state, which r scales.
struct Gru : Recurrent {
  Gru(Axis time, SizedAxis inputs, SizedAxis states);
  /// The states along seq; h⁰ is zero unless given.
  Tensor operator()(const Tensor& x) const { return (*this)(x, zero_state()); }
  Tensor operator()(const Tensor& x, const Tensor& h0) const;

  Parameter b_n;
};

}  // namespace axial
