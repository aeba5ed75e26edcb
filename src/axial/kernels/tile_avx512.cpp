// Compiled with -mavx512f -mavx512vl -mfma; called only where the machine has all of them.
#include "axial/kernels/tile_code.hpp"

namespace axial::kernels {

const TileFunctions<float>& avx512_float_tiles() { return functions<float, 64, 2, 1>; }
const TileFunctions<double>& avx512_double_tiles() { return functions<double, 64, 2, 1>; }

}  // namespace axial::kernels
