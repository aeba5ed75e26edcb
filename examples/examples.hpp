// The models of section 4 and of appendix A of the paper and some small ones, each a short program that prints what it computes.
#pragma once

#include <array>
#include <ostream>
#include <string_view>

namespace examples {

void feedforward(std::ostream& out);
void rnn(std::ostream& out);
void attention(std::ostream& out);
void convolution(std::ostream& out);
void pooling(std::ostream& out);
void normalization(std::ostream& out);
void transformer(std::ostream& out);
void lenet(std::ostream& out);
void training(std::ostream& out);
void kmeans(std::ostream& out);
void gaussian(std::ostream& out);

/// An example that `axial example NAME` runs.
struct Example {
  std::string_view name;
  std::string_view summary;
  void (*run)(std::ostream&);
};

inline constexpr auto all = std::to_array<Example>({
    {"feedforward", "layers written out, and as a function that keeps one axis name", feedforward},
    {"rnn", "an Elman network: a recurrence along an axis", rnn},
    {"attention", "one query, a sequence of queries, a causal mask, several heads", attention},
    {"convolution", "Conv1d and Conv2d as a window and a contraction", convolution},
    {"pooling", "MaxPool1d and MaxPool2d", pooling},
    {"normalization", "BatchNorm, InstanceNorm and LayerNorm from one function", normalization},
    {"transformer", "a language model: embeddings, masked self-attention, feed-forward layers", transformer},
    {"lenet", "images to classes: convolutions, pooling, a reshape, full layers", lenet},
    {"training", "LeNet learns to tell rows from columns", training},
    {"kmeans", "points to clusters, in two lines", kmeans},
    {"gaussian", "a normal distribution fitted by gradients", gaussian},
});

}  // namespace examples
