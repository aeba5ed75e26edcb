// Compiled with -mavx512f -mavx512vl -mfma; called only where the machine has all of them.
#include "axial/kernels/tile_code.hpp"

namespace axial::kernels {
namespace {

template <class T>
constexpr PanelFunctions<T> panels[] = {panel_functions<T, 64, 2>(), panel_functions<T, 64, 1>()};
template <class T>
constexpr TileFunctions<T> functions{panels<T>, &pack<T, tile_rows>, &turn<T>};

}  // namespace

const TileFunctions<float>& avx512_float_tiles() { return functions<float>; }
const TileFunctions<double>& avx512_double_tiles() { return functions<double>; }

}  // namespace axial::kernels
