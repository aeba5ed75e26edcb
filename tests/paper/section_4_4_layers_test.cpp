// Sections 4.4 to 4.6 of the paper: convolution, pooling and normalisation, against the arithmetic
// of positions written out as loops.
#include <gtest/gtest.h>

#include <algorithm>
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

const Axis seq("seq"), kernel("kernel"), chans("chans"), batch("batch"), layer("layer");
const Axis height("height"), width("width"), kh("kh"), kw("kw");

TEST(section_4_4, unrolls_a_vector_into_windows) {
  const Tensor X = tensor(seq[5], {1, 2, 3, 4, 5}, float64);
  EXPECT_TRUE(
      close_to(unroll(seq, kernel[3], X), seq[3] * kernel[3], {1, 2, 3, 2, 3, 4, 3, 4, 5}, 0));
}

TEST(section_4_4, unrolls_by_adding_positions) {
  for_each_seed(30, [](Generator& generator) {
    const std::int64_t k = generator.pick(support::law_sizes);
    const std::int64_t n = k + generator.integer(0, 6);
    const Block X = Block::random(generator, {n});
    Block Y({n - k + 1, k});
    for (std::int64_t i = 0; i < n - k + 1; ++i) {
      for (std::int64_t j = 0; j < k; ++j) Y(i, j) = X(i + j);
    }
    EXPECT_TRUE(
        close_to(unroll(seq, kernel[k], X.tensor(seq)), Y.shape(seq & kernel), Y.values(), 0));
  });
}

TEST(section_4_4, unrolls_with_stride_dilation_and_padding) {
  for_each_seed(60, [](Generator& generator) {
    const std::int64_t k = generator.integer(1, 3), stride = generator.integer(1, 3);
    const std::int64_t dilation = generator.integer(1, 3), padding = generator.integer(0, 2);
    const std::int64_t n = dilation * (k - 1) + 1 + generator.integer(0, 6);
    const Block X = Block::random(generator, {n});
    const std::int64_t windows = (n + 2 * padding - dilation * (k - 1) - 1) / stride + 1;
    Block Y({windows, k});
    for (std::int64_t i = 0; i < windows; ++i) {
      for (std::int64_t j = 0; j < k; ++j) {
        const std::int64_t position = i * stride + j * dilation - padding;
        Y(i, j) = position >= 0 && position < n ? X(position) : 9;
      }
    }
    const WindowOptions options{
        .stride = stride, .dilation = dilation, .padding = padding, .value = 9};
    EXPECT_TRUE(close_to(unroll(seq, kernel[k], X.tensor(seq), options), Y.shape(seq & kernel),
                         Y.values(), 0));
  });
}

Function conv1d(const Tensor& W, const Tensor& b) {
  const std::int64_t k = W.size(kernel);
  return function("Conv1d", {chans & seq}, chans.prime() & seq, [=](const Tensor& X) {
    return W * (chans & kernel) * unroll(seq, kernel[k], X) + b;
  });
}

TEST(section_4_4, convolves_sequences) {
  for_each_seed(30, [](Generator& generator) {
    const std::int64_t c = generator.pick(support::law_sizes),
                       d = generator.pick(support::law_sizes);
    const std::int64_t k = generator.integer(1, 3), n = k + generator.integer(0, 5);
    const Block X = Block::random(generator, {c, n}), W = Block::random(generator, {d, c, k});
    const Block b = Block::random(generator, {d});
    Block Y({d, n - k + 1});
    for (std::int64_t o = 0; o < d; ++o) {
      for (std::int64_t i = 0; i < n - k + 1; ++i) {
        Y(o, i) = b(o);
        for (std::int64_t p = 0; p < c; ++p) {
          for (std::int64_t j = 0; j < k; ++j) Y(o, i) += W(o, p, j) * X(p, i + j);
        }
      }
    }
    const Function conv = conv1d(W.tensor(chans.prime() & chans & kernel), b.tensor(chans.prime()));
    EXPECT_TRUE(close_to(conv(X.tensor(chans & seq)), Y.shape(chans.prime() & seq), Y.values(),
                         c * k + 1, 4 * static_cast<double>(c * k)));
  });
}

/// A convolution of images: channels, then height and width, and the windows over both.
struct Image {
  std::int64_t c, d, h, w, rows, columns;
  Block X, W, b;

  explicit Image(Generator& generator)
      : c(generator.integer(1, 3)),
        d(generator.integer(1, 3)),
        h(generator.integer(3, 5)),
        w(generator.integer(3, 7)),
        rows(generator.integer(1, 3)),
        columns(generator.integer(1, 3)),
        X(Block::random(generator, {c, h, w})),
        W(Block::random(generator, {d, c, rows, columns})),
        b(Block::random(generator, {d})) {}

