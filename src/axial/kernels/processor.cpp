#include "axial/kernels/processor.hpp"

#include <unistd.h>

#include <algorithm>

#include "axial/base/environment.hpp"

namespace axial::kernels {

bool has_wide_vectors() {
#if defined(__x86_64__)
  static const bool has = __builtin_cpu_supports("fma") && __builtin_cpu_supports("avx512f") &&
                          __builtin_cpu_supports("avx512vl") && variable("AXIAL_VECTORS") != "256";
  return has;
#else
  return false;
#endif
}

bool passes_wide_vectors_whole() {
#if defined(__x86_64__)
  // The family of Zen 4 passes them in halves.
  return has_wide_vectors() && !__builtin_cpu_is("amdfam19h");
#else
  return false;
#endif
}

std::int64_t near_bytes() {
  constexpr std::int64_t least = 192 << 10;
#ifdef _SC_LEVEL2_CACHE_SIZE
  static const std::int64_t level = ::sysconf(_SC_LEVEL2_CACHE_SIZE);
  return std::max(least, level / 5 * 2);
#else
  return least;
#endif
}

}  // namespace axial::kernels
