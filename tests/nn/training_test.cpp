// The models of section 4 and appendix A of the paper, trained.
#include <gmock/gmock.h>

#include <filesystem>

#include "axial/axial.hpp"
#include "axial/base/error.hpp"
#include "nn/identical.hpp"

namespace axial {
namespace {

using ::testing::HasSubstr;

const Axis batch{"batch"}, seq{"seq"}, vocab{"vocab"}, layer{"layer"}, hidden{"hidden"};
const Axis heads{"heads"}, classes{"classes"};
const Axis chans{"chans"}, height{"height"}, width{"width"}, kh{"kh"}, kw{"kw"};

/// The loss of a model after some steps on the same batch.
template <class Model>
double trained(Model& model, Optimizer& optimizer, int steps, const auto& loss) {
  double last = 0;
  for (int k = 0; k < steps; ++k) last = optimizer.minimize(loss(model), model);
  return last;
}

struct FeedForward : Module {
  Tensor operator()(const Tensor& x) const { return second(dropout(norm(first(x)))); }

  FullConn first = child("first", FullConn(layer[2], layer[8], "tanh"));
  BatchNorm norm = child("norm", BatchNorm(batch, layer[8]));
  Dropout dropout = child("dropout", Dropout(0.1));
  Linear second = child("second", Linear(layer[8], classes[2]));
};

const Tensor points = tensor(batch[4] * layer[2], {0, 0, 0, 1, 1, 0, 1, 1});
const Tensor exclusive_or = tensor(batch[4], {0, 1, 1, 0}, int64);

Tensor classification_loss(const FeedForward& model) {
  return cross_entropy_loss(classes, model(points), exclusive_or);
}

TEST(training, teaches_a_feedforward_network_the_exclusive_or) {
  FeedForward model;
  model.initialize(1);
  Optimizer optimizer("adam:lr=0.05");
  EXPECT_LT(trained(model, optimizer, 100, classification_loss), 0.1);
  model.evaluate();
  EXPECT_EQ(accuracy(classes, model(points), exclusive_or).item(), 1);
}

TEST(training, goes_on_from_a_checkpoint_as_if_nothing_had_happened) {
  const auto fresh = [] {
    FeedForward model;
    model.initialize(1);
    return model;
  };
  FeedForward one = fresh(), other = fresh();
  Optimizer optimizer("adamw:lr=0.05", "cosine:warmup=2,steps=10"), resumed = optimizer;
  trained(one, optimizer, 4, classification_loss);
  const std::string path = testing::TempDir() + "/checkpoint.safetensors";
  save_checkpoint(path, one, optimizer);
  load_checkpoint(path, other, resumed);
  std::filesystem::remove(path);
  trained(one, optimizer, 4, classification_loss);
  trained(other, resumed, 4, classification_loss);
  EXPECT_TRUE(identical(one.state(), other.state()));
}

TEST(training, gives_the_same_bits_again_on_each_number_of_threads) {
  const Axis in{"in"};
  const Tensor x = Random(1).normal(batch[64] * in[40]);
  const Tensor labels = Random(2).integers(batch[64], 0, 10);
  const auto run = [&] {
    struct Wide : Module {
      Tensor operator()(const Tensor& x) const { return second(dropout(first(x))); }
      FullConn first = child("first", FullConn(Axis("in")[40], hidden[60], "relu"));
      Dropout dropout = child("dropout", Dropout(0.2));
      Linear second = child("second", Linear(hidden[60], classes[10]));
    } model;
    model.initialize(3);
    Optimizer optimizer("adam:lr=0.01,clip=1");
    trained(model, optimizer, 5,
            [&](const Wide& m) { return cross_entropy_loss(classes, m(x), labels); });
    return model.state();
  };
  const int before = threads();
  for (const int count : {1, 2}) {
    set_threads(count);
    EXPECT_TRUE(identical(run(), run())) << count << " threads";
  }
  set_threads(before);
}

/// Says at the end of a sequence of 0 and 1 how it began.
template <class Network>
struct Memory : Module {
  Tensor operator()(const Tensor& x) const {
    const Tensor states = network(broadcast(x, layer[1]));
    return output(states[seq(x.size(seq) - 1)]);
  }
  Network network = child("network", Network(seq, layer[1], hidden[4]));
  Linear output = child("output", Linear(hidden[4], classes[2]));
};

template <class Network>
double memory_loss() {
  // All sequences of three bits.
  const Tensor bits = mod(floor_div(iota(batch[8]), tensor(seq[3], {1, 2, 4}, int64)), 2);
  Memory<Network> model;
  model.initialize(1);
  Optimizer optimizer("adam:lr=0.1");
  return trained(model, optimizer, 60, [&](const auto& m) {
    return cross_entropy_loss(classes, m(to(float32, bits)), bits[seq(0)]);
  });
}

TEST(training, teaches_recurrent_networks_to_remember) {
  EXPECT_LT(memory_loss<Elman>(), 0.1);
  EXPECT_LT(memory_loss<Lstm>(), 0.1);
  EXPECT_LT(memory_loss<Gru>(), 0.1);
}

/// One layer of the Transformer of appendix A.1.
struct TransformerLayer : Module {
  Tensor operator()(const Tensor& X) const {
    const Tensor T = norm1(attention(X) + X);
    return norm2(second(first(T)) + T);
  }
  Attention attention = child("attention", Attention(layer[8], heads[2], {.causal = true}));
  LayerNorm norm1 = child("norm1", LayerNorm(layer[8])),
            norm2 = child("norm2", LayerNorm(layer[8]));
  FullConn first = child("first", FullConn(layer[8], hidden[16], "relu"));
  Linear second = child("second", Linear(hidden[16], layer[8]));
};

struct Transformer : Module {
  Tensor operator()(const Tensor& I) const {
    Tensor X = words(I) * std::sqrt(8.0) + positional_encoding(seq[I.size(seq)], layer[8]);
    for (const TransformerLayer& each : layers) X = each(X);
    return words.scores(X);
  }
  Embedding words = child("words", Embedding(vocab[5], layer[8]));
  std::vector<TransformerLayer> layers = children("layer", 2, [] { return TransformerLayer(); });
};

TEST(training, teaches_a_transformer_to_look_back) {
  // The word after next is the word now, so each but the first two can be foretold.
  const Tensor pair =
      tensor(batch[6] * Axis("two")[2], {0, 1, 2, 3, 4, 0, 1, 4, 3, 2, 0, 3}, int64);
  const Tensor text = index(Axis("two"), pair, mod(iota(seq[6]), 2));
  Transformer model;
  model.initialize(1);
  Optimizer optimizer("adam:lr=0.02");
  const double loss = trained(model, optimizer, 60, [&](const Transformer& m) {
    const Tensor scores = m(text[seq(0, 5)]);
    return cross_entropy_loss(vocab, scores[seq(1, 5)], text[seq(2, 6)]);
  });
  EXPECT_LT(loss, 0.1);
}

/// LeNet of appendix A.2 on images of 10 × 10.
struct LeNet : Module {
  Tensor operator()(const Tensor& X0) const {
    const std::vector<Window> pool{{height, kh[2]}, {width, kw[2]}};
    const Tensor X1 = max_pool(pool, relu(conv1(X0))), X2 = max_pool(pool, relu(conv2(X1)));
    return output(full(X2));
  }
  Conv conv1 = child("conv1", Conv(chans[1], chans[3], {{height, kh[3]}, {width, kw[3]}}));
  Conv conv2 = child("conv2", Conv(chans[3], chans[4], {{height, kh[3]}, {width, kw[3]}}));
  FullConn full = child("full", FullConn(chans[4] * height[1] * width[1], hidden[8], "relu"));
  Linear output = child("output", Linear(hidden[8], classes[2]));
};

TEST(training, teaches_lenet_to_tell_rows_from_columns) {
  const Tensor labels = mod(iota(batch[12]), 2);
  const Tensor place = mod(floor_div(iota(batch[12]), 2), 6) + 2;
  const Tensor line = where(labels == 0, iota(height[10]) == place, iota(width[10]) == place);
  const Tensor images = broadcast(to(float32, line), chans[1]);
  LeNet model;
  model.initialize(1);
  Optimizer optimizer("adam:lr=0.02");
  EXPECT_LT(trained(model, optimizer, 40,
                    [&](const LeNet& m) { return cross_entropy_loss(classes, m(images), labels); }),
            0.1);
}

TEST(training, names_the_first_tensor_that_is_not_finite) {
  FeedForward model;
  model.initialize(1);
  const Tensors before = model.parameters();
  Optimizer optimizer("sgd");
  const Tensor p = softmax(classes, model(points));
  try {
    optimizer.minimize(mean(batch & classes, log(relu(p - 2))), model);
    FAIL() << "the loss is infinite";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(),
                HasSubstr("the loss is not finite: the first number that is not finite "
                          "is -inf at {batch(0), classes(0)} of `log A`, where A = 0"));
  }
  EXPECT_TRUE(identical(before, model.parameters()));
}

TEST(training, names_the_gradient_that_is_not_finite) {
  struct Root : Module {
    Parameter w = parameter("w", layer[2], init::filled(0));
  } model;
  model.initialize(1);
  Optimizer optimizer("sgd");
  try {
    optimizer.minimize(sum(layer, sqrt(model.w)), model);
    FAIL() << "the slope of a root at 0 is infinite";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("the gradient of `w` is not finite"));
  }
  EXPECT_TRUE(identical(model.w, zeros(layer[2])));
}

