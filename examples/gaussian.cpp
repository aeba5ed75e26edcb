// A normal distribution, fitted by gradients: the log-likelihood of points is a formula, and an optimiser climbs it.
#include "examples/examples.hpp"
#include "examples/show.hpp"

namespace examples {
namespace {

using namespace axial;

const Axis points("points"), dims("dims"), dims_prime = dims.prime();

/// x is normal if z = A ⊙_dims (x − μ) is standard normal.
struct Gaussian : Module {
  Parameter mu = parameter("mu", dims[2], init::filled(0));
  Parameter A = parameter("A", dims[2] * dims_prime[2], init::orthogonal(dims));

  /// −log p(x) = Σ_dims' z² / 2 − log |det A| + |dims| log(2π) / 2
  Tensor cost(const Tensor& x) const {
    const Tensor z = A *dims* (x - mu);
    return sum(dims_prime, z * z) / 2 - log(abs(det(dims & dims_prime, A))) + std::log(2 * M_PI);
  }

  /// The inverse of A ⊙_dims' A.
  Tensor covariance() const {
    const Tensor precision = A *dims_prime* A[dims >> dims.star()];
    return inverse(dims & dims.star(), precision);
  }
};

}  // namespace

void gaussian(std::ostream& out) {
  Random random(12);
  const Tensor mix = tensor(dims[2] * dims_prime[2], {2, 0, 1, 0.5});
  const Tensor noise = random.normal(points[100] * dims_prime[2]);
  const Tensor X = mix *dims_prime* noise + tensor(dims[2], {3, -1});

  Gaussian model;
  model.initialize(1);
  Optimizer optimizer("adam:lr=0.1");
  for (int step = 0; step < 400; ++step) optimizer.minimize(mean(points, model.cost(X)), model);

  const Tensor centred = X - mean(points, X);
  show(out, "mu, which maximises the likelihood of the points", model.mu);
  show(out, "mean(points, X)", mean(points, X));
  show(out, "the covariance that maximises it", model.covariance());
  show(out, "the covariance of the points", centred *points* centred[dims >> dims.star()] / 100.0);
}

}  // namespace examples
