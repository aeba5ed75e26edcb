// Sections 4.1 and 4.2 of the paper: feedforward and recurrent networks against plain loops.
#include <gtest/gtest.h>

#include <cmath>

#include "axial/axial.hpp"
#include "support/block.hpp"
#include "support/tolerance.hpp"

namespace axial {
namespace {

using support::Block;
using support::close_to;
using support::for_each_seed;
using support::Generator;

const Axis inp("inp"), hidden1("hidden_1"), hidden2("hidden_2"), out("out"), layer("layer");
const Axis hidden("hidden"), seq("seq"), batch("batch");

double logistic(double x) { return 1 / (1 + std::exp(-x)); }

/// σ(W x + b), by loops.
std::vector<double> dense(const Block& W, const Block& b, const std::vector<double>& x) {
  std::vector<double> y;
  for (std::int64_t i = 0; i < W.size(0); ++i) {
    double total = b(i);
    for (std::int64_t j = 0; j < W.size(1); ++j) total += W(i, j) * x[static_cast<std::size_t>(j)];
    y.push_back(logistic(total));
  }
  return y;
}

/// Weights of three layers with sizes n_0 … n_3, and an input.
struct Network {
  std::vector<std::int64_t> n;
  std::vector<Block> W, b;
  Block X0;

  explicit Network(Generator& generator)
      : n{generator.pick(support::law_sizes), generator.pick(support::law_sizes),
          generator.pick(support::law_sizes), generator.pick(support::law_sizes)},
        X0(Block::random(generator, {n[0]})) {
    for (std::size_t l = 1; l <= 3; ++l) {
      W.push_back(Block::random(generator, {n[l], n[l - 1]}));
      b.push_back(Block::random(generator, {n[l]}));
    }
  }

  std::vector<double> output() const {
    std::vector<double> x = X0.values();
    for (std::size_t l = 0; l < 3; ++l) x = dense(W[l], b[l], x);
    return x;
  }
};

/// How many roundings the three layers make at most; the sigmoid never enlarges an error, and a
/// weight enlarges it at most twofold.
constexpr int terms_of_network = 3 * 8 * 14 * 14;

TEST(section_4_1, computes_a_network_with_an_axis_for_each_layer) {
  for_each_seed(30, [](Generator& generator) {
    const Network network(generator);
    const Tensor X0 = network.X0.tensor(inp);
    const Tensor W1 = network.W[0].tensor(hidden1 & inp), b1 = network.b[0].tensor(hidden1);
    const Tensor W2 = network.W[1].tensor(hidden2 & hidden1), b2 = network.b[1].tensor(hidden2);
    const Tensor W3 = network.W[2].tensor(out & hidden2), b3 = network.b[2].tensor(out);
    const Tensor X1 = sigmoid(W1 * inp * X0 + b1);
    const Tensor X2 = sigmoid(W2 * hidden1 * X1 + b2);
    const Tensor X3 = sigmoid(W3 * hidden2 * X2 + b3);
    EXPECT_TRUE(close_to(X3, out[network.n[3]], network.output(), terms_of_network));
  });
}

/// FullConn^l, which computes over layer' and renames it back.
Function full_connection(const Tensor& W, const Tensor& b) {
  return function("FullConn", {layer}, layer, [W, b](const Tensor& x) {
    return sigmoid(W * layer * x + b)[layer.prime() >> layer];
  });
}

std::vector<Function> connections(const Network& network) {
  std::vector<Function> layers;
  for (std::size_t l = 0; l < 3; ++l) {
    layers.push_back(full_connection(network.W[l].tensor(layer.prime() & layer),
                                     network.b[l].tensor(layer.prime())));
  }
  return layers;
}

TEST(section_4_1, computes_the_same_network_with_one_axis_of_several_sizes) {
  for_each_seed(30, [](Generator& generator) {
    const Network network(generator);
    Tensor X = network.X0.tensor(layer);
    for (const Function& connection : connections(network)) X = connection(X);
    EXPECT_TRUE(close_to(X, layer[network.n[3]], network.output(), terms_of_network));
  });
}

TEST(section_4_1, computes_a_batch_of_examples_one_by_one) {
  for_each_seed(10, [](Generator& generator) {
    Network network(generator);
    std::vector<Tensor> examples;
    Block expected({3, network.n[3]});
    for (int example = 0; example < 3; ++example) {
      network.X0 = Block::random(generator, {network.n[0]});
      examples.push_back(network.X0.tensor(layer));
      const auto output = network.output();
      for (std::size_t i = 0; i < output.size(); ++i) expected(example, i) = output[i];
    }
    Tensor X = stack(batch, examples);
    for (const Function& connection : connections(network)) X = connection(X);
    EXPECT_TRUE(close_to(X, expected.shape(batch & layer), expected.values(), terms_of_network));
  });
}

/// The parameters of an Elman network, an input sequence, and the states by an explicit loop.
struct Recurrence {
  std::int64_t inputs, states, steps;
  Block Wh, Wi, b, h0, x;

