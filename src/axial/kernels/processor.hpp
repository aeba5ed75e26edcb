// What is to be known of the processor beside its instructions.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <cstdint>

namespace axial::kernels {

/// True if vectors of 512 bits are passed as a whole. Processors that pass them in two halves compute
/// no more with them than with vectors of 256 bits.
inline bool passes_wide_vectors_whole() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx512f") && !__builtin_cpu_is("amd");
#else
  return false;
#endif
}

/// How much of what is passed again and again may lie beside other things in the second level of the
/// cache. Where the system does not say how large that is, it is taken to be small.
inline std::int64_t near_bytes() {
  constexpr std::int64_t least = 192 << 10;
#ifdef _SC_LEVEL2_CACHE_SIZE
  static const std::int64_t level = ::sysconf(_SC_LEVEL2_CACHE_SIZE);
  return std::max(least, level / 5);
#else
  return least;
#endif
}

}  // namespace axial::kernels
