// One thread's share of a matrix product of few rows and columns, along the terms.
#pragma once

#include <algorithm>
#include <numeric>

#include "axial/kernels/product.hpp"
#include "axial/kernels/tile.hpp"

namespace axial::kernels {

/// Computes some rows and columns of one matrix of the batch, of a product whose terms come in runs.
template <class T>
void multiply_along_terms(const Product& product, Part rows, Part columns, const T* a, const T* b,
                          T* c) {
  const DotFunctions<T>& functions = tile_functions<T>().dots;
  Dots<T> dots{.a_rows = product.a_rows.data() + rows.first,
               .rows = rows.last - rows.first,
               .b_columns = product.b_columns.data() + columns.first,
               .columns = columns.last - columns.first};
  const std::int64_t count = dots.rows * dots.columns * functions.lanes;
  dots.sums = static_cast<T*>(scratch(sizeof(T) * static_cast<std::size_t>(count)));
  std::fill_n(dots.sums, count, T{0});
  std::size_t term = 0;
  for (const std::int64_t run : product.runs) {
    dots.a = a + product.a_terms[term];
    dots.b = b + product.b_terms[term];
    dots.terms = run;
    functions.add(dots);
    term += static_cast<std::size_t>(run);
  }
  const T* sums = dots.sums;
  for (std::int64_t i = rows.first; i < rows.last; ++i) {
    for (std::int64_t j = columns.first; j < columns.last; ++j, sums += functions.lanes) {
      c[i * product.columns() + j] = std::accumulate(sums, sums + functions.lanes, T{0});
    }
  }
}

}  // namespace axial::kernels
