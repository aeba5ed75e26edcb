// One thread's share of a matrix product: which rows, columns and terms are copied together when, so
// that tiles find them near.
#pragma once

#include <algorithm>
#include <array>
#include <optional>

#include "axial/kernels/blocks.hpp"
#include "axial/kernels/processor.hpp"
#include "axial/kernels/product.hpp"
#include "axial/kernels/product_ahead.hpp"
#include "axial/kernels/tile.hpp"

namespace axial::kernels {

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

/// True if panels of this width compute no more columns in vain than the narrowest would.
template <class T>
bool wastes_nothing(const PanelFunctions<T>& panels, std::int64_t columns) {
  return rounded_up(columns, panels.columns) == rounded_up(columns, narrowest_panel<T>);
}

/// The widest panels that are all of one width and waste nothing.
template <class T>
const PanelFunctions<T>& panels_for(std::int64_t columns) {
  return *std::ranges::find_if(tile_functions<T>().panels, [&](const PanelFunctions<T>& each) {
    return wastes_nothing(each, columns);
  });
}

/// Cuts columns into panels that are as wide as can be without wasting anything: calls
/// use(panels, part) for the columns of each width. Only the very last panel may lack columns.
template <class T, class Use>
void for_each_width(Part columns, const Use& use) {
  for (const PanelFunctions<T>& each : tile_functions<T>().panels) {
    const std::int64_t count = columns.last - columns.first;
    const std::int64_t taken =
        wastes_nothing(each, count) ? count : count / each.columns * each.columns;
    if (taken > 0) use(each, Part{columns.first, columns.first + taken});
    columns.first += taken;
  }
}

/// Some rows and some columns of the matrices of a batch.
template <class T>
class Share {
 public:
  using Element = T;
  using Packed = T;
  static constexpr std::int64_t grain_of_rows = tile_rows;
  /// Few columns are cut evenly rather than into the widest panels, unless these are read in place.
  static std::int64_t grain_of_columns(const Product& product, int parts) {
    const std::int64_t wide = tile_functions<T>().panels.front().columns;
    const bool are_few = product.columns() < 4 * wide * parts;
    return are_few && product.packs_columns ? narrowest_panel<T> : wide;
  }

  Share(const Product& product, Part rows, Part columns)
      : product_(product),
        packs_columns_(product.packs_columns),
        rows_(rows),
        columns_(columns),
        lies_across_(product.terms() > 1 &&
                     product.a_terms[1] - product.a_terms[0] >= strip_margin<T>),
        terms_at_once_(terms_at_once(product)),
        looks_ahead_(looks_ahead(product)) {}

  /// Computes the share of one matrix of the batch, and fetches what the `next` one begins with.
  void compute(const T* a, const T* b, T* c, const Operands<T>& next = {}) {
    c += rows_.first * product_.columns();
    if (product_.terms() > terms_at_once_ && packed_bytes() <= most_near) {
      T* memory = scratch_of(packed_volume(product_));
      pack_blocks(b, memory);
      multiply_row_blocks(a, b, memory, c);
      return;
    }
    const std::int64_t columns = std::min(block_columns, columns_.last - columns_.first);
    T* memory = scratch_of(packed_place(product_, columns));
    for (std::int64_t column = columns_.first; column < columns_.last; column += block_columns) {
      const Part block = block_of_columns(column);
      for (std::int64_t term = 0; term < product_.terms(); term += terms_at_once_) {
        pack(b, block, term, memory);
        if (looks_ahead_) look_ahead({a, b}, next, block, term);
        multiply_blocks(a, b, memory, rows_, block, term, c);
      }
    }
  }

  /// The same for elements up to the diagonal of the matrix; what lies beyond it is arbitrary.
  void compute_half(const T* a, const T* b, T* c) {
    only_half_ = true;
    looks_ahead_ = false;
    compute(a, b, c);
  }

  /// Copies all columns.
  void pack_all(const T* b, T* packed) {
    packs_columns_ = true;
    pack_blocks(b, packed);
  }

  /// Computes the rows from columns that pack_all copied.
  void compute_packed(const T* a, const T* packed, T* c) {
    packs_columns_ = true;
    scratch_of(0);
    multiply_row_blocks(a, nullptr, packed, c);
  }

  /// How many elements pack_all writes.
  static std::int64_t packed_volume(const Product& product) {
    const std::int64_t each = terms_at_once(product);
    return count_of_blocks(product.terms(), each) * packed_place(product, product.columns());
  }

