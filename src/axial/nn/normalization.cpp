#include "axial/nn/normalization.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "axial/base/error.hpp"

namespace axial {

Norm::Norm(Axes standardized, const Shape& shape, double added)
    : over(std::move(standardized)),
      epsilon(added),
      gamma(parameter("gamma", shape, init::filled(1))),
      beta(parameter("beta", shape, init::filled(0))) {}

GroupNorm::GroupNorm(Axes standardized, SizedAxis channels, std::int64_t count, double added)
    : Norm(std::move(standardized), channels, added), chans(channels), groups(count) {
  if (count >= 1 && channels.size % count == 0) return;
  throw Error(code("bad-size"),
              fmt::format("the {} positions of axis `{}` do not make {} groups of the same size",
                          channels.size, channels.axis.name(), count),
              "let the number of groups divide the size of the axis");
}

Tensor GroupNorm::operator()(const Tensor& X) const {
  const Axis group = fresh(chans.axis, X.shape().names());
  const Tensor split = X[chans.axis >> (group[groups] & chans.axis)];
  const Tensor Y = standardize(over & chans.axis, split, epsilon);
  return Y[(group & chans.axis) >> chans.axis] * gamma + beta;
}

BatchNorm::BatchNorm(Axes standardized, const Shape& shape, double share, double added)
    : Norm(std::move(standardized), shape, added),
      momentum(share),
      running_mean(buffer("running_mean", shape, init::filled(0))),
      running_var(buffer("running_var", shape, init::filled(1))) {}

Tensor BatchNorm::operator()(const Tensor& X) const {
  if (!is_training()) {
    return (X - running_mean) / sqrt(running_var + epsilon) * gamma + beta;
  }
  remember(X);
  return Norm::operator()(X);
}

void BatchNorm::remember(const Tensor& X) const {
  // Within the body of a function there is no batch to remember, only a slice of it.
  if (X.expression().is_open()) {
    throw Error(code("needs-value"),
                fmt::format("a BatchNorm over {} in training is used inside a function, where the "
                            "values of {} are not known",
                            to_text(over), to_text(X.shape())),
                "apply it outside of the function, or call evaluate() of the model");
  }
  // The expected square of a deviation from the mean of n numbers is (n − 1)/n of the variance.
  const auto n = static_cast<double>(restrict(X.shape(), over).volume());
  // Detached, so that the formula does not grow if nobody computes it for many batches.
  const auto follow = [&](const Parameter& running, const Tensor& now) {
    running.assign((1 - momentum) * detached(running) + momentum * now);
  };
  follow(running_mean, mean(over, X));
  follow(running_var, var(over, X) * (n / std::max(n - 1, 1.0)));
}

}  // namespace axial
