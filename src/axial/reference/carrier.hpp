// In what elements are computed.
#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

#include "axial/vocabulary/elementwise.hpp"

namespace axial::reference {

/// What elements of type T are computed in: double for reals, 64-bit integers for all others.
template <class T>
using Carrier = std::conditional_t<std::floating_point<T>, double, std::int64_t>;

/// What a word means for a carrier.
template <class C>
const Meaning<C>& meaning(const Word& word) {
  if constexpr (std::same_as<C, double>)
    return word.real;
  else
    return word.whole;
}

}  // namespace axial::reference
