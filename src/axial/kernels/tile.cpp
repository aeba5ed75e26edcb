#include "axial/kernels/tile.hpp"

#include "axial/kernels/processor.hpp"

namespace axial::kernels {
namespace {

/// Those of the functions that this machine can run.
template <class T>
std::vector<const TileFunctions<T>*> supported(const TileFunctions<T>& (*plain)(),
                                               const TileFunctions<T>& (*avx2)(),
                                               const TileFunctions<T>& (*avx512)()) {
  std::vector<const TileFunctions<T>*> found = {&plain()};
#if defined(__x86_64__)
  if (__builtin_cpu_supports("fma") && __builtin_cpu_supports("avx2")) found.push_back(&avx2());
  if (has_wide_vectors()) found.push_back(&avx512());
#else
  static_cast<void>(avx2);
  static_cast<void>(avx512);
#endif
  return found;
}

}  // namespace

template <>
const std::vector<const TileFunctions<float>*>& supported_tiles() {
  static const auto found = supported(plain_float_tiles, avx2_float_tiles, avx512_float_tiles);
  return found;
}
template <>
const std::vector<const TileFunctions<double>*>& supported_tiles() {
  static const auto found = supported(plain_double_tiles, avx2_double_tiles, avx512_double_tiles);
  return found;
}

}  // namespace axial::kernels