TEST(first_not_finite, passes_over_infinities_that_were_meant) {
  const Tensor scores = Random(1).normal(seq[3] * seq.prime()[3]);
  const Tensor weights = softmax(seq, scores + causal_mask(seq[3]));
  EXPECT_FALSE(first_not_finite(weights));
  const Tensor x = tensor(seq[3], {1, 0, 2}), inverse = 1 / x;
  const auto found = first_not_finite(sum(seq, weights * inverse), {{"x", x}});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->formula, "`1 / x`, where x = 0");
  EXPECT_EQ(to_text(found->where), "{seq(1)}");

  // What follows from data alone was meant, too, if somebody says what is learned.
  const Tensor w = ones(seq[3]), unseen = log(0 * x);
  const Tensor far = max(seq, unseen + w) + sum(seq, exp(w * 1000));
  EXPECT_EQ(first_not_finite(far, {{"x", x}})->formula, "`log A`, where A = 0");
  EXPECT_EQ(first_not_finite(far, {}, {{"w", w}})->formula, "`exp A`, where A = 1000");

  const Tensor data = tensor(seq[2], {1, std::nan("")});
  EXPECT_EQ(first_not_finite(exp(data), {{"data", data}})->formula, "`data`");
  const Tensor v = ones(seq[2]), mended = where(data > 0, data, 0), seen = log(v * mended);
  EXPECT_EQ(first_not_finite(v * data, {{"data", data}}, {{"v", v}})->formula, "`data`");
  EXPECT_EQ(first_not_finite(seen, {{"data", data}}, {{"v", v}})->formula, "`log A`, where A = 0");
}

TEST(first_not_finite, looks_into_functions) {
  const Function entropy =
      function("H", {seq}, Axes{}, [](const Tensor& p) { return -sum(seq, p * log(p)); });
  const Tensor p = tensor(seq[2], {1, 0}), H = entropy(p);
  const auto found = first_not_finite(H, {{"p", p}});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->formula, "`log p`, where p = 0");
  EXPECT_EQ(to_text(*found, 1), "-inf at {seq(2)} of `log p`, where p = 0");
  EXPECT_EQ(found->tensor.expression().identity(), H.expression().identity());
}

}  // namespace
}  // namespace axial