 private:
  // A block of rows of A stays in the second level of the cache, a block of panels of B in the third.
  static constexpr std::int64_t block_columns = 2048;
  static constexpr std::int64_t block_rows = 192;
  /// Columns that take at most so much stay in the second level beside a block of rows.
  static constexpr std::int64_t most_near = 256 << 10;
  static constexpr std::int64_t strip_stride = tile_rows * most_terms + strip_margin<T>;
  /// Where the rows of a block begin in what was copied together.
  static constexpr auto packed_rows = [] {
    std::array<std::int64_t, block_rows> rows{};
    for (std::int64_t i = 0; i < block_rows; ++i) {
      rows[static_cast<std::size_t>(i)] = i / tile_rows * strip_stride + i % tile_rows;
    }
    return rows;
  }();

  static std::int64_t terms_at_once(const Product& product) {
    constexpr std::int64_t step = 16;
    return equal_blocks(product.terms(), tile_functions<T>().worth_copying.terms, step);
  }
  /// How much memory so many columns take in what was copied, so where the panel behind them begins.
  static std::int64_t packed_place(const Product& product, std::int64_t columns) {
    constexpr std::int64_t wide = narrowest_panel<T>;
    return count_of_blocks(columns, wide) * (wide * terms_at_once(product) + strip_margin<T>);
  }
  /// What the second level of the cache does not hold must come from further away.
  static bool looks_ahead(const Product& product) {
    const std::int64_t elements =
        product.batch() * product.terms() * (product.rows() + product.columns());
    return product.packs_columns &&
           elements * static_cast<std::int64_t>(sizeof(T)) > 2 * near_bytes();
  }
  std::int64_t packed_bytes() const {
    return packed_volume(product_) * static_cast<std::int64_t>(sizeof(T));
  }

  /// Memory for so many elements of B, and for a block of rows of A.
  T* scratch_of(std::int64_t elements) {
    constexpr std::int64_t strips = count_of_blocks(block_rows, tile_rows) * strip_stride;
    T* memory = static_cast<T*>(scratch(sizeof(T) * static_cast<std::size_t>(elements + strips)));
    packed_a_ = memory + elements;
    return memory;
  }
  /// Where the block that begins with a term lies in what pack_all writes.
  std::int64_t packed_block(std::int64_t term) const {
    return term / terms_at_once_ * packed_place(product_, product_.columns());
  }

  /// The block of columns that begins with this one.
  Part block_of_columns(std::int64_t column) const {
    return {column, std::min(columns_.last, column + block_columns)};
  }

  /// The terms of the block that begins with this one.
  Part block_of_terms(std::int64_t term) const {
    return {term, std::min(product_.terms(), term + terms_at_once_)};
  }

  /// What there is to fetch of a block of columns and terms, and of its rows.
  struct Copied {
    Stretch rows, columns;
  };
  Copied copied(Part columns, Part terms) const {
    const auto some = [](const std::vector<std::int64_t>& table, Part part) {
      return std::span(table).subspan(static_cast<std::size_t>(part.first),
                                      static_cast<std::size_t>(part.last - part.first));
    };
    return {stretch(some(product_.a_rows, rows_), some(product_.a_terms, terms)),
            stretch(some(product_.b_columns, columns), some(product_.b_terms, terms))};
  }

  /// How many turns the tiles have in a block of columns and terms.
  std::int64_t turns(Part columns, Part terms) const {
    std::int64_t panels = 0;
    for_each_width<T>(columns, [&](const PanelFunctions<T>& each, Part some) {
      panels += count_of_blocks(some.last - some.first, each.columns);
    });
    return panels * Fetching<T>::turns(rows_.last - rows_.first, terms.last - terms.first);
  }

  /// Lets the tiles of a block fetch what is copied after it: the next block of terms, or that with which
  /// the next matrix begins, the rows of which nobody has seen.
  void look_ahead(const Operands<T>& here, const Operands<T>& next, Part block, std::int64_t term) {
    fetching_ = {};
    const Part terms = block_of_terms(term);
    if (terms.last < product_.terms()) {
      Copied following = copied(block, block_of_terms(terms.last));
      if (!product_.packs_rows) following.rows = {};
      fetching_ = {here.a, following.rows, here.b, following.columns, turns(block, terms)};
    } else if (block.last == columns_.last && next.b != nullptr) {
      if (!beginning_) beginning_ = copied(block_of_columns(columns_.first), block_of_terms(0));
      fetching_ = {next.a, beginning_->rows, next.b, beginning_->columns, turns(block, terms)};
    }
  }

  /// Copies what must be copied of all columns, block of terms after block of terms.
  void pack_blocks(const T* b, T* packed) {
    for (std::int64_t term = 0; term < product_.terms(); term += terms_at_once_) {
      pack(b, columns_, term, packed + packed_block(term));
    }
  }

