// Compiled with -mavx2 -mfma; called only where the machine has both.
#include "axial/kernels/tile_code.hpp"

namespace axial::kernels {

const TileFunctions<float>& avx2_float_tiles() { return functions<float>; }
const TileFunctions<double>& avx2_double_tiles() { return functions<double>; }

}  // namespace axial::kernels
