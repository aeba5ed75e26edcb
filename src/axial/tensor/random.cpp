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

Words words_at(std::uint64_t seed, std::uint64_t stream, std::uint64_t position) {
  const auto low = [](std::uint64_t value) { return static_cast<std::uint32_t>(value); };
  const auto high = [](std::uint64_t value) { return static_cast<std::uint32_t>(value >> 32); };
  return philox({low(position), high(position), low(stream), high(stream)},
                {low(seed), high(seed)});
}

}  // namespace

std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter,
                                    std::array<std::uint32_t, 2> key) {
  // Salmon, Moraes, Dror, Shaw: Parallel random numbers: as easy as 1, 2, 3 (2011).
  constexpr std::uint64_t multiplier_0 = 0xD2511F53, multiplier_1 = 0xCD9E8D57;
  constexpr std::uint32_t weyl_0 = 0x9E3779B9, weyl_1 = 0xBB67AE85;
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t product_0 = multiplier_0 * counter[0];
    const std::uint64_t product_1 = multiplier_1 * counter[2];
    counter = {static_cast<std::uint32_t>(product_1 >> 32) ^ counter[1] ^ key[0],
               static_cast<std::uint32_t>(product_1),
               static_cast<std::uint32_t>(product_0 >> 32) ^ counter[3] ^ key[1],
               static_cast<std::uint32_t>(product_0)};
    key = {key[0] + weyl_0, key[1] + weyl_1};
  }
  return counter;
}

template <class Sample>
Array RandomStream::draw(const Shape& shape, ElementType type, Sample&& sample) {
  const Shape canonical(shape.sorted());
  const std::uint64_t stream = draws_++;
  return build(type, canonical, [&]<class T>(T* out) {
    for (std::int64_t i = 0; i < canonical.volume(); ++i) {
      out[i] = static_cast<T>(sample(words_at(seed_, stream, static_cast<std::uint64_t>(i))));
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
  return draw(shape, boolean,
              [=](const Words& words) { return unit(words[0], words[1]) < probability; });
}

Array RandomStream::permutation(SizedAxis axis) {
  const std::uint64_t stream = draws_++;
  return build<std::int64_t>(axis, [&](std::int64_t* out) {
    std::iota(out, out + axis.size, std::int64_t{0});
    for (std::int64_t i = axis.size - 1; i > 0; --i) {
      const Words words = words_at(seed_, stream, static_cast<std::uint64_t>(i));
      const double draw = unit(words[0], words[1]);
      std::swap(out[i], out[static_cast<std::int64_t>(draw * static_cast<double>(i + 1))]);
    }
  });
}

}  // namespace axial
