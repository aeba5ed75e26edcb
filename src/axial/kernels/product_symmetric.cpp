#include "axial/kernels/product_symmetric.hpp"

#include <algorithm>
#include <cmath>

#include "axial/kernels/product_share.hpp"

namespace axial::kernels {
namespace {

/// Part `number` of `parts` of the rows, such that all have as many elements up to the diagonal.
Part rows_of_half(std::int64_t rows, int number, int parts) {
  const auto edge = [&](int part) {
    const double share = std::sqrt(static_cast<double>(part) / parts);
    const auto row = static_cast<std::int64_t>(share * static_cast<double>(rows));
    return std::min(rows, rounded_up(row, tile_rows));
  };
  return {edge(number), edge(number + 1)};
}

/// Every element up to the diagonal, and some beyond it.
template <class T>
void multiply_half(const Product& product, const T* a, const T* b, T* c, Team& team) {
  const std::int64_t size = product.rows() * product.columns();
  team.share(passed(product), [&](int number, int parts) {
    const bool by_batch = product.batch() >= parts;
    const Part batch =
        by_batch ? part_of(product.batch(), number, parts) : Part{0, product.batch()};
    const Part rows =
        by_batch ? Part{0, product.rows()} : rows_of_half(product.rows(), number, parts);
    if (rows.first == rows.last) return;
    Share<T> own(product, rows, {0, rows.last});
    for (std::int64_t k = batch.first; k < batch.last; ++k) {
      const auto matrix = static_cast<std::size_t>(k);
      own.compute_half(a + product.a_batch[matrix], b + product.b_batch[matrix], c + k * size);
    }
  });
}

/// All elements beyond the diagonal, as they are on its other side. They do not depend on how rows were
/// shared: none of those that were computed stays.
template <class T>
void mirror(std::int64_t matrices, std::int64_t rows, T* c, Team& team) {
  constexpr std::int64_t line = 64 / static_cast<std::int64_t>(sizeof(T));
  const std::int64_t strips = count_of_blocks(rows, line);
  team.share(matrices * rows * rows, [&](int number, int parts) {
    for (std::int64_t strip = number; strip < matrices * strips; strip += parts) {
      T* matrix = c + strip / strips * rows * rows;
      const std::int64_t first = strip % strips * line;
      const std::int64_t last = std::min(rows, first + line);
      tile_functions<T>().turn(
          {matrix + first * rows, rows, matrix + first, rows, last - first, first});
      for (std::int64_t i = first; i < last; ++i) {
        for (std::int64_t j = i + 1; j < last; ++j) matrix[i * rows + j] = matrix[j * rows + i];
      }
    }
  });
}

}  // namespace

void multiply_symmetric(const Product& product, const void* a, const void* b, void* c, Team& team) {
  with_element(product.element, [&]<class T>(T*) {
    multiply_half(product, static_cast<const T*>(a), static_cast<const T*>(b), static_cast<T*>(c),
                  team);
    mirror(product.batch(), product.rows(), static_cast<T*>(c), team);
  });
}

}  // namespace axial::kernels
