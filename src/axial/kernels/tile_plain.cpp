#include "axial/kernels/tile_code.hpp"

namespace axial::kernels {

const TileFunctions<float>& plain_float_tiles() { return functions<float>; }
const TileFunctions<double>& plain_double_tiles() { return functions<double>; }

}  // namespace axial::kernels
