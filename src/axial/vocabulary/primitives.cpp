#include "axial/vocabulary/primitives.hpp"

#include <lapacke.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "axial/vocabulary/elementwise.hpp"

namespace axial {
namespace {

template <class T>
bool is_not_a_number(T value) {
  if constexpr (std::floating_point<T>) return std::isnan(value);
  return false;
}

/// Less-than with NaN after every number.
template <class T>
bool before(T left, T right) {
  return left < right || (is_not_a_number(right) && !is_not_a_number(left));
}

template <class T>
void order(std::span<const std::int64_t>, std::span<const std::span<const T>> operands,
           std::span<T> result) {
  const auto x = operands[0];
  std::vector<std::size_t> positions(x.size());
  std::iota(positions.begin(), positions.end(), std::size_t{0});
  std::ranges::stable_sort(positions, [&](auto i, auto j) { return before(x[i], x[j]); });
  std::ranges::transform(positions, result.begin(), [](auto i) { return static_cast<T>(i); });
}

/// The first position that no other beats; a NaN beats every number, as in NumPy.
template <class T, class Better>
void first_best(std::span<const T> x, std::span<T> result, Better better) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < x.size() && !is_not_a_number(x[best]); ++i) {
    if (is_not_a_number(x[i]) || better(x[i], x[best])) best = i;
  }
  result[0] = static_cast<T>(best);
}

template <class T>
void index_of_max(std::span<const std::int64_t>, std::span<const std::span<const T>> operands,
                  std::span<T> result) {
  first_best(operands[0], result, std::greater<T>{});
}

template <class T>
void index_of_min(std::span<const std::int64_t>, std::span<const std::span<const T>> operands,
                  std::span<T> result) {
  first_best(operands[0], result, std::less<T>{});
}

double total(double a, double b) { return word("add").real(a, b); }
std::int64_t total(std::int64_t a, std::int64_t b) { return word("add").whole(a, b); }

template <class T>
void cumsum(std::span<const std::int64_t>, std::span<const std::span<const T>> operands,
            std::span<T> result) {
  T sum = 0;
  std::ranges::transform(operands[0], result.begin(), [&](T x) { return sum = total(sum, x); });
}

/// Y_i = Σ_{j ≥ i} X_j.
template <class T>
void cumsum_to_end(std::span<const std::int64_t>, std::span<const std::span<const T>> operands,
                   std::span<T> result) {
  T sum = 0;
  std::transform(operands[0].rbegin(), operands[0].rend(), result.rbegin(),
                 [&](T x) { return sum = total(sum, x); });
}

/// An LU factorisation in place, as LAPACK leaves it.
struct Factors {
  std::vector<double> matrix;
  std::vector<lapack_int> pivots;
  bool singular;
};

void require_square(std::span<const std::int64_t> sizes) {
  if (sizes[0] != sizes[1]) {
    throw Error(code("size-clash"), "the two axes of the matrix have different sizes",
                "only a square matrix has an inverse or a determinant");
  }
}

Factors factorize(std::span<const std::int64_t> sizes, std::span<const double> matrix) {
  require_square(sizes);
  const auto n = static_cast<lapack_int>(sizes[0]);
  Factors factors{
      {matrix.begin(), matrix.end()}, std::vector<lapack_int>(static_cast<std::size_t>(n)), false};
  if (n > 0) {
    factors.singular = LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, n, n, factors.matrix.data(), n,
                                           factors.pivots.data()) > 0;
  }
  return factors;
}

Factors factorize_regular(std::span<const std::int64_t> sizes, std::span<const double> matrix) {
  Factors factors = factorize(sizes, matrix);
  if (factors.singular) {
    throw Error(code("singular"), "the matrix is singular: it has no inverse",
                "check for linearly dependent slices, or add a multiple of the identity");
  }
  return factors;
}

void determinant(std::span<const std::int64_t> sizes,
                 std::span<const std::span<const double>> operands, std::span<double> result) {
  const Factors factors = factorize(sizes, operands[0]);
  double product = 1;
  for (std::int64_t i = 0; i < sizes[0]; ++i) {
    const bool swapped = factors.pivots[static_cast<std::size_t>(i)] != i + 1;
    const double pivot = factors.matrix[static_cast<std::size_t>(i * (sizes[0] + 1))];
    product *= swapped ? -pivot : pivot;
  }
  result[0] = product;
}

