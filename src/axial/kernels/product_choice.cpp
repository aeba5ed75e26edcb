// How a product is computed: what is copied together first, and what that costs.
#include <algorithm>
#include <span>

#include "axial/kernels/neighbours.hpp"
#include "axial/kernels/product_share.hpp"
#include "axial/kernels/split_share.hpp"

namespace axial::kernels {
namespace {

using Table = std::vector<std::int64_t>;

/// True if tiles can read columns of B where they are.
template <class T>
bool has_whole_panels(const Product& product) {
  bool are_whole = product.columns() >= narrowest_panel<T>;
  for_each_width<T>({0, product.columns()}, [&](const PanelFunctions<T>& panels, Part some) {
    const std::int64_t wide = panels.columns;
    for (std::int64_t first = some.first; are_whole && first + wide <= some.last; first += wide) {
      are_whole = are_neighbours(
          std::span(product.b_columns)
              .subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(wide)));
    }
  });
  return are_whole;
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

/// True if all terms begin at the same place of a line of the cache, and not so far apart that they
/// compete for the same lines of every level.
template <class T>
bool are_lined_up(const Table& terms) {
  constexpr std::int64_t far = (64 << 10) / static_cast<std::int64_t>(sizeof(T));
  for (std::size_t k = 1; k < terms.size(); ++k) {
    const std::int64_t step = std::abs(terms[k] - terms[k - 1]);
    if (step % strip_margin<T> != 0 || step >= far) return false;
  }
  return true;
}

/// From how many rows on columns are copied that could be read in place.
template <class T>
std::int64_t rows_worth_copying(const Product& product) {
  constexpr std::int64_t few = 2 * tile_rows;
  const WorthCopying& worth = tile_functions<T>().worth_copying;
  if (!are_lined_up<T>(product.b_terms)) return few + 1;
  return product.columns() < worth.many_columns ? worth.rows : worth.rows_of_many;
}

/// From how many columns on rows are copied whose terms lie far apart.
template <class T>
std::int64_t columns_worth_copying(const Product& product) {
  constexpr std::int64_t some = 128;
  const std::int64_t columns = tile_functions<T>().worth_copying.columns;
  return are_lined_up<T>(product.a_terms) ? columns : std::min(columns, some);
}

template <class T>
void choose_packing(Product& product) {
  const std::int64_t rows = product.rows(), columns = product.columns(), terms = product.terms();
  // Copies of rows cost nothing where many columns follow, and keep rows from competing for lines.
  const bool many = terms >= 128 && columns >= tile_functions<T>().worth_copying.columns_of_any;
  product.packs_rows =
      terms >= 32 && !is_near<T>(product.a_rows, product.a_terms) &&
      (many || (columns >= columns_worth_copying<T>(product) && lie_far_apart(product.a_terms)));
  product.packs_columns =
      (rows >= rows_worth_copying<T>(product) && !is_near<T>(product.b_columns, product.b_terms)) ||
      !has_whole_panels<T>(product);
}

/// The lengths of the runs of terms that lie side by side in both operands.
Table runs_of_terms(const Product& product) {
  // What a few rows and columns have of a run stays in the first level of the cache.
  constexpr std::int64_t longest = 512;
  Table runs;
  for (std::int64_t term = 0; term < product.terms(); term += runs.back()) {
    const std::int64_t rest = std::min(longest, product.terms() - term);
    const auto run = [&](const Table& terms) {
      return count_of_neighbours(
          std::span(terms).subspan(static_cast<std::size_t>(term), static_cast<std::size_t>(rest)));
    };
    runs.push_back(std::min(run(product.a_terms), run(product.b_terms)));
  }
  return runs;
}

/// True if most of the entries can be passed in vectors of neighbours.
bool lie_in_vectors(const Table& entries) {
  constexpr std::size_t length = 16;
  std::int64_t together = 0;
  for (std::size_t first = 0; first < entries.size(); first += length) {
    const auto some = std::span(entries).subspan(first, std::min(length, entries.size() - first));
    if (are_neighbours(some)) together += std::ssize(some);
  }
  return together * 2 > std::ssize(entries);
}

/// True if the first lines are neighbours in memory, and so the others most likely.
bool are_side_by_side(const Table& lines) { return lines.size() > 1 && lines[1] == lines[0] + 1; }

/// What a product costs whose elements are split, measured on one machine: products of parts take half as
/// long as those of elements, but each element must be split, which takes longer if it comes from far, is
/// turned or lies alone, and sums are read and written with each block of terms.
double split_cost(const Product& product) {
  constexpr double faster = 0.5, per_near = 38, per_far = 60, per_turned = 20, per_single = 70;
  constexpr double per_sum = 10;
  constexpr std::int64_t near = 256 << 10;
  const std::int64_t elements =
      product.batch() * product.terms() * (product.rows() + product.columns());
  const auto per_element = [&](const Table& along, const Table& across) {
    const double extra = lie_in_vectors(along)    ? 0
                         : lie_in_vectors(across) ? per_turned
                                                  : per_single;
    return extra + (elements <= near ? per_near : per_far);
  };
  const std::int64_t rows = rounded_up(product.rows(), split_lines / 2);
  const std::int64_t columns = rounded_up(product.columns(), split_lines / 2);
  const std::int64_t terms = rounded_up(product.terms(), split_terms);
  const auto volume = static_cast<double>(rows * columns);
  const double splitting =
      static_cast<double>(SplitShare::count_of_passes(product) * rows) *
          per_element(product.a_terms, product.a_rows) +
      static_cast<double>(columns) * per_element(product.b_columns, product.b_terms);
  const auto blocks = static_cast<double>(count_of_blocks(terms, most_split_terms));
  return static_cast<double>(product.batch()) *
         (static_cast<double>(terms) * (faster * 2 * volume + splitting) +
          per_sum * blocks * volume);
}

std::int64_t widest_panel_of(ElementType element) {
  return element == float64 ? tile_functions<double>().panels.front().columns
                            : tile_functions<float>().panels.front().columns;
}

}  // namespace

double cost(const Product& product) {
  if (product.splits) return split_cost(product);
  const std::int64_t wide =
      product.element == float64 ? narrowest_panel<double> : narrowest_panel<float>;
  const auto columns = static_cast<double>(rounded_up(product.columns(), wide));
  const auto terms = static_cast<double>(product.terms());
  const auto rows = static_cast<double>(product.rows());
  const auto batch = static_cast<double>(product.batch());
  if (!product.runs.empty()) {
    // Every run reads and writes all sums; rows and columns that are left over are passed one by one.
    constexpr double per_term = 2.6, per_run = 64;
    const auto passed = [](std::int64_t count, std::int64_t together) {
      return static_cast<double>(count) + static_cast<double>(count % together) / 2;
    };
    return batch * passed(product.rows(), tile_rows) * passed(product.columns(), dot_columns) *
           (per_term * terms + per_run * static_cast<double>(product.runs.size()));
  }
  // How many operations take as long as copying an element: columns that lie side by side are copied
  // in whole lines of the cache, rows in shorter pieces, and others must be turned.
  const double per_column = are_side_by_side(product.b_columns) ? 7 : 14;
  const double per_row = are_side_by_side(product.a_rows) ? 10 : 14;
  const double packing = (product.packs_columns ? per_column * columns * terms : 0) +
                         (product.packs_rows ? per_row * rows * terms : 0);
  // A single narrow panel is a little slower than wider ones.
  const double per_term = product.columns() <= wide ? 2.04 : 2;
  const double multiplying = per_term * rows * columns * terms;
  if (!product.is_symmetric) return batch * (multiplying + packing);
  // Panels reach beyond the diagonal, and half of the elements are turned.
  constexpr double per_turned = 14;
  const double computed = (1 + static_cast<double>(widest_panel_of(product.element)) / rows) / 2;
  return batch * (multiplying * computed + packing + per_turned * rows * columns);
}

void choose_way(Product& product) {
  product.runs = {};
  product.splits = false;
  with_element(product.element, [&]<class T>(T*) { choose_packing<T>(product); });
  double least = cost(product);
  if (product.is_symmetric) {
    product.is_symmetric = false;
    const double as_a_whole = cost(product);
    product.is_symmetric = least < as_a_whole;
    least = std::min(least, as_a_whole);
  }
  // Each sum takes a vector; more of them would not stay near.
  constexpr std::int64_t few = 1024;
  if (product.rows() * product.columns() <= few) {
    product.runs = runs_of_terms(product);
    if (cost(product) >= least) product.runs = {};
    least = cost(product);
  }
  product.splits = product.element == float32 && can_split();
  product.splits = product.splits && cost(product) < least && split_functions() != nullptr;
  if (product.splits) product.runs = {};
  if (product.splits || !product.runs.empty()) product.is_symmetric = false;
}

}  // namespace axial::kernels
