// Functions with signatures, which lift as the paper says, and recurrences along an axis.
#pragma once

#include <functional>
#include <initializer_list>
#include <string>
#include <vector>

#include "axial/api/tensor.hpp"

namespace axial {

/// A C++ function of several tensors behind one type.
using TensorFunction = std::function<Tensor(const std::vector<Tensor>&)>;

/// The most arguments that a function or a step of a scan can take.
inline constexpr std::size_t max_arguments = 8;

/// Calls `body` with the tensors as separate arguments. Fails with wrong-arity if it takes another
/// number of them.
template <class Body>
auto call_with(const Body& body, const std::vector<Tensor>& arguments);

/// A function with a signature: the axes of each argument and of the result. It is applied slice by
/// slice over all further axes of its arguments, and those never meet axes that the body uses.
class Function {
 public:
  Function(std::string name, std::vector<Axes> parameters, Axes result, TensorFunction body);

  template <class... Arguments>
    requires(std::convertible_to<Arguments, Tensor> && ...)
  Tensor operator()(const Arguments&... arguments) const {
    return apply({Tensor(arguments)...});
  }

  /// The result for a list of arguments. Fails with wrong-arity, unknown-axis or size-clash if they
  /// do not fit, and with lifting-clash if an extra axis is also in the result's own shape.
  Tensor apply(const std::vector<Tensor>& arguments) const;

 private:
  std::string name_;
  std::vector<Axes> parameters_;
  Axes result_;
  TensorFunction body_;
};

/// A function from the axes of its arguments, the axes of its result, and its body.
template <class Body>
Function function(std::string name, std::initializer_list<Axes> parameters, const Axes& result,
                  Body body) {
  return {std::move(name), parameters, result, [body](const std::vector<Tensor>& arguments) {
            return Tensor(call_with(body, arguments));
          }};
}
template <class Body>
Function function(std::initializer_list<Axes> parameters, const Axes& result, Body body) {
  return function("function", parameters, result, std::move(body));
}

namespace plain {

Tensor scan(Axis axis, const Tensor& initial, const std::vector<Tensor>& inputs,
            const TensorFunction& step, bool reverse);
std::vector<Tensor> scan(Axis axis, const std::vector<Tensor>& initial,
                         const std::vector<Tensor>& inputs,
                         const std::function<std::vector<Tensor>(const std::vector<Tensor>&)>& step,
                         bool reverse);

}  // namespace plain

/// How a scan runs.
struct ScanOptions {
  bool reverse = false;
};

/// The states s¹ … sⁿ along `axis` of the recurrence sᵗ = step(sᵗ⁻¹, xᵗ, …), where xᵗ is the t-th
/// slice of an input. Extra axes of the inputs are broadcast into the state.
template <class Step>
Tensor scan(Axis axis, const Tensor& initial, const std::vector<Tensor>& inputs, Step step,
            ScanOptions options = {}) {
  return plain::scan(
      axis, initial, inputs,
      [step](const std::vector<Tensor>& arguments) { return Tensor(call_with(step, arguments)); },
      options.reverse);
}
template <class Step>
Tensor scan(Axis axis, const Tensor& initial, const Tensor& input, Step step,
            ScanOptions options = {}) {
  return scan(axis, initial, std::vector<Tensor>{input}, std::move(step), options);
}

/// The same for several states at once, as in an LSTM: `step` takes all states, then all slices, and
/// gives the next states as a std::vector<Tensor>.
template <class Step>
std::vector<Tensor> scan(Axis axis, const std::vector<Tensor>& initial,
                         const std::vector<Tensor>& inputs, Step step, ScanOptions options = {}) {
  return plain::scan(
      axis, initial, inputs,
      [step](const std::vector<Tensor>& arguments) -> std::vector<Tensor> {
        return call_with(step, arguments);
      },
      options.reverse);
}

/// Fails with wrong-arity.
[[noreturn]] void fail_argument_count(std::size_t given);

namespace arguments {

/// A tensor that becomes whichever tensor type a body asks for; names are checked when it does.
struct Flexible {
  const Tensor& tensor;
  operator const Tensor&() const { return tensor; }  // NOLINT(google-explicit-constructor)
  template <class Set>
  operator NamedTensor<Set>() const {  // NOLINT(google-explicit-constructor)
    return NamedTensor<Set>(tensor);
  }
};

template <class Body, class Argument, std::size_t... K>
constexpr bool takes(std::index_sequence<K...>) {
  return std::is_invocable_v<const Body&,
                             decltype((static_cast<void>(K), std::declval<Argument>()))...>;
}

/// The least number of arguments that a body takes; max_arguments + 1 if it takes none.
template <class Body, class Argument, std::size_t Count = 0>
constexpr std::size_t least_count() {
  if constexpr (Count > max_arguments || takes<Body, Argument>(std::make_index_sequence<Count>{})) {
    return Count;
  } else {
    return least_count<Body, Argument, Count + 1>();
  }
}

template <class Argument, class Body, std::size_t... K>
auto call(const Body& body, const std::vector<Tensor>& given, std::index_sequence<K...>) {
  return body(Argument{given[K]}...);
}

/// Calls a body that takes `Count` arguments, or more if it is a pack.
template <class Argument, std::size_t Count, class Body>
auto call_count(const Body& body, const std::vector<Tensor>& given) {
  if (given.size() != Count) {
    if constexpr (Count < max_arguments &&
                  takes<Body, Argument>(std::make_index_sequence<Count + 1>{})) {
      return call_count<Argument, Count + 1>(body, given);
    } else {
      fail_argument_count(given.size());
    }
  }
  return call<Argument>(body, given, std::make_index_sequence<Count>{});
}

}  // namespace arguments

template <class Body>
auto call_with(const Body& body, const std::vector<Tensor>& given) {
  constexpr std::size_t count = arguments::least_count<Body, Tensor>();
  if constexpr (count <= max_arguments) {
    return arguments::call_count<Tensor, count>(body, given);
  } else {
    using arguments::Flexible;
    constexpr std::size_t flexible_count = arguments::least_count<Body, Flexible>();
    static_assert(flexible_count <= max_arguments,
                  "the body must take tensors, at most max_arguments of them");
    return arguments::call_count<Flexible, flexible_count>(body, given);
  }
}

}  // namespace axial
