#include "axial/kernels/tile_code.hpp"

namespace axial::kernels {
namespace {

template <class T>
constexpr PanelFunctions<T> panels[] = {panel_functions<T, 32, 2>()};
template <class T>
constexpr TileFunctions<T> functions{panels<T>, &pack<T, tile_rows>, &turn<T>};

}  // namespace

const TileFunctions<float>& plain_float_tiles() { return functions<float>; }
const TileFunctions<double>& plain_double_tiles() { return functions<double>; }

}  // namespace axial::kernels
