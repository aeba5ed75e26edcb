// The facts that every word of the vocabulary states about itself.
#pragma once

#include <concepts>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "axial/tensor/element.hpp"

namespace axial {

/// Which element types a word accepts, as a set of bits.
enum class Takes : std::uint8_t {
  reals = 1,
  integers = 2,
  booleans = 4,
  numbers = reals | integers,
  anything = reals | integers | booleans,
};

constexpr bool accepts(Takes takes, ElementType type) {
  const Takes wanted = is_real(type)      ? Takes::reals
                       : is_integer(type) ? Takes::integers
                                          : Takes::booleans;
  return (static_cast<int>(takes) & static_cast<int>(wanted)) != 0;
}

/// The element type of a word's result: that of its operands, truth values, or positions (int64).
enum class Gives : std::uint8_t { same, truth, position };

constexpr ElementType result_type(Gives gives, ElementType operands) {
  return gives == Gives::same ? operands : gives == Gives::truth ? boolean : int64;
}

/// The meaning of a scalar function of one to three arguments of type T.
template <class T>
class Meaning {
 public:
  constexpr Meaning() = default;
  template <class Function>
  constexpr Meaning(Function function) {  // NOLINT(google-explicit-constructor)
    if constexpr (std::invocable<Function, T>) {
      unary_ = function;
    } else if constexpr (std::invocable<Function, T, T>) {
      binary_ = function;
    } else {
      ternary_ = function;
    }
  }

  constexpr int arity() const { return unary_ ? 1 : binary_ ? 2 : ternary_ ? 3 : 0; }
  constexpr explicit operator bool() const { return arity() > 0; }

  /// Where the function is in memory, for code that calls it.
  const void* address() const {
    return unary_    ? reinterpret_cast<const void*>(unary_)
           : binary_ ? reinterpret_cast<const void*>(binary_)
                     : reinterpret_cast<const void*>(ternary_);
  }

  /// The value at up to three arguments; those beyond the arity are passed over.
  constexpr T operator()(T a, T b = {}, T c = {}) const {
    return unary_ ? unary_(a) : binary_ ? binary_(a, b) : ternary_(a, b, c);
  }

 private:
  T (*unary_)(T) = nullptr;
  T (*binary_)(T, T) = nullptr;
  T (*ternary_)(T, T, T) = nullptr;
};

/// Marks types that words can be applied to; the public tensor types specialise it.
template <class T>
inline constexpr bool is_tensor = false;

template <class T>
concept TensorLike = is_tensor<std::remove_cvref_t<T>>;

/// Operands of a word: tensors and numbers, at least one of them a tensor.
template <class... T>
concept Operands = ((TensorLike<T> || std::is_arithmetic_v<std::remove_cvref_t<T>>) && ...) &&
                   (TensorLike<T> || ...);

}  // namespace axial
