// What is to be known of the processor beside its instructions.
#pragma once

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

}  // namespace axial::kernels
