#include "support/lifting.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <string>

#include "axial/api/create.hpp"
#include "support/tolerance.hpp"

namespace axial::support {
namespace {

using ::testing::AssertionFailure;
using ::testing::AssertionResult;
using ::testing::AssertionSuccess;

/// The part of a record that names extra axes of one argument.
Record extra_part(const Record& record, const Tensor& argument, const Axes& own) {
  return restrict(record, common(record.names(), argument.shape().names() - own));
}

std::string printed(const Tensor& tensor) {
  std::ostringstream out;
  out << tensor;
  return out.str();
}

}  // namespace

Tensor at(const Tensor& tensor, const Record& record) {
  Tensor slice = tensor;
  for (const NamedIndex& index : record) slice = slice[index];
  return slice;
}

AssertionResult lifts(const TensorFunction& f, const std::vector<Tensor>& arguments,
                      const std::vector<Axes>& own, std::int64_t terms) {
  Shape extras;
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    extras = extras | (arguments[k].shape() - own[k]);
  }
  const Tensor lifted = f(arguments);
  if (!contains(lifted.shape(), extras)) {
    return AssertionFailure() << fmt::format("the lifted result {} lacks some of the extra axes {}",
                                             to_text(lifted.shape()), to_text(extras));
  }
  for (const Record& record : records(extras)) {
    std::vector<Tensor> slices;
    for (std::size_t k = 0; k < arguments.size(); ++k) {
      slices.push_back(at(arguments[k], extra_part(record, arguments[k], own[k])));
    }
    const AssertionResult close = close_to(at(lifted, record), f(slices), terms);
    if (!close) return AssertionFailure() << "slice " << to_text(record) << ": " << close.message();
  }
  return AssertionSuccess();
}

std::vector<Tensor> layouts(const Tensor& tensor) {
  const Axes names = tensor.shape().names();
  std::vector<Axis> order(names.begin(), names.end());
  std::ranges::sort(order);
  std::vector<Tensor> all;
  do {
    all.emplace_back(laid_out(tensor.array(), Axes(order)));
  } while (std::ranges::next_permutation(order).found);
  return all;
}

AssertionResult ignores_layout(const TensorFunction& f, const std::vector<Tensor>& arguments) {
  const Tensor expected = f(arguments);
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    for (const Tensor& layout : layouts(arguments[k])) {
      std::vector<Tensor> changed = arguments;
      changed[k] = layout;
      const Tensor actual = f(changed);
      const AssertionResult equal = same(actual, expected);
      if (!equal) {
        return AssertionFailure() << "argument " << k + 1
                                  << " written in another order: " << equal.message();
      }
      if (printed(actual) != printed(expected)) {
        return AssertionFailure() << "the text shows the order of argument " << k + 1 << ":\n"
                                  << printed(actual) << "\n"
                                  << printed(expected);
      }
    }
  }
  return AssertionSuccess();
}

}  // namespace axial::support
