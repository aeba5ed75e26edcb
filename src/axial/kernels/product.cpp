#include "axial/kernels/product.hpp"

#include "axial/kernels/product_dots.hpp"
#include "axial/kernels/product_share.hpp"
#include "axial/kernels/product_symmetric.hpp"
#include "axial/kernels/split_share.hpp"

namespace axial::kernels {
namespace {

/// Calls `use` with the type of the shares in which the product is computed.
template <class Use>
void with_share(const Product& product, const Use& use) {
  if (product.splits) {
    use.template operator()<SplitShare>();
  } else {
    with_element(product.element, [&]<class T>(T*) { use.template operator()<Share<T>>(); });
  }
}

/// Cuts a product among the threads: whole matrices of the batch, else columns or rows.
template <class AnyShare, class T = typename AnyShare::Element>
void multiply_as(const Product& product, const T* a, const T* b, T* c, Team& team) {
  const std::int64_t size = product.rows() * product.columns();
  team.share(passed(product), [&](int number, int parts) {
    const bool by_batch = product.batch() >= parts;
    const bool by_columns = !by_batch && product.columns() >= product.rows();
    const Part all{0, product.batch()};
    const Part batch = by_batch ? part_of(product.batch(), number, parts) : all;
    Part rows{0, product.rows()};
    Part columns{0, product.columns()};
    if (!by_batch && by_columns) {
      columns =
          part_of(product.columns(), number, parts, AnyShare::grain_of_columns(product, parts));
    }
    if (!by_batch && !by_columns) {
      rows = part_of(product.rows(), number, parts, AnyShare::grain_of_rows);
    }
    // There may be fewer rows or columns than threads.
    if (rows.first == rows.last || columns.first == columns.last) return;
    AnyShare own(product, rows, columns);
    for (std::int64_t k = batch.first; k < batch.last; ++k) {
      const auto matrix = static_cast<std::size_t>(k);
      const T* left = a + product.a_batch[matrix];
      const T* right = b + product.b_batch[matrix];
      if (product.runs.empty()) {
        const bool is_last = k + 1 == batch.last;
        own.compute(left, right, c + k * size,
                    is_last ? Operands<T>()
                            : Operands<T>{a + product.a_batch[matrix + 1],
                                          b + product.b_batch[matrix + 1]});
      } else {
        multiply_along_terms(product, rows, columns, left, right, c + k * size);
      }
    }
  });
}

}  // namespace

double Product::operations() const {
  const auto n = static_cast<double>(columns());
  const double elements = static_cast<double>(rows()) * (is_symmetric ? (n + 1) / 2 : n);
  return 2 * elements * static_cast<double>(batch() * terms());
}

std::int64_t passed(double operations) {
  constexpr double per_element = 64;
  return static_cast<std::int64_t>(operations / per_element);
}
std::int64_t passed(const Product& product) { return passed(product.operations()); }

std::int64_t rows_at_once(const Product& product) {
  std::int64_t rows = 0;
  with_share(product, [&]<class AnyShare>() { rows = AnyShare::grain_of_rows; });
  return rows;
}

std::size_t packed_bytes(const Product& product) {
  std::size_t bytes = 0;
  with_share(product, [&]<class AnyShare>() {
    bytes = static_cast<std::size_t>(AnyShare::packed_volume(product)) *
            sizeof(typename AnyShare::Packed);
  });
  return bytes;
}

void pack_columns(const Product& product, std::int64_t matrix, const void* b, void* packed) {
  with_share(product, [&]<class AnyShare>() {
    const auto* from = static_cast<const typename AnyShare::Element*>(b) +
                       product.b_batch[static_cast<std::size_t>(matrix)];
    AnyShare(product, {0, 0}, {0, product.columns()})
        .pack_all(from, static_cast<typename AnyShare::Packed*>(packed));
  });
}

void multiply_rows(const Product& product, std::int64_t matrix, Part rows, const void* a,
                   const void* packed, void* c) {
  with_share(product, [&]<class AnyShare>() {
    using T = typename AnyShare::Element;
    const T* from = static_cast<const T*>(a) + product.a_batch[static_cast<std::size_t>(matrix)];
    AnyShare(product, rows, {0, product.columns()})
        .compute_packed(from, static_cast<const typename AnyShare::Packed*>(packed),
                        static_cast<T*>(c));
  });
}

void multiply(const Product& product, const void* a, const void* b, void* c, Team& team) {
  if (product.is_symmetric) return multiply_symmetric(product, a, b, c, team);
  with_share(product, [&]<class AnyShare>() {
    using T = typename AnyShare::Element;
    multiply_as<AnyShare>(product, static_cast<const T*>(a), static_cast<const T*>(b),
                          static_cast<T*>(c), team);
  });
}

}  // namespace axial::kernels
