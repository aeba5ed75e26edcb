// Appendix A.2 again: LeNet as a module, trained on batches of images.
#include "examples/examples.hpp"
#include "examples/show.hpp"

namespace examples {
namespace {

using namespace axial;

const Axis batch("batch"), chans("chans"), height("height"), width("width"), kh("kh"), kw("kw");
const Axis hidden("hidden"), classes("classes");

struct LeNet : Module {
  Conv conv1 = child("conv1", Conv(chans[1], chans[4], {{height, kh[3]}, {width, kw[3]}}));
  Conv conv2 = child("conv2", Conv(chans[4], chans[8], {{height, kh[3]}, {width, kw[3]}}));
  FullConn full = child("full", FullConn(chans[8] * height[2] * width[2], hidden[16], "relu"));
  Linear output = child("output", Linear(hidden[16], classes[2]));

  /// The scores of each class.
  Tensor operator()(const Tensor& X0) const {
    const std::vector<Window> quarters{{height, kh[2]}, {width, kw[2]}};
    const Tensor X1 = max_pool(quarters, relu(conv1(X0)));
    const Tensor X2 = max_pool(quarters, relu(conv2(X1)));
    return output(full(X2));
  }
};

/// Trains a model to say the labels of images, in batches of 32 that are drawn anew in each epoch.
void train(LeNet& model, const Tensor& images, const Tensor& labels, int epochs, Random& random) {
  Optimizer optimizer("adam:lr=0.02", Schedule("cosine:warmup=4", epochs * images.size(batch) / 32));
  for (int epoch = 0; epoch < epochs; ++epoch) {
    const Tensor order = random.permutation(batch[images.size(batch)]);
    for (std::int64_t k = 0; k < images.size(batch); k += 32) {
      const Tensor chosen = order[batch(k, k + 32)];
      optimizer.minimize(cross_entropy_loss(classes, model(images[batch(chosen)]), labels[batch(chosen)]), model);
    }
  }
}

}  // namespace

void training(std::ostream& out) {
  Random random(10);
  const Tensor labels = random.integers(batch[128], 0, 2), place = random.integers(batch[128], 2, 12);
  const Tensor line = where(labels == 0, iota(height[14]) == place, iota(width[14]) == place);
  const Tensor images = broadcast(to(float32, line), chans[1]) +
                        random.normal(batch[128] * chans[1] * height[14] * width[14], 0, 0.1);

  LeNet model;
  model.initialize(1);
  out << summary(model) << "\n";
  train(model, images, labels, 20, random);
  out << "accuracy after twenty epochs: " << accuracy(classes, model(images), labels) << "\n";
}

}  // namespace examples