/// B with Σ_b A_{a(i),b(k)} B_{a(j),b(k)} = [i = j]: the inverse, which maps axis a back to b.
void inverse(std::span<const std::int64_t> sizes, std::span<const std::span<const double>> operands,
             std::span<double> result) {
  const Factors factors = factorize_regular(sizes, operands[0]);
  const std::int64_t n = sizes[0];
  std::ranges::fill(result, 0.0);
  for (std::int64_t i = 0; i < n; ++i) result[static_cast<std::size_t>(i * (n + 1))] = 1;
  // LAPACK reads our rows as columns, so the factors are those of Aᵀ. Solving (Aᵀ)ᵀ X = 1 gives
  // X = A⁻¹ column by column, and a column belongs to one position of a: the layout (a, b).
  const auto size = static_cast<lapack_int>(n);
  if (n > 0) {
    LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'T', size, size, factors.matrix.data(), size,
                        factors.pivots.data(), result.data(), size);
  }
}

/// x over b with Σ_b A x = y over a.
void solve(std::span<const std::int64_t> sizes, std::span<const std::span<const double>> operands,
           std::span<double> result) {
  const Factors factors = factorize_regular(sizes, operands[0]);
  std::ranges::copy(operands[1], result.begin());
  const auto size = static_cast<lapack_int>(sizes[0]);
  if (size > 0) {
    LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'T', size, 1, factors.matrix.data(), size,
                        factors.pivots.data(), result.data(), size);
  }
}

constexpr auto table = std::to_array<Primitive>({
    {.name = "order",
     .latex = "\\nfun{{0}}{order} {1}",
     .signature = "a->a",
     .takes = Takes::numbers,
     .gives = Gives::position,
     .real = order<double>,
     .whole = order<std::int64_t>},
    {.name = "index_of_max",
     .latex = "\\nfun{{0}}{index\\_of\\_max} {1}",
     .signature = "a->",
     .takes = Takes::numbers,
     .gives = Gives::position,
     .allows_empty = false,
     .real = index_of_max<double>,
     .whole = index_of_max<std::int64_t>},
    {.name = "index_of_min",
     .latex = "\\nfun{{0}}{index\\_of\\_min} {1}",
     .signature = "a->",
     .takes = Takes::numbers,
     .gives = Gives::position,
     .allows_empty = false,
     .real = index_of_min<double>,
     .whole = index_of_min<std::int64_t>},
    {.name = "cumsum",
     .latex = "\\nfun{{0}}{cumsum} {1}",
     .signature = "a->a",
     .takes = Takes::numbers,
     .real = cumsum<double>,
     .whole = cumsum<std::int64_t>,
     .differentials = {"cumsum_a d"},
     .transposes = {"cumsum_to_end_a w"}},
    {.name = "cumsum_to_end",
     .latex = "\\nfun{{0}}{cumsum\\_to\\_end} {1}",
     .signature = "a->a",
     .takes = Takes::numbers,
     .real = cumsum_to_end<double>,
     .whole = cumsum_to_end<std::int64_t>,
     .differentials = {"cumsum_to_end_a d"},
     .transposes = {"cumsum_a w"}},
    {.name = "det",
     .latex = "\\nfun{{0}}{det} {1}",
     .signature = "ab->",
     .real = determinant,
     .differentials = {"y ⊙ (inverse_{a, b} x .{a, b} d)"}},
    {.name = "inverse",
     .latex = "\\nfun{{0}}{inverse} {1}",
     .signature = "ab->ab",
     .real = inverse,
     .differentials = {"-((y_{a -> a'} .a' d_{a -> a', b -> b'}) .b' y_{b -> b'})"}},
    {.name = "solve",
     .latex = "\\nfun{{0}}{solve}({1}, {2})",
     .signature = "ab,a->b",
     .real = solve,
     .differentials = {"-solve_{a, b}(x, d .b y)", "solve_{a, b}(x, d)"},
     .transposes = {"", "solve_{b, a}(x, w)"}},
});

}  // namespace

std::string_view Primitive::letters(int k) const {
  const std::size_t arrow = signature.find("->");
  if (k == arity()) return signature.substr(arrow + 2);
  const std::size_t comma = std::min(signature.find(','), arrow);
  return k == 0 ? signature.substr(0, comma) : signature.substr(comma + 1, arrow - comma - 1);
}

std::span<const Primitive> primitives() { return table; }

const Primitive* find_primitive(std::string_view name) {
  const auto found = std::ranges::find(table, name, &Primitive::name);
  return found == table.end() ? nullptr : &*found;
}

}  // namespace axial