  double sum_of_window(std::int64_t o, std::int64_t i, std::int64_t j) const {
    double total = b(o);
    for (std::int64_t p = 0; p < c; ++p) {
      for (std::int64_t y = 0; y < rows; ++y) {
        for (std::int64_t x = 0; x < columns; ++x) total += W(o, p, y, x) * X(p, i + y, j + x);
      }
    }
    return total;
  }
  Block convolved() const {
    Block Y({d, h - rows + 1, w - columns + 1});
    for (std::int64_t o = 0; o < d; ++o) {
      for (std::int64_t i = 0; i < Y.size(1); ++i) {
        for (std::int64_t j = 0; j < Y.size(2); ++j) Y(o, i, j) = sum_of_window(o, i, j);
      }
    }
    return Y;
  }
};

TEST(section_4_4, convolves_images) {
  for_each_seed(20, [](Generator& generator) {
    const Image image(generator);
    const Tensor X = image.X.tensor(chans & height & width);
    const Tensor W = image.W.tensor(chans.prime() & chans & kh & kw);
    const Tensor windows = unroll(height, kh[image.rows], unroll(width, kw[image.columns], X));
    const Tensor Y = W * (chans & kh & kw) * windows + image.b.tensor(chans.prime());
    const Block expected = image.convolved();
    EXPECT_TRUE(close_to(Y, expected.shape(chans.prime() & height & width), expected.values(),
                         27 + 1, 4 * 27));
  });
}

TEST(section_4_5, partitions_a_vector_into_windows) {
  const Tensor X = tensor(seq[6], {1, 2, 3, 4, 5, 6}, float64);
  EXPECT_TRUE(close_to(pool(seq, kernel[2], X), seq[3] * kernel[2], {1, 2, 3, 4, 5, 6}, 0));
  EXPECT_TRUE(close_to(pool(seq, kernel[3], X), seq[2] * kernel[3], {1, 2, 3, 4, 5, 6}, 0));
}

TEST(section_4_5, pools_by_multiplying_positions) {
  for_each_seed(30, [](Generator& generator) {
    const std::int64_t k = generator.pick(support::law_sizes);
    const std::int64_t m = generator.pick(support::law_sizes);
    const Block X = Block::random(generator, {m * k});
    Block Y({m, k});
    for (std::int64_t i = 0; i < m; ++i) {
      for (std::int64_t j = 0; j < k; ++j) Y(i, j) = X(i * k + j);
    }
    EXPECT_TRUE(
        close_to(pool(seq, kernel[k], X.tensor(seq)), Y.shape(seq & kernel), Y.values(), 0));
  });
}

TEST(section_4_5, takes_the_largest_of_each_window) {
  for_each_seed(30, [](Generator& generator) {
    const std::int64_t k = generator.pick(support::law_sizes);
    const std::int64_t m = generator.pick(support::law_sizes);
    const Block X = Block::random(generator, {m * k});
    std::vector<double> expected;
    for (std::int64_t i = 0; i < m; ++i) {
      double largest = X(i * k);
      for (std::int64_t j = 1; j < k; ++j) largest = std::max(largest, X(i * k + j));
      expected.push_back(largest);
    }
    EXPECT_TRUE(close_to(max(kernel, pool(seq, kernel[k], X.tensor(seq))), seq[m], expected, 0));
  });
}

TEST(section_4_5, takes_the_largest_of_each_window_of_images) {
  for_each_seed(20, [](Generator& generator) {
    const std::int64_t a = generator.integer(1, 3), b = generator.integer(1, 3);
    const std::int64_t m = generator.integer(1, 3), n = generator.integer(1, 3);
    const Block X = Block::random(generator, {m * a, n * b});
    Block expected({m, n});
    for (std::int64_t i = 0; i < m; ++i) {
      for (std::int64_t j = 0; j < n; ++j) {
        expected(i, j) = X(i * a, j * b);
        for (std::int64_t y = 0; y < a; ++y) {
          for (std::int64_t x = 0; x < b; ++x) {
            expected(i, j) = std::max(expected(i, j), X(i * a + y, j * b + x));
          }
        }
      }
    }
    const Tensor windows = pool(height, kh[a], pool(width, kw[b], X.tensor(height & width)));
    EXPECT_TRUE(
        close_to(max(kh & kw, windows), expected.shape(height & width), expected.values(), 0));
  });
}

/// A batch of examples with channels and positions, and the parameters of a normalisation.
struct Activations {
  std::int64_t b, c, l;
  Block X;
  static constexpr double epsilon = 1e-5;

