#include "axial/kernels/tile_code.hpp"

namespace axial::kernels {

const TileFunctions<float>& plain_float_tiles() { return functions<float, most_columns, 32, 2>; }
const TileFunctions<double>& plain_double_tiles() { return functions<double, most_columns, 32, 2>; }

}  // namespace axial::kernels
