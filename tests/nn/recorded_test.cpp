// Layers, losses and optimisers compared with what PyTorch gave, which record.py wrote down.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>

#include "axial/axial.hpp"
#include "support/tolerance.hpp"

namespace axial {
namespace {

using nlohmann::json;

const Axis batch{"batch"}, layer{"layer"}, hidden{"hidden"}, seq{"seq"}, input{"input"};
const Axis chans{"chans"}, height{"height"}, width{"width"}, kernel{"kernel"}, kh{"kh"}, kw{"kw"};
const Axis vocab{"vocab"}, heads{"heads"}, classes{"classes"};

const json& recorded() {
  static const json all = json::parse(std::ifstream(AXIAL_SOURCE_DIR "/tests/nn/recorded.json"));
  return all;
}

Tensor tensor_of(const json& value) {
  std::vector<SizedAxis> axes;
  std::istringstream words(value.at("shape").get<std::string>());
  for (std::string word; words >> word;) {
    const std::size_t bracket = word.find('[');
    axes.push_back(Axis(word.substr(0, bracket))[std::stoll(word.substr(bracket + 1))]);
  }
  const ElementType type = value.at("type") == "float64" ? float64 : int64;
  return tensor(Shape(axes), value.at("values").get<std::vector<double>>(), type);
}

Tensors tensors_of(const json& values) {
  Tensors tensors;
  for (const auto& [name, value] : values.items()) tensors.emplace(name, tensor_of(value));
  return tensors;
}

/// A layer with the state of a case, applied to its inputs.
struct Applied {
  std::vector<Tensor> outputs;
  Tensors parameters;
};

using Inputs = std::vector<Tensor>;
using Apply = std::function<Applied(const json& entry, const Inputs& x)>;

template <class Layer>
Applied with_state(Layer made, const json& entry, const auto& apply) {
  made.restore(tensors_of(entry.at("state")));
  return {apply(made), made.parameters()};
}

/// A layer that is made the same way for all its cases, and applied to one input.
template <class Layer>
Apply plain_layer(const auto&... arguments) {
  return [=](const json& entry, const Inputs& x) {
    return with_state(Layer(arguments...), entry,
                      [&](const Layer& made) { return std::vector<Tensor>{made(x[0])}; });
  };
}

Apply loss_function(const auto& function) {
  return [=](const json& /*entry*/, const Inputs& x) {
    return Applied{{function(x[0], x[1], x.size() > 2 ? x[2] : Tensor(1))}, {}};
  };
}

Applied attention_case(const json& entry, const Inputs& x) {
  const AttentionOptions options{.causal = entry.at("case") == "causal"};
  return with_state(Attention(layer[4], heads[2], options), entry, [&](const Attention& made) {
    if (x.size() == 1) return std::vector<Tensor>{made(x[0])};
    const Tensor mask = x.size() == 2 ? Tensor(0) : where(x[2] == 1, -infinity, 0);
    return std::vector<Tensor>{made(x[0], x[1], mask)};
  });
}

Applied conv_case(const json& entry, const Inputs& x) {
  const bool is_1d = x[0].shape().contains(seq);
  const std::vector<Window> one{{seq, kernel[3], {{.stride = 2, .dilation = 2, .padding = 1}}}};
  const std::vector<Window> two{{height, kh[2]}, {width, kw[3], {{.stride = 2, .padding = 1}}}};
  const std::int64_t out = is_1d ? 3 : 2;
  return with_state(Conv(chans[2], chans[out], is_1d ? one : two), entry,
                    [&](const Conv& made) { return std::vector<Tensor>{made(x[0])}; });
}

Apply pool_case(const auto& function) {
  return [=](const json& entry, const Inputs& x) {
    const bool is_plain = entry.at("case") == "windows side by side";
    const WindowOptions wide{.stride = 2, .padding = 1};
    const std::vector<Window> plain{{height, kh[2]}, {width, kw[3]}};
    const std::vector<Window> overlapping{{height, kh[3], wide}, {width, kw[3], wide}};
    return Applied{{function(is_plain ? plain : overlapping, x[0])}, {}};
  };
}

Applied lstm_case(const json& entry, const Inputs& x) {
  return with_state(Lstm(seq, input[2], hidden[3]), entry, [&](const Lstm& made) {
    const Lstm::States states = made.states(x[0]);
    return std::vector<Tensor>{states.h, states.c[seq(3)]};
  });
}

Applied batch_norm_case(const json& entry, const Inputs& x) {
  BatchNorm norm(batch & layer, chans[4]);
  norm.train(entry.at("case") == "training");
  return with_state(norm, entry, [&](const BatchNorm& made) {
    const Tensor y = made(x[0]);
    return std::vector<Tensor>{y, made.running_mean, made.running_var};
  });
}

const std::map<std::string, Apply>& layers() {
  static const std::map<std::string, Apply> all{
      {"Linear", plain_layer<Linear>(layer[4], layer[3])},
      {"FullConn", plain_layer<FullConn>(layer[4], hidden[3])},
      {"Embedding", plain_layer<Embedding>(vocab[5], layer[3])},
      {"Elman", plain_layer<Elman>(seq, input[2], hidden[3], "tanh")},
      {"Lstm", lstm_case},
      {"Gru", plain_layer<Gru>(seq, input[2], hidden[3])},
      {"Attention", attention_case},
      {"Conv", conv_case},
      {"max_pool", pool_case(max_pool)},
      {"mean_pool", pool_case(mean_pool)},
      {"InstanceNorm", plain_layer<InstanceNorm>(layer, chans[4])},
      {"GroupNorm", plain_layer<GroupNorm>(layer, chans[4], 2)},
      {"LayerNorm", plain_layer<LayerNorm>(chans[4] * layer[5])},
      {"BatchNorm", batch_norm_case},
      {"cross_entropy_loss",
       loss_function([](const auto&... x) { return cross_entropy_loss(classes, x...); })},
      {"binary_cross_entropy_loss", loss_function(binary_cross_entropy_loss)},
      {"squared_error_loss", loss_function(squared_error_loss)},
      {"absolute_error_loss", loss_function(absolute_error_loss)},
      {"huber_loss", loss_function([](const Tensor& y, const Tensor& t, const Tensor& w) {
         return huber_loss(y, t, 1, w);
       })},
  };
  return all;
}

// Sums of this many terms are taken at most on the way to a gradient.
constexpr std::int64_t terms = 500;

TEST(recorded_layers, give_what_pytorch_gives) {
  for (const json& entry : recorded().at("layers")) {
    SCOPED_TRACE(entry.at("layer").get<std::string>() + ": " + entry.at("case").get<std::string>());
    Inputs inputs;
    for (const json& value : entry.at("inputs")) inputs.push_back(tensor_of(value));
    const Applied applied = layers().at(entry.at("layer"))(entry, inputs);
    for (std::size_t k = 0; k < applied.outputs.size(); ++k) {
      EXPECT_TRUE(
          support::close_to(applied.outputs[k], tensor_of(entry.at("outputs")[k]), terms, 1));
    }

    const Tensor& y = applied.outputs[0];
    const Tensor loss = y.shape().order() == 0 ? sin(y) : sum(y.shape().names(), sin(y));
    for (const auto& [name, parameter] : applied.parameters) {
      EXPECT_TRUE(support::close_to(gradient(loss, parameter),
                                    tensor_of(entry.at("state_gradients").at(name)), terms, 1))
          << name;
    }
    for (std::size_t k = 0; k < inputs.size(); ++k) {
      const json& wanted = entry.at("input_gradients")[k];
      if (wanted.is_null()) continue;
      EXPECT_TRUE(support::close_to(gradient(loss, inputs[k]), tensor_of(wanted), terms, 1)) << k;
    }
  }
}

TEST(recorded_optimizers, go_where_those_of_pytorch_go) {
  const Axis a{"a"}, b{"b"};
  for (const json& entry : recorded().at("optimizers")) {
    const auto rule = entry.at("rule").get<std::string>(),
               schedule = entry.at("schedule").get<std::string>();
    SCOPED_TRACE(rule + " " + schedule);
    Optimizer optimizer(rule, schedule);
    Tensors at = tensors_of(entry.at("start"));
    for (int step = 0; step < 7; ++step) {
      const Tensor loss = sum(a & b, cos(at.at("W"))) + sum(a, pow(at.at("b") - 1, 4));
      const std::vector<Tensor> slopes = gradients(loss, {at.at("W"), at.at("b")});
      at = optimizer.step(at, {{"W", slopes[0]}, {"b", slopes[1]}});
    }
    // PyTorch adds 1e-6 to the norm that it clips by.
    const bool is_clipped = optimizer.rule()["clip"] > 0;
    for (const auto& [name, end] : tensors_of(entry.at("end"))) {
      EXPECT_TRUE(support::close_to(at.at(name), end, terms, is_clipped ? 1e6 : 1)) << name;
    }
  }
}

}  // namespace
}  // namespace axial
