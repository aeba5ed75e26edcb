#include "axial/kernels/split.hpp"

#include "axial/base/environment.hpp"
#include "axial/kernels/processor.hpp"

#if defined(__linux__) && defined(__x86_64__)
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace axial::kernels {
namespace {

/// True if the system lets this process use tiles.
bool may_use_tiles() {
#if defined(__linux__) && defined(__x86_64__)
  constexpr long request_permission = 0x1023, tile_data = 18;
  return ::syscall(SYS_arch_prctl, request_permission, tile_data) == 0;
#else
  return false;
#endif
}

bool has_tiles() {
#if defined(__linux__) && defined(__x86_64__)
  return has_wide_vectors() && __builtin_cpu_supports("amx-tile") &&
         __builtin_cpu_supports("amx-bf16");
#else
  return false;
#endif
}

}  // namespace

bool can_split() {
  static const bool can = has_tiles() && variable("AXIAL_SPLIT") != "never";
  return can;
}

const SplitFunctions* split_functions() {
  static const SplitFunctions* const found =
      can_split() && may_use_tiles() ? amx_split_functions() : nullptr;
  return found;
}

}  // namespace axial::kernels
