// Gradients of every layer against finite differences, and layers on a batch against layers on its
// slices, for random sizes.
#include <gtest/gtest.h>

#include "axial/axial.hpp"

namespace axial {
namespace {

const Axis batch{"batch"}, layer{"layer"}, hidden{"hidden"}, seq{"seq"}, chans{"chans"};
const Axis height{"height"}, width{"width"}, kernel{"kernel"}, kh{"kh"}, kw{"kw"};
const Axis vocab{"vocab"}, heads{"heads"}, classes{"classes"};

/// Small sizes, 1 and primes among them.
class Sizes {
 public:
  explicit Sizes(std::uint64_t seed) : random_(seed) {}
  std::int64_t operator()(std::int64_t least = 1) {
    return least + static_cast<std::int64_t>(random_.integers(Shape{}, 0, 4).item());
  }

 private:
  Random random_;
};

/// A layer of random sizes: the module that has its parameters, what it computes, and what from.
struct Sample {
  Module module;
  std::function<Tensor(const Tensor&)> compute;
  Shape input;
};

template <std::derived_from<Module> Layer>
Sample sampled(const Layer& made, const Shape& input) {
  return {made, [made](const Tensor& x) { return made(x); }, input};
}
Sample sampled(std::function<Tensor(const Tensor&)> function, const Shape& input,
               Module module = {}) {
  return {std::move(module), std::move(function), input};
}

using Make = std::function<Sample(Sizes& n)>;

template <class Layer>
Sample recurrent(Sizes& n) {
  const std::int64_t in = n();
  return sampled(Layer(seq, layer[in], hidden[n()]), seq[n()] * layer[in]);
}

const std::map<std::string, Make>& layers() {
  static const std::map<std::string, Make> all{
      {"Linear",
       [](Sizes& n) {
         const std::int64_t in = n();
         return sampled(Linear(layer[in], layer[n()] * heads[n()]), layer[in]);
       }},
      {"FullConn",
       [](Sizes& n) {
         const std::int64_t in = n();
         return sampled(FullConn(layer[in], hidden[n()], "tanh"), layer[in]);
       }},
      {"Elman", recurrent<Elman>},
      {"Lstm", recurrent<Lstm>},
      {"Gru", recurrent<Gru>},
      {"Attention",
       [](Sizes& n) {
         const std::int64_t key = n(), count = n();
         return sampled(Attention(layer[key * count], heads[count], {.causal = true}),
                        seq[n()] * layer[key * count]);
       }},
      {"Attention with dropout",
       [](Sizes& n) {
         const std::int64_t key = n(), count = n();
         const Attention attention(layer[key * count], heads[count], {.dropout = 0.3});
         const auto compute = [=](const Tensor& x) {
           attention.dropout->generator.assign(tensor(Shape{}, {7}, int64));
           return attention(x);
         };
         return sampled(compute, seq[n()] * layer[key * count], attention);
       }},
      {"Sequential",
       [](Sizes& n) {
         const std::int64_t in = n(), inner = n();
         const auto doubled = [](const Tensor& x) { return 2 * x; };
         return sampled(Sequential(FullConn(layer[in], hidden[inner], "tanh"), "sigmoid", doubled,
                                   Linear(hidden[inner], layer[n()])),
                        layer[in]);
       }},
      {"Conv",
       [](Sizes& n) {
         const std::int64_t in = n();
         const WindowOptions wide{.stride = n(), .padding = n()};
         return sampled(Conv(chans[in], chans[n()], {{height, kh[n()]}, {width, kw[n()], wide}}),
                        chans[in] * height[n(4)] * width[n(4)]);
       }},
      {"max_pool",
       [](Sizes& n) {
         const std::int64_t k = n(), l = n();
         return sampled(
             [=](const Tensor& x) { return max_pool({{height, kh[k]}, {width, kw[l]}}, x); },
             height[k * n()] * width[l * n()]);
       }},
      {"mean_pool",
       [](Sizes& n) {
         const Window wide{seq, kernel[n()], {{.stride = n(), .padding = n()}}};
         return sampled([=](const Tensor& x) { return mean_pool({wide}, x); }, seq[n(4)]);
       }},
      {"BatchNorm",
       [](Sizes& n) {
         const std::int64_t size = n();
         return sampled(BatchNorm(batch & layer, chans[size]),
                        batch[n(2)] * chans[size] * layer[n()]);
       }},
      {"InstanceNorm",
       [](Sizes& n) {
         const std::int64_t size = n();
         return sampled(InstanceNorm(layer, chans[size]), chans[size] * layer[n(2)]);
       }},
      {"LayerNorm",
       [](Sizes& n) {
         const Shape shape = chans[n()] * layer[n(2)];
         return sampled(LayerNorm(shape), shape);
       }},
      {"GroupNorm",
       [](Sizes& n) {
         const std::int64_t groups = n(), size = groups * n();
         return sampled(GroupNorm(layer, chans[size], groups), chans[size] * layer[n(2)]);
       }},
      {"Embedding",
       [](Sizes& n) {
         const Embedding embedding(vocab[n()], layer[n()]);
         return sampled([=](const Tensor& x) { return embedding(x) + embedding(0); },
                        vocab[embedding.E.size(vocab)], embedding);
       }},
      {"cross_entropy_loss",
       [](Sizes& n) {
         const std::int64_t count = n(), size = n();
         const Tensor targets = Random(1).integers(batch[size], 0, count);
         return sampled([=](const Tensor& x) { return cross_entropy_loss(classes, x, targets); },
                        batch[size] * classes[count]);
       }},
      {"binary_cross_entropy_loss",
       [](Sizes& n) {
         return sampled([](const Tensor& x) { return binary_cross_entropy_loss(x, 0.3); },
                        batch[n()]);
       }},
  };
  return all;
}

Tensor objective(const Tensor& y) {
  return y.shape().order() == 0 ? sin(y) : sum(y.shape().names(), sin(y));
}

/// The tensors moved by `factor` times the directions.
Tensors moved(const Tensors& from, const Tensors& directions, double factor) {
  Tensors result;
  for (const auto& [name, value] : from)
    result[name] = detached(value + factor * directions.at(name));
  return result;
}

TEST(gradients_of_layers, agree_with_finite_differences) {
  for (const auto& [name, make] : layers()) {
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      SCOPED_TRACE(name + " with seed " + std::to_string(seed));
      Sizes sizes(seed);
      Random random(seed);
      Sample sample = make(sizes);
      sample.module.initialize(seed, float64);
      Tensors at = sample.module.parameters(), directions;
      at["input"] = random.normal(sample.input, 0, 1, float64);
      for (const auto& [part, value] : at)
        directions[part] = random.normal(value.shape(), 0, 1, float64);

      const auto loss = [&](Tensors values) {
        const Tensor x = values.extract("input").mapped();
        sample.module.update(values);
        return objective(sample.compute(x));
      };
      const Tensor here = loss(at);
      double expected = 0, scale = 1;
      for (const auto& [part, value] : at) {
        const Tensor slope = gradient(here, value);
        const Axes all = value.shape().names();
        expected +=
            (all.empty() ? slope * directions.at(part) : sum(all, slope * directions.at(part)))
                .item();
        scale += all.empty() ? 0 : norm(all, slope).item();
      }
      const double h = 1e-5;
      const double difference =
          (loss(moved(at, directions, h)).item() - loss(moved(at, directions, -h)).item()) /
          (2 * h);
      // The error of the difference is of order h², that of rounding ε / h.
      EXPECT_NEAR(difference, expected, 1e-7 * scale);
    }
  }
}

TEST(layers, lift_over_a_batch_and_over_names_that_they_use_inside) {
  for (const auto& [name, make] : layers()) {
    if (name.ends_with("loss") || name == "BatchNorm" || name.ends_with("dropout"))
      continue;  // these are about the batch as a whole
    for (const Axis extra : {batch, hidden.prime(), kh, Axis("gate")}) {
      SCOPED_TRACE(name + " over " + std::string(extra.name()));
      Sizes sizes(2);
      Sample sample = make(sizes);
      sample.module.initialize(1, float64);
      const Tensor x = Random(3).normal(sample.input * extra[3], 0, 1, float64);
      const Tensor whole = sample.compute(x);
      for (std::int64_t k = 0; k < 3; ++k) {
        const Tensor difference = whole[extra(k)] - sample.compute(x[extra(k)]);
        EXPECT_LT(max(difference.shape().names(), abs(difference)).item(), 1e-12);
      }
    }
  }
}

}  // namespace
}  // namespace axial
