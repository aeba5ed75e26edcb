#include "axial/kernels/windows.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "axial/kernels/tile.hpp"
#include "kernels/offsets.hpp"
#include "support/generator.hpp"

namespace axial::kernels {
namespace {

/// Images and kernels of any size, with gaps between them.
template <class T>
void compare(support::Generator& generator) {
  WindowProduct product{.element = sizeof(T) == 4 ? float32 : float64,
                        .down = generator.integer(1, 9),
                        .right = generator.integer(1, 9)};
  const std::int64_t channels = generator.integer(1, 40), outputs = generator.integer(1, 40);
  const std::int64_t images = generator.integer(1, 3);
  product.x_right = channels + generator.integer(0, 2);
  product.x_down = (product.right + 2) * product.x_right + generator.integer(0, 2);
  product.x_images = offsets(images, (product.down + 2) * product.x_down);
  const bool kernels_lie_side_by_side = generator.chance(0.5);
  product.w_right = kernels_lie_side_by_side ? outputs : 1;
  product.w_down = 3 * product.w_right;
  product.w_outputs = offsets(outputs, kernels_lie_side_by_side ? 1 : 9);
  product.w_channels = offsets(channels, 9 * outputs);
  const auto x = numbers<T>(images * (product.down + 2) * product.x_down, generator);
  const auto w = numbers<T>(channels * outputs * 9, generator);
  std::vector<T> y(static_cast<std::size_t>(images * product.down * product.right * outputs + 1));
  y.back() = 7;
  std::vector<T> points(static_cast<std::size_t>(volume_at_points(product)));
  Team team(static_cast<int>(generator.integer(1, 3)), 0);
  multiply(product, x.data(), w.data(), points.data(), y.data(), team);

  std::size_t place = 0;
  for (const std::int64_t image : product.x_images) {
    for (std::int64_t k = 0; k < product.down * product.right; ++k) {
      for (const std::int64_t output : product.w_outputs) {
        double sum = 0;
        for (std::int64_t c = 0; c < channels; ++c) {
          for (std::int64_t pq = 0; pq < 9; ++pq) {
            const std::int64_t row = k / product.right + pq / 3,
                               column = k % product.right + pq % 3;
            const std::int64_t input = image + row * product.x_down + column * product.x_right + c;
            const std::int64_t kernel = product.w_channels[static_cast<std::size_t>(c)] + output +
                                        pq / 3 * product.w_down + pq % 3 * product.w_right;
            sum += double{x[static_cast<std::size_t>(input)]} *
                   double{w[static_cast<std::size_t>(kernel)]};
          }
        }
        const double allowed =
            static_cast<double>(9 * channels + 16) * double{std::numeric_limits<T>::epsilon()};
        ASSERT_NEAR(double{y[place++]}, sum, allowed)
            << images << " × " << product.down << " × " << product.right << " × " << channels
            << " to " << outputs;
      }
    }
  }
  ASSERT_EQ(y.back(), 7);
}

TEST(windows, of_every_size_are_multiplied_with_kernels_and_nothing_else_is_written) {
  support::for_each_seed(60, [](support::Generator& generator) {
    compare<float>(generator);
    compare<double>(generator);
  });
}

/// Two by two results of every channel, from the values of inputs and kernels at the points.
template <class T>
void compare_points(const PointFunctions<T>& functions, support::Generator& generator) {
  const std::int64_t channels = generator.integer(1, 40);
  const auto x = numbers<T>(16 * channels, generator), w = numbers<T>(9 * channels, generator);
  std::vector<T> y(static_cast<std::size_t>(4 * channels));
  std::vector<T> x_points(static_cast<std::size_t>(window_points * channels)), w_points = x_points;
  SquarePoints<T> input{.channels = channels, .points = x_points.data(), .stride = channels};
  SquarePoints<T> kernel = input, result = input;
  kernel.points = w_points.data();
  for (std::int64_t k = 0; k < 16; ++k) input.inputs[k] = x.data() + k * channels;
  for (std::int64_t k = 0; k < 9; ++k) kernel.inputs[k] = w.data() + k * channels;
  for (std::int64_t k = 0; k < 4; ++k) result.results[k] = y.data() + k * channels;
  functions.evaluate(input);
  functions.evaluate_kernel(kernel);
  for (std::size_t k = 0; k < x_points.size(); ++k) x_points[k] *= w_points[k];
  functions.interpolate(result);
  for (std::int64_t place = 0; place < 4 * channels; ++place) {
    const std::int64_t p = place / channels / 2, q = place / channels % 2, c = place % channels;
    double sum = 0;
    for (std::int64_t k = 0; k < 9; ++k) {
      const std::int64_t element = 4 * (p + k / 3) + q + k % 3;
      sum += double{x[static_cast<std::size_t>(element * channels + c)]} *
             double{w[static_cast<std::size_t>(k * channels + c)]};
    }
    ASSERT_NEAR(double{y[static_cast<std::size_t>(place)]}, sum,
                32 * double{std::numeric_limits<T>::epsilon()});
  }
}

TEST(windows, of_every_machine_have_the_same_results_by_points) {
  support::for_each_seed(60, [](support::Generator& generator) {
    for (const auto* machine : supported_tiles<float>()) compare_points(machine->points, generator);
    for (const auto* machine : supported_tiles<double>())
      compare_points(machine->points, generator);
  });
}

}  // namespace
}  // namespace axial::kernels
