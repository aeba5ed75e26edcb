#include "axial/kernels/processor.hpp"

#include <unistd.h>

#include <algorithm>

namespace axial::kernels {

bool passes_wide_vectors_whole() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx512f") && !__builtin_cpu_is("amd");
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
