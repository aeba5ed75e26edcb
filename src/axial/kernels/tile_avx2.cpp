// Compiled with -mavx2 -mfma; called only where the machine has both.
#include "axial/kernels/tile_code.hpp"

namespace axial::kernels {
namespace {

template <class T>
constexpr PanelFunctions<T> panels[] = {panel_functions<T, 32, 2>()};
template <class T>
constexpr TileFunctions<T> functions{panels<T>, &pack<T, tile_rows>, &turn<T>};

}  // namespace

const TileFunctions<float>& avx2_float_tiles() { return functions<float>; }
const TileFunctions<double>& avx2_double_tiles() { return functions<double>; }

}  // namespace axial::kernels
