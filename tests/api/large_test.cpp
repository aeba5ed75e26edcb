// Tensors with more elements than 32 bits can count, and with many axes.
#include <axial/axial.hpp>
#include <gmock/gmock.h>
#include <sys/mman.h>

namespace axial {
namespace {

using ::testing::ElementsAre;

const Axis height{"height"}, width{"width"}, seq{"seq"};

/// A tensor of zeros whose memory is there only where it is touched.
Tensor sparse(const Shape& shape, const std::vector<std::int64_t>& offsets_of_ones) {
  const auto bytes = static_cast<std::size_t>(shape.volume());
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  const std::shared_ptr<void> block(memory, [bytes](void* m) { munmap(m, bytes); });
  for (const std::int64_t offset : offsets_of_ones) static_cast<bool*>(memory)[offset] = true;
  return Tensor(Array(boolean, shape, block));
}

TEST(large, tensors_are_indexed_correctly) {
  constexpr std::int64_t rows = 1LL << 17, columns = (1LL << 16) + 1;  // 2^33 elements and more
  const std::int64_t last = rows * columns - 1;
  const Tensor x = sparse(height[rows] * width[columns], {last, (1LL << 31) + 5});
  EXPECT_EQ((x[height(rows - 1), width(columns - 1)].item()), 1);
  EXPECT_EQ((x[height(rows - 1), width(columns - 2)].item()), 0);
  const std::int64_t offset = (1LL << 31) + 5;
  EXPECT_EQ((x[height(offset / columns), width(offset % columns)].item()), 1);
  EXPECT_TRUE(any(height & width, x[height(rows - 2, rows), width(columns - 3, columns)]));
  const Tensor corner = tensor(seq[2], std::vector<std::int64_t>{rows - 1, 0});
  EXPECT_THAT(x[width(columns - 1)][height(corner)].values({seq}), ElementsAre(1, 0));
}

TEST(large, sizes_are_computed_without_computing_elements) {
  const Tensor x = zeros(height[1LL << 40]);
  EXPECT_EQ(unroll(height, width[1LL << 20], x).size(height), (1LL << 40) - (1LL << 20) + 1);
  EXPECT_EQ(x[height >> (height[1LL << 10] & width)].size(width), 1LL << 30);
  EXPECT_EQ(concat(height, x, x, x).size(height), 3LL << 40);
}

/// ax_0[2], ax_1[1], ax_2[1], …: 40 axes, of which every tenth has size 2.
Shape wide_shape() {
  std::vector<SizedAxis> axes;
  for (int i = 0; i < 40; ++i) axes.push_back(Axis("ax_" + std::to_string(i))[i % 10 == 0 ? 2 : 1]);
  return Shape(axes);
}

TEST(wide, tensors_of_forty_axes_work) {
  const Shape shape = wide_shape();
  const Tensor x = Random(1).normal(shape), y = x * 2 + x;
  EXPECT_EQ(y.shape(), shape);
  EXPECT_NEAR(sum(shape.names(), y).item(), 3 * sum(shape.names(), x).item(), 1e-5);
  EXPECT_EQ(softmax(shape.names(), x).shape(), shape);
  EXPECT_EQ((x * shape.names() * x).shape(), Shape{});
  EXPECT_EQ(x[shape.names() >> seq].shape(), Shape(seq[16]));
  const Axes names = shape.names();
  std::vector<Axis> backwards(names.begin(), names.end());
  std::ranges::reverse(backwards);
  EXPECT_EQ(x.values(Axes(backwards)).size(), 16);
  EXPECT_EQ(x[Axis("ax_10")(1)].shape().order(), 39);
}

}  // namespace
}  // namespace axial
