#include "support/generator.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <string>

namespace axial::support {

std::int64_t Generator::integer(std::int64_t low, std::int64_t high) {
  // The slight preference for small numbers does not matter for choices this few.
  const auto count = static_cast<std::uint64_t>(high - low) + 1;
  return low + static_cast<std::int64_t>(engine_() % count);
}

double Generator::real(double low, double high) {
  return low + (high - low) * (static_cast<double>(engine_() >> 11) * 0x1p-53);
}

bool Generator::chance(double probability) { return real(0, 1) < probability; }

Axes Generator::subset(const Axes& axes, double probability) {
  std::vector<Axis> chosen;
  for (const Axis axis : axes) {
    if (chance(probability)) chosen.push_back(axis);
  }
  return Axes(shuffled(std::move(chosen)));
}

Shape Generator::shape(const Axes& axes, std::span<const std::int64_t> sizes) {
  std::vector<SizedAxis> sized;
  for (const Axis axis : axes) sized.push_back(axis[pick(sizes)]);
  return Shape(shuffled(std::move(sized)));
}

Shape Generator::shape(const Axes& axes) { return shape(axes, law_sizes); }

Array Generator::array(const Shape& shape, double low, double high, ElementType type) {
  return build(type, shape, [&]<class T>(T* out) {
    for (std::int64_t k = 0; k < shape.volume(); ++k) {
      out[k] = static_cast<T>(is_real(type) ? real(low, high) : std::floor(real(low, high + 1)));
    }
  });
}

Tensor Generator::tensor(const Shape& shape, double low, double high, ElementType type) {
  return Tensor(array(shape, low, high, type));
}

namespace {

void try_seed(std::uint64_t seed, const std::function<void(Generator&)>& law) {
  const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
  SCOPED_TRACE(fmt::format("to run this seed alone: AXIAL_SEED={} {} --gtest_filter={}.{}", seed,
                           program_invocation_name, test->test_suite_name(), test->name()));
  try {
    Generator generator(seed);
    law(generator);
  } catch (const std::exception& error) {
    ADD_FAILURE() << "an exception ended the law: " << error.what();
  }
}

}  // namespace

void for_each_seed(int count, const std::function<void(Generator&)>& law) {
  if (const char* chosen = std::getenv("AXIAL_SEED")) {
    try_seed(std::stoull(chosen), law);
    return;
  }
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  // A seed takes ten times as long here. Where a law is tried only a few times, all are kept.
  count = std::max(std::min(count, 10), count / 3);
#endif
  for (int seed = 1; seed <= count && !::testing::Test::HasFailure(); ++seed) {
    try_seed(static_cast<std::uint64_t>(seed), law);
  }
}

}  // namespace axial::support
