// Optimisers: parameters and gradients by name in, better parameters out.
#pragma once

#include <cstdint>
#include <span>

#include "axial/api/files.hpp"
#include "axial/nn/schedule.hpp"

namespace axial {

class Module;

/// A rule that follows gradients downhill, and what it remembers from step to step.
///
///   sgd:lr=0.01,momentum=0,nesterov=0,weight_decay=0,clip=0
///   adam:lr=0.001,beta1=0.9,beta2=0.999,epsilon=1e-08,weight_decay=0,clip=0
///   adamw: the same with weight_decay=0.01, which acts on the parameters and not on the gradients
///
/// If `clip` is not 0, gradients whose norm, taken over all of them, exceeds it are scaled down to it.
class Optimizer {
 public:
  /// Fails with bad-value, listing what is known.
  explicit Optimizer(const Specification& rule, Schedule schedule = {});

  /// The new values of the parameters. They, the state and the tensors `along` are computed together,
  /// and the structure of that computation is the same for every step. Fails with bad-value if the
  /// names differ and with size-clash if the shapes do.
  Tensors step(const Tensors& parameters, const Tensors& gradients,
               std::span<const Tensor> along = {});

  /// What a step gives: parameters, and what the rule remembers of each.
  struct Next {
    Tensors values, slots;
  };
  /// The step as formulas. Nothing is computed, and the optimiser stays where it is.
  Next next(const Tensors& parameters, const Tensors& gradients) const;

  /// One step of training: moves the parameters of the model down the gradient of the loss and gives
  /// the value of the loss. Running statistics and the tensors `along`, such as metrics, are computed
  /// together with it. Fails with not-differentiable if the loss was computed from none of the current
  /// values of the parameters, and with bad-value, naming the first tensor that is not finite, if the
  /// loss or a gradient is not; then the parameters have not changed.
  double minimize(const Tensor& loss, Module& model, std::span<const Tensor> along = {});

  /// What must be kept to go on exactly from here: `adam.step`, and `adam.m/W`, `adam.v/W` for every
  /// parameter `W`.
  Tensors state() const;
  /// Goes on from a state. Tensors whose name does not begin with that of the rule are passed over.
  /// Fails with bad-value if there is none of the rule, or one that it does not know.
  void restore(const Tensors& state);

  /// How many steps were made.
  std::int64_t steps() const { return steps_; }
  /// The rate of the next step.
  double learning_rate() const { return rule_["lr"] * schedule_.factor(steps_); }
  /// The rule with all its settings.
  const Specification& rule() const { return rule_; }

 private:
  void accept(Next& next);

  Specification rule_;
  Schedule schedule_;
  std::int64_t steps_ = 0;
  Tensors slots_;  // by names such as `m/W`
};

/// The root of the sum of the squares of all elements of all tensors, as float64.
Tensor global_norm(const Tensors& tensors);

/// The tensors, scaled down together so that their global norm does not exceed `limit`.
Tensors clipped(const Tensors& tensors, double limit);

}  // namespace axial
