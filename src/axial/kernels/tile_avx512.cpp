// Compiled with -mavx512f -mavx512vl -mfma; called only where the machine has all of them.
#include <limits>

#include "axial/kernels/processor.hpp"
#include "axial/kernels/tile_code.hpp"

namespace axial::kernels {
namespace {

constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

/// Vectors that fill a line of the cache are read in place nearly as quickly as from a copy, as long as
/// the second level of the cache keeps up, which is harder for it if vectors are passed as a whole.
constexpr WorthCopying for_halves{.terms = 256,
                                  .rows = 512,
                                  .rows_of_many = 2048,
                                  .many_columns = 512,
                                  .columns = 512,
                                  .columns_of_any = 1024};
constexpr WorthCopying for_whole{.terms = 512,
                                 .rows = 48,
                                 .rows_of_many = 48,
                                 .many_columns = 512,
                                 .columns = 256,
                                 .columns_of_any = never};

template <class T>
const TileFunctions<T>& tiles() {
  return passes_wide_vectors_whole() ? functions<T, for_whole, 64, 4, 2, 1>
                                     : functions<T, for_halves, 64, 4, 2, 1>;
}

}  // namespace

const TileFunctions<float>& avx512_float_tiles() { return tiles<float>(); }
const TileFunctions<double>& avx512_double_tiles() { return tiles<double>(); }

}  // namespace axial::kernels
