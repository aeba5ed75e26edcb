// Losses and metrics: how far predictions are from targets, averaged over all axes that remain.
#pragma once

#include "axial/api/operations.hpp"

namespace axial {

/// Σ weights ⊙ x / Σ weights over all axes: the mean of x where no weights are given. Weights of 0 leave
/// elements out, such as the padding behind a sequence.
Tensor average(const Tensor& x, const Tensor& weights = 1);

/// The mean cost of predicting targets from scores, −log softmax_classes at the target. Targets are
/// integers, or distributions that have the axis `classes` themselves.
Tensor cross_entropy_loss(Axis classes, const Tensor& scores, const Tensor& targets,
                          const Tensor& weights = 1);
/// The mean of −t log p − (1 − t) log(1 − p), where p = sigmoid(scores), without overflow.
Tensor binary_cross_entropy_loss(const Tensor& scores, const Tensor& targets,
                                 const Tensor& weights = 1);
/// The mean of (y − t)².
Tensor squared_error_loss(const Tensor& predictions, const Tensor& targets,
                          const Tensor& weights = 1);
/// The mean of |y − t|.
Tensor absolute_error_loss(const Tensor& predictions, const Tensor& targets,
                           const Tensor& weights = 1);
/// The mean of d²/2 where d = |y − t| is at most `delta`, and of delta (d − delta/2) beyond.
Tensor huber_loss(const Tensor& predictions, const Tensor& targets, double delta = 1,
                  const Tensor& weights = 1);

/// The share of targets whose class has the highest score. Targets as for `cross_entropy_loss`.
Tensor accuracy(Axis classes, const Tensor& scores, const Tensor& targets,
                const Tensor& weights = 1);
/// exp of a mean cross-entropy: how many equally likely words the model hesitates between.
inline Tensor perplexity(const Tensor& cross_entropy) { return exp(cross_entropy); }

/// The mean of numbers that come one after the other, each with a weight such as the size of its batch.
class RunningMean {
 public:
  void add(double value, double weight = 1) {
    sum_ += value * weight;
    weight_ += weight;
  }
  /// The mean so far; NaN before the first number.
  double value() const { return sum_ / weight_; }
  void reset() { *this = {}; }

 private:
  double sum_ = 0;
  double weight_ = 0;
};

}  // namespace axial
