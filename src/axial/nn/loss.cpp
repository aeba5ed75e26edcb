#include "axial/nn/loss.hpp"

#include <fmt/format.h>

#include "axial/base/error.hpp"

namespace axial {
namespace {

/// Fails with element-type unless the targets are integers.
void require_integers(Axis classes, const Tensor& scores, const Tensor& targets) {
  if (is_integer(targets.type())) return;
  throw Error(code("element-type"),
              fmt::format("targets of shape {} for scores of shape {} are {} and have no axis `{}`",
                          to_text(targets.shape()), to_text(scores.shape()),
                          to_text(targets.type()), classes.name()),
              fmt::format("give integers below {}, or distributions over `{}`",
                          scores.size(classes), classes.name()));
}

/// Fails with unexpected-axis if targets have axes that predictions lack: an average over them would
/// compare everything with everything.
void require_predicted(const Tensor& predictions, const Tensor& targets) {
  const Axes extra = targets.shape().names() - predictions.shape().names();
  if (extra.empty()) return;
  throw Error(code("unexpected-axis"),
              fmt::format("the targets, of shape {}, have the axes {} beyond the predictions, of "
                          "shape {}",
                          to_text(targets.shape()), to_text(extra), to_text(predictions.shape())),
              "rename the axes of one of them so that they match");
}

}  // namespace

Tensor average(const Tensor& x, const Tensor& weights) {
  const Axes all = x.shape().names();
  if (weights.shape().order() == 0) return all.empty() ? x : mean(all, x);
  require_predicted(x, weights);
  const Tensor w = broadcast(to(x.type(), weights), x.shape() - weights.shape().names());
  return sum(all, w * x) / sum(all, w);
}

Tensor cross_entropy_loss(Axis classes, const Tensor& scores, const Tensor& targets,
                          const Tensor& weights) {
  require_axis(scores.shape(), classes, "cross_entropy_loss");
  require_predicted(scores, targets);
  if (targets.shape().contains(classes)) {
    return average(cross_entropy(classes, scores, to(scores.type(), targets)), weights);
  }
  require_integers(classes, scores, targets);
  return average(-index(classes, log_softmax(classes, scores), targets), weights);
}

Tensor binary_cross_entropy_loss(const Tensor& scores, const Tensor& targets,
                                 const Tensor& weights) {
  require_predicted(scores, targets);
  return average(softplus(scores) - to(scores.type(), targets) * scores, weights);
}

Tensor squared_error_loss(const Tensor& predictions, const Tensor& targets, const Tensor& weights) {
  require_predicted(predictions, targets);
  return average(pow(predictions - targets, 2), weights);
}

Tensor absolute_error_loss(const Tensor& predictions, const Tensor& targets,
                           const Tensor& weights) {
  require_predicted(predictions, targets);
  return average(abs(predictions - targets), weights);
}

Tensor huber_loss(const Tensor& predictions, const Tensor& targets, double delta,
                  const Tensor& weights) {
  require_predicted(predictions, targets);
  const Tensor d = abs(predictions - targets);
  return average(where(d <= delta, d * d / 2, delta * (d - delta / 2)), weights);
}

Tensor accuracy(Axis classes, const Tensor& scores, const Tensor& targets, const Tensor& weights) {
  require_axis(scores.shape(), classes, "accuracy");
  require_predicted(scores, targets);
  const bool is_distribution = targets.shape().contains(classes);
  if (!is_distribution) require_integers(classes, scores, targets);
  const Tensor wanted = is_distribution ? index_of_max(classes, targets) : targets;
  return average(to(scores.type(), index_of_max(classes, scores) == to(int64, wanted)), weights);
}

}  // namespace axial
