// One thread's share of a matrix product whose elements are split: which rows, columns and terms are
// split when, so that they are found near.
#pragma once

#include <algorithm>

#include "axial/kernels/blocks.hpp"
#include "axial/kernels/processor.hpp"
#include "axial/kernels/product.hpp"
#include "axial/kernels/product_ahead.hpp"
#include "axial/kernels/split.hpp"

namespace axial::kernels {

/// Some rows and some columns of the matrices of a batch.
class SplitShare {
 public:
  using Element = float;
  using Packed = Pair;
  static constexpr std::int64_t grain_of_rows = split_lines;
  static std::int64_t grain_of_columns(const Product&, int) { return split_lines; }

  SplitShare(const Product& product, Part rows, Part columns)
      : product_(product),
        functions_(*split_functions()),
        rows_(rows),
        columns_(columns),
        terms_at_once_(terms_at_once(product)) {
    functions_.begin();
  }
  ~SplitShare() { functions_.end(); }
  SplitShare(const SplitShare&) = delete;
  SplitShare& operator=(const SplitShare&) = delete;

  /// Computes the share of one matrix of the batch.
  void compute(const float* a, const float* b, float* c, const Operands<float>& = {}) {
    c += rows_.first * product_.columns();
    const std::int64_t columns = std::min(columns_at_once(product_),
                                          rounded_up(columns_.last - columns_.first, split_lines));
    Pair* memory = scratch_of(strips(columns) * split_strip(terms_at_once_));
    for (std::int64_t column = columns_.first; column < columns_.last; column += columns) {
      const Part block{column, std::min(columns_.last, column + columns)};
      for (std::int64_t term = 0; term < product_.terms(); term += terms_at_once_) {
        split_columns(b, block, term, memory);
        multiply(a, memory, block, term, c);
      }
    }
  }

  /// Splits all columns, block of terms after block of terms.
  void pack_all(const float* b, Pair* packed) {
    for (std::int64_t term = 0; term < product_.terms(); term += terms_at_once_) {
      split_columns(b, columns_, term, packed + packed_block(term));
    }
  }

  /// Computes the rows from columns that pack_all split.
  void compute_packed(const float* a, const Pair* packed, float* c) {
    scratch_of(0);
    const std::int64_t columns = columns_at_once(product_);
    for (std::int64_t column = columns_.first; column < columns_.last; column += columns) {
      const Part block{column, std::min(columns_.last, column + columns)};
      for (std::int64_t term = 0; term < product_.terms(); term += terms_at_once_) {
        const std::int64_t strip = split_strip(terms_from(term));
        multiply(a, packed + packed_block(term) + strips(column) * strip, block, term, c);
      }
    }
  }

  /// How often rows are split, since more columns than this do not stay near.
  static std::int64_t count_of_passes(const Product& product) {
    return count_of_blocks(product.columns(), columns_at_once(product));
  }

  /// How many pairs pack_all writes.
  static std::int64_t packed_volume(const Product& product) {
    const std::int64_t each = terms_at_once(product);
    return count_of_blocks(product.terms(), each) * strips(product.columns()) * split_strip(each);
  }

 private:
  /// So many rows are split together.
  static constexpr std::int64_t block_rows = 4 * split_lines;

  static std::int64_t terms_at_once(const Product& product) {
    return equal_blocks(product.terms(), most_split_terms, split_terms);
  }
  static std::int64_t strips(std::int64_t lines) { return count_of_blocks(lines, split_lines); }

  /// So many columns that they stay in the second level of the cache.
  static std::int64_t columns_at_once(const Product& product) {
    const std::int64_t near = near_bytes();
    const std::int64_t strip =
        split_strip(terms_at_once(product)) * static_cast<std::int64_t>(sizeof(Pair));
    return std::max<std::int64_t>(1, near / strip) * split_lines;
  }

  std::int64_t terms_from(std::int64_t term) const {
    return std::min(terms_at_once_, product_.terms() - term);
  }
  /// Where the block that begins with a term lies in what pack_all writes.
  std::int64_t packed_block(std::int64_t term) const {
    return term / terms_at_once_ * strips(product_.columns()) * split_strip(terms_at_once_);
  }

  /// Memory for so many pairs of B, and for a block of rows of A.
  Pair* scratch_of(std::int64_t pairs) {
    const std::int64_t block = strips(block_rows) * split_strip(terms_at_once_);
    Pair* memory =
        static_cast<Pair*>(scratch(sizeof(Pair) * static_cast<std::size_t>(pairs + block)));
    split_a_ = memory + pairs;
    return memory;
  }

  void split_columns(const float* b, Part columns, std::int64_t term, Pair* strips) const {
    functions_.split_columns(
        {b, product_.b_columns.data() + columns.first, columns.last - columns.first,
         product_.b_terms.data() + term, terms_from(term)},
        strips);
  }

  /// All rows times a block of columns and terms; the first row goes to `c`.
  void multiply(const float* a, const Pair* b, Part columns, std::int64_t term, float* c) const {
    SplitPanel panel{.b = b,
                     .columns = columns.last - columns.first,
                     .terms = terms_from(term),
                     .c = c + columns.first,
                     .c_stride = product_.columns(),
                     .adds = term > 0};
    for (std::int64_t block = rows_.first; block < rows_.last; block += block_rows) {
      const std::int64_t rows = std::min(block_rows, rows_.last - block);
      functions_.split_rows(
          {a, product_.a_rows.data() + block, rows, product_.a_terms.data() + term, panel.terms},
          split_a_);
      for (std::int64_t row = 0; row < rows; row += split_lines) {
        panel.a = split_a_ + strips(row) * split_strip(panel.terms);
        panel.rows = std::min(split_lines, rows - row);
        functions_.multiply(panel);
        panel.c += panel.rows * panel.c_stride;
      }
    }
  }

  const Product& product_;
  const SplitFunctions& functions_;
  Part rows_, columns_;
  std::int64_t terms_at_once_;
  Pair* split_a_ = nullptr;
};

}  // namespace axial::kernels