  explicit Activations(Generator& generator)
      : b(generator.pick(support::law_sizes)),
        c(generator.pick(support::law_sizes)),
        l(generator.pick(support::law_sizes)),
        X(Block::random(generator, {b, c, l})) {}

  /// (x − mean) / √(var + ε), mean and variance taken over all positions that `together` puts into
  /// the group of x.
  template <class Together>
  Block standardized(Together together) const {
    Block Y({b, c, l});
    for_each_position([&](auto i, auto j, auto k) {
      double total = 0, squares = 0, count = 0;
      const auto in_group = [&](auto visit) {
        for_each_position([&](auto i2, auto j2, auto k2) {
          if (together(i == i2, j == j2, k == k2)) visit(X(i2, j2, k2));
        });
      };
      in_group([&](double x) { total += x, count += 1; });
      in_group([&](double x) { squares += (x - total / count) * (x - total / count); });
      Y(i, j, k) = (X(i, j, k) - total / count) / std::sqrt(squares / count + epsilon);
    });
    return Y;
  }
  template <class Visit>
  void for_each_position(Visit visit) const {
    for (std::int64_t i = 0; i < b; ++i) {
      for (std::int64_t j = 0; j < c; ++j) {
        for (std::int64_t k = 0; k < l; ++k) visit(i, j, k);
      }
    }
  }
  /// How large errors can get: a group of equal elements is divided by √ε.
  double magnitude() const { return 2 / std::sqrt(epsilon); }
  std::int64_t terms() const { return 2 * b * c * l; }
};

TEST(section_4_6, standardizes_a_vector) {
  const Tensor X = tensor(layer[4], {1, 2, 3, 6}, float64);
  const double deviation = std::sqrt(14.0 / 4 + 1e-5);
  EXPECT_TRUE(close_to(standardize(layer, X), layer[4],
                       {-2 / deviation, -1 / deviation, 0, 3 / deviation}, 8));
  EXPECT_TRUE(close_to(standardize(layer, X, 0), layer[4],
                       {-2 / std::sqrt(3.5), -1 / std::sqrt(3.5), 0, 3 / std::sqrt(3.5)}, 8));
}

TEST(section_4_6, normalizes_each_channel_over_the_batch) {
  for_each_seed(20, [](Generator& generator) {
    const Activations given(generator);
    const Block gamma = Block::random(generator, {given.c}),
                beta = Block::random(generator, {given.c});
    Block expected = given.standardized([](bool, bool same_channel, bool) { return same_channel; });
    given.for_each_position([&](auto i, auto j, auto k) {
      expected(i, j, k) = expected(i, j, k) * gamma(j) + beta(j);
    });
    const Tensor X = given.X.tensor(batch & chans & layer);
    const Tensor Y = standardize(batch & layer, X) * gamma.tensor(chans) + beta.tensor(chans);
    EXPECT_TRUE(close_to(Y, expected.shape(batch & chans & layer), expected.values(), given.terms(),
                         given.magnitude()));
  });
}

TEST(section_4_6, normalizes_each_channel_of_each_example) {
  for_each_seed(20, [](Generator& generator) {
    const Activations given(generator);
    const Block gamma = Block::random(generator, {given.c}),
                beta = Block::random(generator, {given.c});
    Block expected = given.standardized(
        [](bool same_example, bool same_channel, bool) { return same_example && same_channel; });
    given.for_each_position([&](auto i, auto j, auto k) {
      expected(i, j, k) = expected(i, j, k) * gamma(j) + beta(j);
    });
    const Tensor X = given.X.tensor(batch & chans & layer);
    const Tensor Y = standardize(layer, X) * gamma.tensor(chans) + beta.tensor(chans);
    EXPECT_TRUE(close_to(Y, expected.shape(batch & chans & layer), expected.values(), given.terms(),
                         given.magnitude()));
  });
}

TEST(section_4_6, normalizes_each_example_over_layers_and_channels) {
  for_each_seed(20, [](Generator& generator) {
    const Activations given(generator);
    const Block gamma = Block::random(generator, {given.c, given.l});
    const Block beta = Block::random(generator, {given.c, given.l});
    Block expected = given.standardized([](bool same_example, bool, bool) { return same_example; });
    given.for_each_position([&](auto i, auto j, auto k) {
      expected(i, j, k) = expected(i, j, k) * gamma(j, k) + beta(j, k);
    });
    const Tensor X = given.X.tensor(batch & chans & layer);
    const Tensor Y =
        standardize(layer & chans, X) * gamma.tensor(chans & layer) + beta.tensor(chans & layer);
    EXPECT_TRUE(close_to(Y, expected.shape(batch & chans & layer), expected.values(), given.terms(),
                         given.magnitude()));
  });
}

}  // namespace
}  // namespace axial
