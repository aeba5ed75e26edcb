// Compiled with -mavx512f -mavx512vl -mfma; called only where the machine has all of them.
#include <limits>

#include "axial/kernels/tile_code.hpp"

namespace axial::kernels {
namespace {

constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

/// Vectors that fill a line of the cache are read in place nearly as quickly as from a copy, as long as
/// the second level of the cache keeps up. It does for longer where two multipliers share a vector.
constexpr WorthCopying where_multipliers_share{
    .rows = 512, .rows_of_many = 2048, .many_columns = 512, .columns = 512, .columns_of_any = 1024};
constexpr WorthCopying where_they_do_not{
    .rows = 48, .rows_of_many = 48, .many_columns = 512, .columns = 256, .columns_of_any = never};

bool multipliers_share() { return __builtin_cpu_is("amd"); }

template <class T, WorthCopying worth_copying>
constexpr const TileFunctions<T>& tiles = functions<T, worth_copying, 64, 4, 2, 1>;

}  // namespace

const TileFunctions<float>& avx512_float_tiles() {
  return multipliers_share() ? tiles<float, where_multipliers_share>
                             : tiles<float, where_they_do_not>;
}
const TileFunctions<double>& avx512_double_tiles() {
  return multipliers_share() ? tiles<double, where_multipliers_share>
                             : tiles<double, where_they_do_not>;
}

}  // namespace axial::kernels
