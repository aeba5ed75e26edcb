// Compiled with -mavx2 -mfma; called only where the machine has both.
#include "axial/kernels/tile_code.hpp"

namespace axial::kernels {

const TileFunctions<float>& avx2_float_tiles() {
  return functions<float, for_short_vectors, 32, 2>;
}
const TileFunctions<double>& avx2_double_tiles() {
  return functions<double, for_short_vectors, 32, 2>;
}

}  // namespace axial::kernels
