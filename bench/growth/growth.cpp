// How the work of gradients and of simplification grows with the size of a network. Prints one row for
// each size: nodes, milliseconds, and microseconds per node, which stay about the same if the growth
// is linear.
#include <fmt/format.h>

#include <chrono>
#include <functional>

#include "axial/axial.hpp"
#include "axial/calculus/derivative.hpp"
#include "axial/calculus/simplify.hpp"
#include "axial/expr/traverse.hpp"

namespace {

using namespace axial;

/// The expressions of a network of `layers` layers: its loss and its weights.
struct Network {
  expr::Expr loss;
  std::vector<expr::Expr> weights;
};

/// Layers of six nodes each: a contraction, a bias, tanh, a rename, and a sum with what went in.
Network network(int layers) {
  const Axis layer("layer");
  Random random(1);
  Tensor x = random.normal(layer[3]);
  std::vector<Tensor> weights;
  for (int k = 0; k < layers; ++k) {
    const Tensor weight = random.normal(layer[3] * layer.prime()[3]);
    const Tensor bias = random.normal(layer.prime()[3]);
    x = x + tanh(weight * layer * x + bias)[layer.prime() >> layer];
    weights.push_back(weight);
    weights.push_back(bias);
  }
  Network result{sum(layer, x * x).expression(), {}};
  for (const Tensor& weight : weights) result.weights.push_back(weight.expression());
  return result;
}

std::size_t nodes_in(std::span<const expr::Expr> roots) { return expr::post_order(roots).size(); }

double milliseconds(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
      .count();
}

void print_row(int layers) {
  const Network model = network(layers);
  std::vector<expr::Expr> gradients;
  const double to_derive =
      milliseconds([&] { gradients = calculus::gradients(model.loss, model.weights); });
  // That of the first layer passes through all others.
  const expr::Expr first = gradients[0];
  expr::Expr simple = first;
  const double to_simplify = milliseconds([&] { simple = calculus::simplified(first); });
  const std::size_t before = nodes_in({&first, 1}), after = nodes_in({&simple, 1});
  const std::size_t size = nodes_in({&model.loss, 1});
  const auto per_node = [](double time, std::size_t nodes) {
    return 1000 * time / static_cast<double>(nodes);
  };
  fmt::print("{:>8} {:>10.1f} {:>9.1f} {:>10} {:>10} {:>12.1f} {:>9.1f}\n", size, to_derive,
             per_node(to_derive, size), before, after, to_simplify, per_node(to_simplify, before));
}

}  // namespace

int main() {
  fmt::print("{:>8} {:>10} {:>9} {:>10} {:>10} {:>12} {:>9}\n", "nodes", "gradients", "per node",
             "nodes", "simplified", "simplify", "per node");
  fmt::print("{:>8} {:>10} {:>9} {:>10} {:>10} {:>12} {:>9}\n", "", "ms", "us", "", "nodes", "ms",
             "us");
  for (const int layers : {2, 5, 15, 50, 150, 500, 1500}) print_row(layers);
}
