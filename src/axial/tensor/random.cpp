#include "axial/tensor/random.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <vector>

namespace axial {
namespace {

/// Two words as a double in [0, 1) with 53 random bits.
double unit(std::uint32_t high, std::uint32_t low) {
  const std::uint64_t bits = (std::uint64_t{high} << 32 | low) >> 11;
  return static_cast<double>(bits) * 0x1p-53;
}

__extension__ using Wide = unsigned __int128;
using Words = std::array<std::uint32_t, 4>;

/// Several blocks of four words side by side, word by word, for the vector instructions of machines.
template <std::size_t count>
using Blocks = std::array<std::array<std::uint32_t, count>, 4>;
constexpr std::size_t at_once = 32;

/// Philox 4x32-10 on the counters that `blocks` hold.
/// Salmon, Moraes, Dror, Shaw: Parallel random numbers: as easy as 1, 2, 3 (2011).
template <std::size_t count>
void mix(Blocks<count>& blocks, std::array<std::uint32_t, 2> key) {
  constexpr std::uint64_t multiplier_0 = 0xD2511F53, multiplier_1 = 0xCD9E8D57;
  constexpr std::uint32_t weyl_0 = 0x9E3779B9, weyl_1 = 0xBB67AE85;
  for (int round = 0; round < 10; ++round) {
    for (std::size_t k = 0; k < count; ++k) {
      const std::uint64_t product_0 = multiplier_0 * blocks[0][k];
      const std::uint64_t product_1 = multiplier_1 * blocks[2][k];
      blocks[0][k] = static_cast<std::uint32_t>(product_1 >> 32) ^ blocks[1][k] ^ key[0];
      blocks[1][k] = static_cast<std::uint32_t>(product_1);
      blocks[2][k] = static_cast<std::uint32_t>(product_0 >> 32) ^ blocks[3][k] ^ key[1];
      blocks[3][k] = static_cast<std::uint32_t>(product_0);
    }
    key = {key[0] + weyl_0, key[1] + weyl_1};
  }
}

/// The blocks of a stream from `position` on.
template <std::size_t count>
Blocks<count> blocks_at(std::uint64_t seed, std::uint64_t stream, std::uint64_t position) {
  const auto low = [](std::uint64_t value) { return static_cast<std::uint32_t>(value); };
  const auto high = [](std::uint64_t value) { return static_cast<std::uint32_t>(value >> 32); };
  Blocks<count> blocks;
  for (std::size_t k = 0; k < count; ++k) {
    blocks[0][k] = low(position + k);
    blocks[1][k] = high(position + k);
  }
  blocks[2].fill(low(stream));
  blocks[3].fill(high(stream));
  mix(blocks, {low(seed), high(seed)});
  return blocks;
}

template <std::size_t count>
Words words_of(const Blocks<count>& blocks, std::size_t k) {
  return {blocks[0][k], blocks[1][k], blocks[2][k], blocks[3][k]};
}

}  // namespace

std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter,
                                    std::array<std::uint32_t, 2> key) {
  Blocks<1> block{{{counter[0]}, {counter[1]}, {counter[2]}, {counter[3]}}};
  mix(block, key);
  return words_of(block, 0);
}

template <class Sample>
Array RandomStream::draw(const Shape& shape, ElementType type, Sample&& sample) {
  const Shape canonical(shape.sorted());
  const std::uint64_t stream = draws_++;
  return build(type, canonical, [&]<class T>(T* out) {
    const auto volume = static_cast<std::size_t>(canonical.volume());
    for (std::size_t first = 0; first < volume; first += at_once) {
      const auto blocks = blocks_at<at_once>(seed_, stream, first);
      for (std::size_t k = 0; k < std::min(at_once, volume - first); ++k) {
        out[first + k] = static_cast<T>(sample(words_of(blocks, k)));
      }
    }
  });
}