  /// Copies columns of B into panels, term after term; only those of the last one, if it lacks some and
  /// the others are read in place.
  void pack(const T* b, Part columns, std::int64_t term, T* packed) {
    const std::int64_t terms = std::min(terms_at_once_, product_.terms() - term);
    for_each_width<T>(columns, [&](const PanelFunctions<T>& panels, Part some) {
      const std::int64_t count = some.last - some.first;
      const std::int64_t first = packs_columns_ ? 0 : count / panels.columns * panels.columns;
      if (first == count) return;
      panels.pack({b, product_.b_columns.data() + some.first + first, count - first,
                   product_.b_terms.data() + term, terms},
                  packed_place(product_, panels.columns),
                  packed + packed_place(product_, some.first + first - columns.first));
    });
  }

  /// All rows, a block at a time, after pack_all: what a block has of C stays near while its terms are
  /// added up.
  void multiply_row_blocks(const T* a, const T* b, const T* packed, T* c) {
    for (std::int64_t row = rows_.first; row < rows_.last; row += block_rows) {
      const Part rows{row, std::min(rows_.last, row + block_rows)};
      for (std::int64_t term = 0; term < product_.terms(); term += terms_at_once_) {
        multiply_blocks(a, b, packed + packed_block(term), rows, columns_, term,
                        c + (row - rows_.first) * product_.columns());
      }
    }
  }

  /// Rows times a block of columns and terms; the first row goes to `c`.
  void multiply_blocks(const T* a, const T* b, const T* packed, Part some, Part columns,
                       std::int64_t term, T* c) {
    const std::int64_t* terms = product_.a_terms.data() + term;
    Panel<T> panel{.a = a,
                   .a_terms = terms,
                   .terms = std::min(terms_at_once_, product_.terms() - term),
                   .c_stride = product_.columns(),
                   .adds = term > 0,
                   .across = lies_across_ && !product_.packs_rows,
                   .in_place = !packs_columns_};
    for (std::int64_t row = some.first; row < some.last; row += block_rows) {
      panel.rows = std::min(block_rows, some.last - row);
      panel.a_rows = product_.a_rows.data() + row;
      if (product_.packs_rows) {
        tile_functions<T>().pack_rows({a, panel.a_rows, panel.rows, terms, panel.terms},
                                      strip_stride, packed_a_);
        panel.a = packed_a_;
        panel.a_rows = packed_rows.data();
        panel.a_terms = packed_terms<tile_rows>.data();
      }
      multiply_block(panel, row, b, packed, columns, term,
                     c + (row - some.first) * product_.columns());
    }
  }

  /// Rows, of which `row` is the first, times columns, panel by panel.
  void multiply_block(const Panel<T>& rows, std::int64_t row, const T* b, const T* packed,
                      Part columns, std::int64_t term, T* c) {
    for_each_width<T>(columns, [&](const PanelFunctions<T>& panels, Part some) {
      for (std::int64_t right = some.first; right < some.last; right += panels.columns) {
        const bool is_whole = right + panels.columns <= some.last;
        // Tiles that lie beyond the diagonal as a whole are left out.
        const std::int64_t beyond =
            only_half_ ? std::max<std::int64_t>(0, (right - row) / tile_rows * tile_rows) : 0;
        if (beyond >= rows.rows) break;
        Panel<T> panel = rows;
        panel.a_rows += beyond;
        panel.rows -= beyond;
        panel.c = c + beyond * panel.c_stride + right;
        panel.ahead = fetching_.share(Fetching<T>::turns(panel.rows, panel.terms));
        if (!packs_columns_ && is_whole) {
          panel.b = b + product_.b_columns[static_cast<std::size_t>(right)];
          panel.b_terms = product_.b_terms.data() + term;
        } else {
          panel.b = packed + packed_place(product_, right - columns.first);
          panel.b_terms = panels.packed_terms;
        }
        if (is_whole) {
          panels.multiply(panel);
        } else {
          multiply_edge(panels, panel, some.last - right);
        }
      }
    });
  }

  /// A panel that reaches beyond the last column is computed aside.
  static void multiply_edge(const PanelFunctions<T>& panels, Panel<T> panel, std::int64_t width) {
    T aside[block_rows * widest_panel<T>];
    T* c = panel.c;
    const std::int64_t stride = panel.c_stride;
    const bool adds = panel.adds;
    panel.c = aside;
    panel.c_stride = panels.columns;
    panel.adds = false;
    panels.multiply(panel);
    for (std::int64_t i = 0; i < panel.rows; ++i) {
      for (std::int64_t j = 0; j < width; ++j) {
        T& place = c[i * stride + j];
        const T sum = aside[i * panel.c_stride + j];
        place = adds ? place + sum : sum;
      }
    }
  }

  const Product& product_;
  bool packs_columns_;
  bool only_half_ = false;
  Part rows_, columns_;
  /// True if terms of a row of A lie in different lines of the cache, as its first two do.
  bool lies_across_;
  std::int64_t terms_at_once_;
  bool looks_ahead_;
  /// With what a matrix begins, once that was asked for.
  std::optional<Copied> beginning_;
  Fetching<T> fetching_;
  T* packed_a_ = nullptr;
};

}  // namespace axial::kernels
