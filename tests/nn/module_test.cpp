#include "axial/nn/module.hpp"

#include <gmock/gmock.h>

#include <filesystem>

#include "axial/axial.hpp"
#include "axial/base/error.hpp"
#include "nn/identical.hpp"

namespace axial {
namespace {

using ::testing::ElementsAre;
using ::testing::Key;

const Axis in{"in"}, hidden{"hidden"}, out{"out"}, batch{"batch"}, row{"row"}, column{"column"};

struct Net : Module {
  explicit Net(bool deep = false) {
    if (deep) child("middle", Linear(hidden[5], hidden[5]));
  }
  Tensor operator()(const Tensor& x) const { return second(dropout(norm(first(x)))); }

  FullConn first = child("first", FullConn(in[3], hidden[5]));
  BatchNorm norm = child("norm", BatchNorm(batch, hidden[5]));
  Dropout dropout = child("dropout", Dropout(0.5));
  Linear second = child("second", Linear(hidden[5], out[2]));
};

TEST(module, names_parameters_by_their_place) {
  Net net;
  net.initialize(1);
  EXPECT_THAT(net.parameters(), ElementsAre(Key("first.W"), Key("first.b"), Key("norm.beta"),
                                            Key("norm.gamma"), Key("second.W"), Key("second.b")));
  EXPECT_EQ(net.parameter_count(), 5 * 3 + 5 + 5 + 5 + 2 * 5 + 2);
  EXPECT_EQ(net.state().size(), 6 + 2 + 1);
  EXPECT_THAT(summary(net), ::testing::HasSubstr("first.W             15  {hidden[5], in[3]}\n"));
}

TEST(module, draws_numbers_that_depend_on_seed_and_name_alone) {
  Net one, same, deep(true), other;
  one.initialize(1);
  same.initialize(1);
  deep.initialize(1);
  other.initialize(2);
  EXPECT_TRUE(identical(one.state(), same.state()));
  EXPECT_TRUE(identical(one.second.W, deep.second.W));
  EXPECT_FALSE(identical(one.second.W, other.second.W));
  EXPECT_EQ(deep.parameters().size(), one.parameters().size() + 2);
}

TEST(module, is_saved_and_loaded_with_the_names_of_its_axes) {
  const std::string path = testing::TempDir() + "/net.safetensors";
  Net net, loaded;
  net.initialize(1);
  net(Random(1).normal(batch[4] * in[3]));  // the statistics and the generator move
  save(path, net.state());
  loaded.restore(load(path));
  std::filesystem::remove(path);
  EXPECT_TRUE(identical(net.state(), loaded.state()));
}

TEST(module, shares_a_parameter_that_two_parts_have) {
  struct Tied : Module {
    Embedding embedding = child("words", Embedding(in[7], hidden[2]));
    Embedding again = child("again", embedding);
  };
  Tied tied;
  tied.initialize(1);
  EXPECT_THAT(tied.parameters(), ElementsAre(Key("words.E")));
  tied.update({{"words.E", ones(in[7] * hidden[2])}});
  EXPECT_EQ(tied.again(0)[hidden(1)].item(), 1);
}

TEST(module, leaves_everything_as_it_was_if_a_state_does_not_fit) {
  Net net;
  net.initialize(1);
  const Tensors before = net.state();
  Tensors wrong;
  for (const auto& [name, value] : before) wrong[name] = value + 1;
  wrong["second.b"] = ones(out[3]);
  EXPECT_THROW(net.restore(wrong), Error);
  EXPECT_TRUE(identical(net.state(), before));
}

TEST(module, knows_training_and_evaluation) {
  Net net;
  net.initialize(1);
  const Tensor x = Random(1).normal(batch[4] * in[3]);
  EXPECT_FALSE(identical(net(x), net(x))) << "dropout draws anew";
  net.evaluate();
  EXPECT_TRUE(identical(net(x), net(x)));
  EXPECT_FALSE(net.dropout.is_training());
  // Evaluation standardizes by what was remembered, so one example of the batch is as good as all.
  EXPECT_TRUE(identical(net(x)[batch(2)], net(x[batch(2)])));
}

TEST(dropout, leaves_the_expected_share_out_and_keeps_the_mean) {
  Dropout dropout(0.25);
  dropout.initialize(1);
  const Tensor x = ones(in[4000]), y = dropout(x);
  const double share = mean(in, to(float32, y == 0)).item();
  EXPECT_NEAR(share, 0.25, 5 * std::sqrt(0.25 * 0.75 / 4000));
  EXPECT_NEAR(max(in, y).item(), 1 / 0.75, 1e-6);
  EXPECT_TRUE(identical(gradient(sum(in, y), x), y)) << "what is left out has no gradient";
}

TEST(attention, leaves_weights_out_in_training_for_each_example_and_head) {
  const Axis layer{"layer"}, heads{"heads"}, seq{"seq"};
  Attention attention(layer[4], heads[2], {.dropout = 0.5}), plain(layer[4], heads[2]);
  attention.initialize(1);
  plain.initialize(1);
  const Tensor same = broadcast(Random(1).normal(seq[3] * layer[4]), batch[2]);
  const Tensor y = attention(same);
  EXPECT_FALSE(identical(y[batch(0)], y[batch(1)]));
  EXPECT_FALSE(identical(y, attention(same))) << "it draws anew";
  attention.evaluate();
  EXPECT_TRUE(identical(attention(same), plain(same)));
  EXPECT_FALSE(plain.state().contains("dropout.generator"));
}

TEST(attention, keeps_the_expected_weight_where_some_are_left_out) {
  const Axis layer{"layer"}, heads{"heads"}, seq{"seq"};
  Attention attention(layer[4], heads[2], {.dropout = 0.25});
  attention.initialize(1);
  const Tensor x = broadcast(Random(1).normal(seq[3] * layer[4]), batch[4000]);
  const Tensor drawn = mean(batch, attention(x)), spread = sqrt(var(batch, attention(x)) / 4000);
  attention.evaluate();
  const Tensor off = abs(drawn - attention(x)[batch(0)]) / spread;
  EXPECT_LT(max(seq & layer, off).item(), 5);
}

TEST(sequential, composes_layers_and_functions_under_their_places_or_names) {
  const auto names = [](const Module& module) {
    std::vector<std::string> found;
    for (const auto& [name, value] : module.state()) found.push_back(name);
    return found;
  };
  Sequential numbered(Linear(in[3], hidden[4]), "relu", Dropout(0.5), Linear(hidden[4], out[2]));
  numbered.initialize(1);
  EXPECT_THAT(names(numbered), ElementsAre("0.W", "0.b", "2.generator", "3.W", "3.b"));
  numbered.evaluate();

  const Linear first(in[3], hidden[4]), last(hidden[4], out[2]);
  Sequential named;
  named.then("first", first).then("relu", "relu").then("last", last);
  const Tensors values = numbered.state();
  named.restore({{"first.W", values.at("0.W")},
                 {"first.b", values.at("0.b")},
                 {"last.W", values.at("3.W")},
                 {"last.b", values.at("3.b")}});
  EXPECT_THAT(names(named), ElementsAre("first.W", "first.b", "last.W", "last.b"));
  const Tensor x = Random(1).normal(batch[5] * in[3]);
  EXPECT_TRUE(identical(named(x), numbered(x)));
  EXPECT_TRUE(identical(named(x), last(relu(first(x)))));
  EXPECT_TRUE(identical(Sequential()(x), x));
  EXPECT_THROW(named.then("last", last), Error);
}

TEST(initializers, have_the_spread_that_they_promise) {
  const auto deviation = [](const Initializer& draw) {
    Random random(1);
    const Tensor W = draw(row[60] * column[40], random, float64);
    return std::sqrt(var(row & column, W).item());
  };
  // The deviation of a sample of n numbers is off by about 1/√(2n).
  const double share = 5 / std::sqrt(2 * 60 * 40);
  EXPECT_NEAR(deviation(init::he(row)) / std::sqrt(2.0 / 60), 1, share);
  EXPECT_NEAR(deviation(init::glorot(row, column)) / std::sqrt(2.0 / 100), 1, share);
  EXPECT_NEAR(deviation(init::normal(1, 3)) / 3, 1, share);
  EXPECT_NEAR(deviation(init::uniform(-1, 1)) / std::sqrt(1.0 / 3), 1, share);
  EXPECT_EQ(deviation(init::filled(2)), 0);
}

TEST(initializers, make_rows_or_columns_orthonormal) {
  for (const auto& [rows, columns] : {std::pair{4, 6}, {6, 4}, {5, 5}}) {
    Random random(1);
    const Tensor W = init::orthogonal(row, 2)(row[rows] * column[columns], random, float64);
    const Axis fewer = rows <= columns ? row : column, more = rows <= columns ? column : row;
    const Tensor products = dot(more, W, W[fewer >> fewer.prime()]) / 4;
    const Tensor off = products - identity(fewer[std::min(rows, columns)], fewer.prime(), float64);
    EXPECT_LT(max(fewer & fewer.prime(), abs(off)).item(), 1e-14);
  }
}

TEST(metrics, count_and_average) {
  const Tensor scores = tensor(batch[4] * out[3], {3, 1, 0, 0, 1, 2, 5, 6, 7, 1, 0, 0});
  const Tensor labels = tensor(batch[4], {0, 2, 1, 0}, int64);
  EXPECT_DOUBLE_EQ(accuracy(out, scores, labels).item(), 0.75);
  const Tensor one_hot = to(float32, iota(out[3]) == labels);
  EXPECT_DOUBLE_EQ(accuracy(out, scores, one_hot).item(), 0.75);
  EXPECT_NEAR(cross_entropy_loss(out, scores, labels).item(),
              cross_entropy_loss(out, scores, one_hot).item(), 1e-6);
  EXPECT_NEAR(perplexity(cross_entropy_loss(out, zeros(batch[4] * out[3]), labels)).item(), 3,
              1e-6);

  RunningMean mean;
  mean.add(1, 3);
  mean.add(5);
  EXPECT_DOUBLE_EQ(mean.value(), 2);
}

TEST(positional_encoding, is_that_of_the_paper) {
  const Tensor P = positional_encoding(row[5], column[4], float64);
  for (int p = 0; p < 5; ++p) {
    for (int i = 0; i < 4; ++i) {
      const double angle = p / std::pow(10000, (i - i % 2) / 4.0);
      const double expected = i % 2 == 0 ? std::sin(angle) : std::cos(angle);
      EXPECT_NEAR((P[row(p), column(i)].item()), expected, 1e-15);
    }
  }
}

TEST(activation, is_found_by_its_name) {
  const Tensor x = tensor(in[3], {-1, 0, 2});
  EXPECT_TRUE(identical(Activation("gelu")(x), gelu(x)));
  EXPECT_TRUE(identical(Activation("relu")(x), relu(x)));
  EXPECT_TRUE(identical(Activation([](const Tensor& y) { return y * y; })(x), x * x));
}

}  // namespace
}  // namespace axial
