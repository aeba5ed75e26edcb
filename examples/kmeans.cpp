// k-means: every point belongs to the nearest centre, every centre is the mean of its points.
#include "examples/examples.hpp"
#include "examples/show.hpp"

namespace examples {
namespace {

using namespace axial;

const Axis points("points"), clusters("clusters"), dims("dims");

/// D_{points, clusters} = Σ_dims (X − C)²
Tensor distances(const Tensor& X, const Tensor& C) { return sum(dims, pow(X - C, 2)); }

/// A = argmin_clusters D; C = A ⊙_points X / Σ_points A
Tensor better_centres(const Tensor& X, const Tensor& C) {
  const Tensor A = argmin(clusters, distances(X, C));
  return A *points* X / sum(points, A);
}

}  // namespace

void kmeans(std::ostream& out) {
  Random random(11);
  const Tensor truth = tensor(clusters[3] * dims[2], {0, 0, 4, 0, 2, 4});
  const Tensor X = truth[clusters(mod(iota(points[60]), 3))] + random.normal(points[60] * dims[2]);

  Tensor C = X[points(0, 9, 3)][points >> clusters];
  show(out, "C, three points of one cluster, to begin with", C);
  for (int round = 0; round < 12; ++round) {
    out << "mean(points, min(clusters, D)) = " << mean(points, min(clusters, distances(X, C))) << "\n";
    C = detached(better_centres(X, C));
  }
  show(out, "\nC = A *points* X / sum(points, A), after twelve rounds", C);
  show(out, "sum(points, A), how many points belong to each", sum(points, argmin(clusters, distances(X, C))));
}

}  // namespace examples