  explicit Recurrence(Generator& generator)
      : inputs(generator.pick(support::law_sizes)),
        states(generator.pick(support::law_sizes)),
        steps(generator.pick(support::law_sizes)),
        Wh(Block::random(generator, {states, states}, -1, 1)),
        Wi(Block::random(generator, {inputs, states}, -1, 1)),
        b(Block::random(generator, {states})),
        h0(Block::random(generator, {states})),
        x(Block::random(generator, {steps, inputs})) {}

  /// h^1 … h^n, from the last position to the first if `reverse`.
  Block all_states(bool reverse = false) const {
    Block h({steps, states});
    std::vector<double> previous = h0.values();
    for (std::int64_t step = 0; step < steps; ++step) {
      const std::int64_t t = reverse ? steps - 1 - step : step;
      for (std::int64_t to = 0; to < states; ++to) {
        double total = b(to);
        for (std::int64_t from = 0; from < states; ++from) {
          total += Wh(from, to) * previous[static_cast<std::size_t>(from)];
        }
        for (std::int64_t i = 0; i < inputs; ++i) total += Wi(i, to) * x(t, i);
        h(t, to) = logistic(total);
      }
      for (std::int64_t i = 0; i < states; ++i) previous[static_cast<std::size_t>(i)] = h(t, i);
    }
    return h;
  }

  Tensor step(const Tensor& h, const Tensor& input) const {
    const Tensor wh = Wh.tensor(hidden & hidden.prime()), wi = Wi.tensor(inp & hidden.prime());
    const Tensor next = sigmoid(wh * hidden * h + wi * inp * input + b.tensor(hidden.prime()));
    return next[hidden.prime() >> hidden];
  }
};

constexpr int terms_of_recurrence = 7 * 7 * 7 * 16;

TEST(section_4_2, scans_an_elman_network_along_the_sequence) {
  for_each_seed(30, [](Generator& generator) {
    const Recurrence network(generator);
    const Tensor states =
        scan(seq, network.h0.tensor(hidden), network.x.tensor(seq & inp),
             [&](const Tensor& h, const Tensor& x) { return network.step(h, x); });
    EXPECT_TRUE(close_to(states, seq[network.steps] * hidden[network.states],
                         network.all_states().values(), terms_of_recurrence));
  });
}

TEST(section_4_2, agrees_with_the_recurrence_unrolled_by_hand) {
  for_each_seed(30, [](Generator& generator) {
    const Recurrence network(generator);
    Tensor h = network.h0.tensor(hidden);
    const Tensor x = network.x.tensor(seq & inp);
    std::vector<Tensor> unrolled;
    for (std::int64_t t = 0; t < network.steps; ++t) {
      h = network.step(h, x[seq(t)]);
      unrolled.push_back(h);
    }
    EXPECT_TRUE(close_to(stack(seq, unrolled), seq[network.steps] * hidden[network.states],
                         network.all_states().values(), terms_of_recurrence));
  });
}

TEST(section_4_2, scans_backwards) {
  for_each_seed(10, [](Generator& generator) {
    const Recurrence network(generator);
    const Tensor states = scan(seq, network.h0.tensor(hidden), network.x.tensor(seq & inp),
                               [&](const Tensor& h, const Tensor& x) { return network.step(h, x); },
                               {.reverse = true});
    EXPECT_TRUE(close_to(states, seq[network.steps] * hidden[network.states],
                         network.all_states(true).values(), terms_of_recurrence));
  });
}

TEST(section_4_2, scans_a_batch_of_sequences_from_one_initial_state) {
  for_each_seed(10, [](Generator& generator) {
    Recurrence network(generator);
    std::vector<Tensor> sequences, expected;
    for (int example = 0; example < 3; ++example) {
      network.x = Block::random(generator, {network.steps, network.inputs});
      sequences.push_back(network.x.tensor(seq & inp));
      expected.push_back(network.all_states().tensor(seq & hidden));
    }
    const Tensor states =
        scan(seq, network.h0.tensor(hidden), stack(batch, sequences),
             [&](const Tensor& h, const Tensor& x) { return network.step(h, x); });
    EXPECT_TRUE(close_to(states, stack(batch, expected), terms_of_recurrence));
  });
}

}  // namespace
}  // namespace axial
