// Matrix products of operands in any layout. Where an element lies is the sum of two entries of
// tables, so several axes, transposed operands and overlapping windows are all the same case, and
// nothing is copied into another order first.
#pragma once

#include <cstdint>
#include <vector>

#include "axial/kernels/team.hpp"
#include "axial/tensor/element.hpp"

namespace axial::kernels {

/// C_{b,i,j} = Σ_k A_{b,i,k} B_{b,k,j}. A_{b,i,k} lies at a_batch[b] + a_rows[i] + a_terms[k], B
/// likewise; C is dense in the order batch, rows, columns.
struct Product {
  ElementType element = float32;
  std::vector<std::int64_t> a_batch, a_rows, a_terms;
  std::vector<std::int64_t> b_batch, b_terms, b_columns;
  /// Whether rows of A and columns of B are copied together before they are multiplied.
  bool packs_rows = true, packs_columns = true;
  /// If there are any: the terms lie side by side in both operands in runs of so many terms, and are
  /// multiplied along them where they are.
  std::vector<std::int64_t> runs = {};
  /// Whether elements are split into parts, which some machines multiply quicker; float32 only.
  bool splits = false;
  /// Whether C_{b,i,j} = C_{b,j,i}, so that only one of both is computed.
  bool is_symmetric = false;

  std::int64_t batch() const { return std::ssize(a_batch); }
  std::int64_t rows() const { return std::ssize(a_rows); }
  std::int64_t terms() const { return std::ssize(a_terms); }
  std::int64_t columns() const { return std::ssize(b_columns); }
  /// Additions and multiplications.
  double operations() const;
};

/// Chooses what is copied together, or split, so that the product takes the least time; a symmetric one
/// is left so if that pays.
void choose_way(Product& product);

/// How many elements are passed elsewhere in the time that so many operations of products take, about;
/// and in the time of a product.
std::int64_t passed(double operations);
std::int64_t passed(const Product& product);

/// About how long the product takes on one thread, in additions and multiplications of a perfect
/// machine; A and B could change places, and the planner takes what is cheaper.
double cost(const Product& product);

/// Computes the product; float32 and float64 only.
void multiply(const Product& product, const void* a, const void* b, void* c, Team& team);

/// So many rows are computed at once.
std::int64_t rows_at_once(const Product& product);

/// How much memory the columns of B of one matrix take when they are copied together.
std::size_t packed_bytes(const Product& product);
/// Copies them, for multiply_rows.
void pack_columns(const Product& product, std::int64_t matrix, const void* b, void* packed);
/// Computes some rows of one matrix of the batch on this thread; the first of them goes to `c`.
void multiply_rows(const Product& product, std::int64_t matrix, Part rows, const void* a,
                   const void* packed, void* c);

}  // namespace axial::kernels
