// The loops of small programs: they pass the elements of a few streams, one by one, and compute what the
// definition of a node says.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "axial/tensor/element.hpp"
#include "axial/vocabulary/elementwise.hpp"

namespace axial::plan {

/// A result and up to three operands.
inline constexpr std::size_t stream_count = 4;
/// Steps with more loops are left to the definitions of their nodes.
inline constexpr std::size_t max_loops = 16;
using Offsets = std::array<std::int64_t, stream_count>;

/// A walk through the elements that a step writes (stream 0) and reads: its loops, the last innermost,
/// and how far each moves every stream.
struct Walk {
  std::vector<std::int64_t> sizes;
  std::vector<Offsets> strides;
  std::int64_t volume = 1;
};

/// Adds an inner loop; one that goes on where the loop around it would is joined with it.
void add_loop(Walk& walk, std::int64_t size, const Offsets& strides);

using Streams = std::array<std::byte*, stream_count>;

/// What a step does to its streams.
struct Work {
  Walk walk;
  const Word* word = nullptr;
  double real_start = 0;
  std::int64_t whole_start = 0;
  /// How many elements the result has.
  std::int64_t results = 0;
};
using CarryOut = void (*)(const Work&, const Streams&);

// What carries out steps on such elements.

/// A word, applied elementwise; null if it cannot give the result.
CarryOut map_loop(const Word& word, ElementType operands, ElementType result);
/// A fold of `Work::word`.
CarryOut reduce_loop(ElementType element);
/// The sum of products of two operands.
CarryOut contract_loop(ElementType element);
/// The elements of the only operand, repeated where it has no axis.
CarryOut copy_loop(ElementType element);

}  // namespace axial::plan