namespace {

void require_real(ElementType type) {
  if (is_real(type)) return;
  throw Error(code("element-type"),
              fmt::format("real random numbers do not fit in a tensor of {}", to_text(type)),
              "draw integers instead, or convert the result with to()");
}

void require_parameter(bool holds, std::string_view what) {
  if (!holds)
    throw Error(code("bad-value"), fmt::format("random numbers: {}", what),
                "change that parameter");
}

}  // namespace

Array RandomStream::uniform(const Shape& shape, double low, double high, ElementType type) {
  require_real(type);
  require_parameter(low < high && std::isfinite(high - low),
                    fmt::format("`low` must be below `high`, but they are {} and {}", low, high));
  const double last = type == float32
                          ? static_cast<double>(std::nextafter(static_cast<float>(high), -INFINITY))
                          : std::nextafter(high, -INFINITY);
  return draw(shape, type, [=](const Words& words) {
    // Rounding to the element type could reach `high`.
    return std::min(low + (high - low) * unit(words[0], words[1]), last);
  });
}

Array RandomStream::normal(const Shape& shape, double mean, double deviation, ElementType type) {
  require_real(type);
  require_parameter(deviation >= 0,
                    fmt::format("the deviation must be 0 or more, not {}", deviation));
  return draw(shape, type, [=](const Words& words) {
    // Box and Muller; 1 - u is never 0.
    const double radius = std::sqrt(-2 * std::log(1 - unit(words[0], words[1])));
    return mean + deviation * radius * std::cos(2 * std::numbers::pi * unit(words[2], words[3]));
  });
}

Array RandomStream::integers(const Shape& shape, std::int64_t low, std::int64_t high,
                             ElementType type) {
  if (low >= high) {
    throw Error(code("bad-value"),
                fmt::format("there is no integer from {} up to but not including {}", low, high),
                "let `high` be above `low`");
  }
  if (type == boolean || !Number(low).fits(type) || !Number(high - 1).fits(type)) {
    throw Error(code("element-type"),
                fmt::format("integers from {} to {} do not fit in a tensor of {}", low, high - 1,
                            to_text(type)),
                "draw them as int64");
  }
  const auto count = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
  return draw(shape, type, [=](const Words& words) {
    // The high half of a 64 × 64 bit product spreads the words evenly over the range.
    const std::uint64_t bits = std::uint64_t{words[0]} << 32 | words[1];
    const auto offset = static_cast<std::uint64_t>(static_cast<Wide>(bits) * count >> 64);
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + offset);
  });
}

Array RandomStream::bernoulli(const Shape& shape, double probability) {
  require_parameter(probability >= 0 && probability <= 1,
                    fmt::format("a probability is between 0 and 1, not {}", probability));
  const Shape canonical(shape.sorted());
  const std::uint64_t stream = draws_++;
  // One word an element decides, since masks are large and drawn at every step of a training.
  const auto threshold = static_cast<std::uint64_t>(std::llround(probability * 0x1p32));
  return build<bool>(canonical, [&](bool* out) {
    bool* const end = out + canonical.volume();
    for (std::uint64_t position = 0; out < end; position += at_once) {
      for (const auto& words : blocks_at<at_once>(seed_, stream, position)) {
        const auto used = std::min<std::ptrdiff_t>(at_once, end - out);
        out = std::transform(words.begin(), words.begin() + used, out,
                             [=](std::uint32_t word) { return word < threshold; });
      }
    }
  });
}

Array RandomStream::permutation(SizedAxis axis) {
  const std::uint64_t stream = draws_++;
  return build<std::int64_t>(axis, [&](std::int64_t* out) {
    std::iota(out, out + axis.size, std::int64_t{0});
    for (std::int64_t i = axis.size - 1; i > 0; --i) {
      const auto block = blocks_at<1>(seed_, stream, static_cast<std::uint64_t>(i));
      const double draw = unit(block[0][0], block[1][0]);
      std::swap(out[i], out[static_cast<std::int64_t>(draw * static_cast<double>(i + 1))]);
    }
  });
}

}  // namespace axial
