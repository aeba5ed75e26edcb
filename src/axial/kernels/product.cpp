#include "axial/kernels/product.hpp"

#include <algorithm>
#include <span>

#include "axial/kernels/neighbours.hpp"
#include "axial/kernels/product_share.hpp"

namespace axial::kernels {
namespace {

using Table = std::vector<std::int64_t>;

/// True if tiles can read columns of B where they are.
template <class T>
bool has_whole_panels(const Product& product) {
  const std::int64_t wide = panels_for<T>(product.columns()).columns;
  if (product.columns() < wide) return false;
  for (std::int64_t first = 0; first + wide <= product.columns(); first += wide) {
    const auto panel =
        std::span(product.b_columns)
            .subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(wide));
    if (!are_neighbours(panel)) return false;
  }
  return true;
}

/// True if most terms are more than a line of the cache apart.
bool lie_far_apart(const Table& terms) {
  std::int64_t far = 0;
  for (std::size_t k = 1; k < terms.size(); ++k) {
    if (std::abs(terms[k] - terms[k - 1]) >= 16) ++far;
  }
  return far * 2 > std::ssize(terms);
}

/// True if a matrix is small and its lines lie close to one another, so that it stays in the first
/// level of the cache wherever it begins.
template <class T>
bool is_near(const Table& lines, const Table& terms) {
  constexpr std::int64_t half = (16 << 10) / static_cast<std::int64_t>(sizeof(T));
  const auto span = [](const Table& table) {
    const auto [least, most] = std::ranges::minmax(table);
    return most - least;
  };
  const std::int64_t volume = std::ssize(lines) * std::ssize(terms);
  return volume <= half && span(lines) + span(terms) < 2 * volume;
}

template <class T>
void choose_packing_as(Product& product) {
  const std::int64_t rows = product.rows(), columns = product.columns(), terms = product.terms();
  // Copies of rows cost nothing where many columns follow, and keep rows from competing for lines.
  const bool many = terms >= 128 && columns >= 256;
  product.packs_rows = terms >= 32 && columns >= 32 &&
                       !is_near<T>(product.a_rows, product.a_terms) &&
                       (many || lie_far_apart(product.a_terms));
  constexpr std::int64_t few = 2 * tile_rows;
  product.packs_columns = (rows > few && !is_near<T>(product.b_columns, product.b_terms)) ||
                          !has_whole_panels<T>(product);
}

/// Cuts a product among the threads: whole matrices of the batch, else columns or rows.
template <class T>
void multiply_as(const Product& product, const T* a, const T* b, T* c, Team& team) {
  const std::int64_t size = product.rows() * product.columns();
  team.share(passed(product), [&](int number, int parts) {
    const bool by_batch = product.batch() >= parts;
    const bool by_columns = !by_batch && product.columns() >= product.rows();
    const Part all{0, product.batch()};
    const Part batch = by_batch ? part_of(product.batch(), number, parts) : all;
    Part rows{0, product.rows()};
    Part columns{0, product.columns()};
    if (!by_batch && by_columns)
      columns = part_of(product.columns(), number, parts, panels_for<T>(product.columns()).columns);
    if (!by_batch && !by_columns) rows = part_of(product.rows(), number, parts, tile_rows);
    Share<T> own(product, product.packs_columns, rows, columns);
    for (std::int64_t k = batch.first; k < batch.last; ++k) {
      const auto matrix = static_cast<std::size_t>(k);
      own.compute(a + product.a_batch[matrix], b + product.b_batch[matrix], c + k * size);
    }
  });
}

}  // namespace

double Product::operations() const {
  return 2.0 * static_cast<double>(batch() * rows()) * static_cast<double>(columns() * terms());
}

std::int64_t passed(const Product& product) {
  constexpr double per_element = 3;
  return static_cast<std::int64_t>(product.operations() / per_element);
}

namespace {

/// True if the first lines are neighbours in memory, and so the others most likely.
bool are_side_by_side(const Table& lines) { return lines.size() > 1 && lines[1] == lines[0] + 1; }

}  // namespace

double cost(const Product& product) {
  const std::int64_t wide =
      product.element == float64 ? narrowest_panel<double> : narrowest_panel<float>;
  const auto rounded = [](std::int64_t value, std::int64_t step) {
    return static_cast<double>((value + step - 1) / step * step);
  };
  const double columns = rounded(product.columns(), wide);
  const auto terms = static_cast<double>(product.terms());
  const auto rows = static_cast<double>(product.rows());
  // How many operations take as long as copying an element: columns that lie side by side are copied
  // in whole lines of the cache, rows in shorter pieces, and others must be turned.
  const double per_column = are_side_by_side(product.b_columns) ? 7 : 14;
  const double per_row = are_side_by_side(product.a_rows) ? 10 : 14;
  const double packing = (product.packs_columns ? per_column * columns * terms : 0) +
                         (product.packs_rows ? per_row * rows * terms : 0);
  return static_cast<double>(product.batch()) * (2 * rows * columns * terms + packing);
}

namespace {

/// Calls `use` with a pointer to the type of the elements.
template <class Use>
void with_element(ElementType element, Use&& use) {
  if (element == float32) {
    use(static_cast<float*>(nullptr));
  } else if (element == float64) {
    use(static_cast<double*>(nullptr));
  } else {
    bug("matrix products are of real numbers");
  }
}

}  // namespace

void choose_packing(Product& product) {
  with_element(product.element, [&]<class T>(T*) { choose_packing_as<T>(product); });
}

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
