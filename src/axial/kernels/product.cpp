#include "axial/kernels/product.hpp"

#include "axial/kernels/product_dots.hpp"
#include "axial/kernels/product_share.hpp"

namespace axial::kernels {
namespace {

/// Cuts a product among the threads: whole matrices of the batch, else columns or rows.
template <class T>
void multiply_as(const Product& product, const T* a, const T* b, T* c, Team& team) {
  const std::int64_t size = product.rows() * product.columns();
  // Few columns are cut evenly rather than into the widest panels, unless these are read in place.
  const std::int64_t wide = tile_functions<T>().panels.front().columns;
  const bool are_few = product.columns() < 4 * wide * team.size();
  const std::int64_t grain = are_few && product.packs_columns ? narrowest_panel<T> : wide;
  team.share(passed(product), [&](int number, int parts) {
    const bool by_batch = product.batch() >= parts;
    const bool by_columns = !by_batch && product.columns() >= product.rows();
    const Part all{0, product.batch()};
    const Part batch = by_batch ? part_of(product.batch(), number, parts) : all;
    Part rows{0, product.rows()};
    Part columns{0, product.columns()};
    if (!by_batch && by_columns) columns = part_of(product.columns(), number, parts, grain);
    if (!by_batch && !by_columns) rows = part_of(product.rows(), number, parts, tile_rows);
    Share<T> own(product, product.packs_columns, rows, columns);
    for (std::int64_t k = batch.first; k < batch.last; ++k) {
      const auto matrix = static_cast<std::size_t>(k);
      const T* left = a + product.a_batch[matrix];
      const T* right = b + product.b_batch[matrix];
      if (product.runs.empty()) {
        own.compute(left, right, c + k * size);
      } else {
        multiply_along_terms(product, rows, columns, left, right, c + k * size);
      }
    }
  });
}

}  // namespace

double Product::operations() const {
  return 2.0 * static_cast<double>(batch() * rows()) * static_cast<double>(columns() * terms());
}

std::int64_t passed(double operations) {
  constexpr double per_element = 3;
  return static_cast<std::int64_t>(operations / per_element);
}
std::int64_t passed(const Product& product) { return passed(product.operations()); }

std::size_t packed_bytes(const Product& product) {
  std::int64_t bytes = 0;
  with_element(product.element, [&]<class T>(T*) {
    bytes = Share<T>::packed_volume(product) * static_cast<std::int64_t>(sizeof(T));
  });
  return static_cast<std::size_t>(bytes);
}

void pack_columns(const Product& product, std::int64_t matrix, const void* b, void* packed) {
  with_element(product.element, [&]<class T>(T*) {
    const T* from = static_cast<const T*>(b) + product.b_batch[static_cast<std::size_t>(matrix)];
    Share<T>(product, true, {0, 0}, {0, product.columns()}).pack_all(from, static_cast<T*>(packed));
  });
}

void multiply_rows(const Product& product, std::int64_t matrix, Part rows, const void* a,
                   const void* packed, void* c) {
  with_element(product.element, [&]<class T>(T*) {
    const T* from = static_cast<const T*>(a) + product.a_batch[static_cast<std::size_t>(matrix)];
    Share<T>(product, true, rows, {0, product.columns()})
        .compute_packed(from, static_cast<const T*>(packed), static_cast<T*>(c));
  });
}

void multiply(const Product& product, const void* a, const void* b, void* c, Team& team) {
  with_element(product.element, [&]<class T>(T*) {
    multiply_as(product, static_cast<const T*>(a), static_cast<const T*>(b), static_cast<T*>(c),
                team);
  });
}

}  // namespace axial::kernels
