#include "numpy/replay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace axial::recorded {
namespace {

/// Equal to the last bit; all NaN are one.
bool same(double found, double expected) {
  if (std::isnan(found) || std::isnan(expected)) return std::isnan(found) && std::isnan(expected);
  return found == expected && std::signbit(found) == std::signbit(expected);
}

/// Equal, or no farther apart than allowed; infinities and NaN are near themselves alone.
bool near(double found, double expected, const Accuracy& accuracy, ElementType type) {
  if (same(found, expected)) return true;
  // A sum of nothing but cancelling terms may be either zero; a function says which one it is.
  if (found == 0 && expected == 0) return accuracy.terms > 0;
  return std::isfinite(expected) && std::abs(found - expected) <= accuracy.allowed(expected, type);
}

std::string place(const Shape& shape, std::size_t position) {
  return shape.order() == 0 ? "the scalar" : to_text(records(shape)[position]);
}

/// The places where two lists of elements differ, the first few of them in words.
template <class T, class Agree>
testing::AssertionResult compare(const Tensor& found, const Tensor& expected, Agree agree) {
  const Axes order = expected.shape().names();
  const auto ours = found.values<T>(order), numpys = expected.values<T>(order);
  std::int64_t differences = 0;
  std::string words;
  for (std::size_t k = 0; k < ours.size(); ++k) {
    if (agree(ours[k], numpys[k])) continue;
    if (++differences > 5) continue;
    words += fmt::format("\n  {}: we have {}, NumPy has {}", place(expected.shape(), k), ours[k],
                         numpys[k]);
  }
  if (differences == 0) return testing::AssertionSuccess();
  return testing::AssertionFailure()
         << fmt::format("{} of {} elements differ:{}", differences, ours.size(), words);
}

testing::AssertionResult reals_agree(const Tensor& found, const Tensor& expected,
                                     const Accuracy& accuracy) {
  return compare<double>(found, expected, [&](double ours, double numpys) {
    return near(ours, numpys, accuracy, expected.type());
  });
}

testing::AssertionResult integers_agree(const Tensor& found, const Tensor& expected) {
  return compare<std::int64_t>(found, expected, std::equal_to{});
}

/// The same tensor with its axes in reverse order in memory.
Tensor turned(const Tensor& tensor) {
  if (tensor.shape().order() < 2) return tensor;
  const Axes names = tensor.shape().names();
  const std::vector<Axis> reversed(names.written().rbegin(), names.written().rend());
  return Tensor(laid_out(tensor.array(), Axes(reversed)));
}

void expect_outputs(const Case& recorded, Operation operation) {
  try {
    const std::vector<Tensor> found = operation(recorded);
    ASSERT_EQ(found.size(), recorded.outputs.size());
    for (std::size_t k = 0; k < found.size(); ++k) {
      EXPECT_TRUE(agrees(found[k], recorded.outputs[k], recorded.accuracy)) << "output " << k;
    }
  } catch (const std::exception& error) {
    ADD_FAILURE() << error.what();
  }
}

}  // namespace

testing::AssertionResult agrees(const Tensor& found, const Tensor& expected,
                                const Accuracy& accuracy) {
  if (found.shape() != expected.shape() || found.type() != expected.type()) {
    return testing::AssertionFailure() << fmt::format(
               "we have {} of {}, NumPy has {} of {}", to_text(found.shape()),
               to_text(found.type()), to_text(expected.shape()), to_text(expected.type()));
  }
  return is_real(expected.type()) ? reals_agree(found, expected, accuracy)
                                  : integers_agree(found, expected);
}

void replay(const Case& recorded, Operation operation) {
  SCOPED_TRACE(fmt::format("{}: {}", recorded.operation, recorded.title));
  expect_outputs(recorded, operation);
  SCOPED_TRACE("with the axes of the inputs laid out the other way round");
  Case other = recorded;
  std::ranges::transform(other.inputs, other.inputs.begin(), turned);
  expect_outputs(other, operation);
}

void replay_all(std::string_view record, std::string_view name, Operation operation) {
  const std::vector<Case> cases = cases_of(record, name);
  EXPECT_FALSE(cases.empty()) << "record a case of `" << name << "` in " << record << ".json";
  for (const Case& recorded : cases) replay(recorded, operation);
}

}  // namespace axial::recorded
