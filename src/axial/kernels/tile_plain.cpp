#include "axial/kernels/tile_code.hpp"

namespace axial::kernels {

const TileFunctions<float>& plain_float_tiles() { return functions<float, 32, 2>; }
const TileFunctions<double>& plain_double_tiles() { return functions<double, 32, 2>; }

}  // namespace axial::kernels
