// Dividing many numbers by the same one.
#pragma once

#include "axial/vocabulary/lanes.hpp"

namespace axial::kernels {

/// A divisor, so that x / d is x · scale · reciprocal, which is much quicker and differs by less than
/// two units in the last place.
struct Divisor {
  /// 1, but for numbers so small or large that their reciprocals could not be told exactly.
  Lanes scale;
  Lanes reciprocal;
};

inline Divisor divisor_of(Lanes divisor) {
  const double far = divisor.element == float32 ? 0x1p64 : 0x1p512;
  const Lanes size = lanes::abs(divisor);
  const Lanes one = constant_like(divisor, 1);
  const Lanes low = constant_like(divisor, 1 / far), high = constant_like(divisor, far);
  const Lanes scale = lanes::select(size < low, high, lanes::select(size > high, low, one));
  return {scale, one / (divisor * scale)};
}

inline Lanes divided(Lanes x, const Divisor& divisor) {
  return x * divisor.scale * divisor.reciprocal;
}

}  // namespace axial::kernels
