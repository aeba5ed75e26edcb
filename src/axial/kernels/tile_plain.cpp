#include "axial/kernels/tile_code.hpp"

namespace axial::kernels {

const TileFunctions<float>& plain_float_tiles() {
  return functions<float, for_short_vectors, 32, 2>;
}
const TileFunctions<double>& plain_double_tiles() {
  return functions<double, for_short_vectors, 32, 2>;
}

}  // namespace axial::kernels
