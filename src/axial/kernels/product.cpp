#include "axial/kernels/product.hpp"

#include <algorithm>
#include <array>

#include "axial/kernels/tile.hpp"

namespace axial::kernels {

namespace {

bool has_avx2() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
  return false;
#endif
}

}  // namespace

template <>
const TileFunctions<float>& tile_functions() {
  return has_avx2() ? avx2_float_tiles() : plain_float_tiles();
}
template <>
const TileFunctions<double>& tile_functions() {
  return has_avx2() ? avx2_double_tiles() : plain_double_tiles();
}

namespace {

// A panel of B (terms × columns of a tile) stays in the first level of the cache while rows of A
// pass by; a block of rows of A stays in the second, a block of panels of B in the third.
constexpr std::int64_t block_terms = 256;
constexpr std::int64_t block_columns = 2048;
constexpr std::int64_t block_rows = 96;
/// How far apart rows are that were copied together: not a power of two, since they would compete for
/// the same lines of the cache.
constexpr std::int64_t packed_stride = block_terms + 16;

using Table = std::vector<std::int64_t>;

/// 0, step, 2·step, …: where the terms lie in what was copied together.
template <int step>
constexpr auto packed_terms = [] {
  std::array<std::int64_t, block_terms> terms{};
  for (std::int64_t k = 0; k < block_terms; ++k) terms[static_cast<std::size_t>(k)] = k * step;
  return terms;
}();

/// True if entries first … first + count - 1 follow one another in memory.
bool is_contiguous(const Table& table, std::int64_t first, std::int64_t count) {
  for (std::int64_t k = first + 1; k < first + count; ++k) {
    if (table[static_cast<std::size_t>(k)] != table[static_cast<std::size_t>(k - 1)] + 1) {
      return false;
    }
  }
  return true;
}

/// True if rows of A are better copied together first: where terms lie far apart, and where so many
/// columns follow that the copy costs nothing and keeps rows from competing for lines of the cache.
bool should_pack_rows(const Product& product) {
  const Table& terms = product.a_terms;
  if (terms.size() < 32 || product.columns() < 32) return false;
  if (terms.size() >= 128 && product.columns() >= 128) return true;
  std::int64_t far = 0;
  for (std::size_t k = 1; k < terms.size(); ++k) {
    if (std::abs(terms[k] - terms[k - 1]) >= 16) ++far;
  }
  return far * 2 > std::ssize(terms);
}

/// One thread's share of a product: some rows and some columns of one matrix of the batch.
template <class T>
class Share {
 public:
  Share(const Product& product, bool packs_rows, Part rows, Part columns)
      : product_(product),
        packs_rows_(packs_rows),
        rows_(rows),
        columns_(columns),
        depth_(std::min(block_terms, product.terms())),
        functions_(tile_functions<T>()) {}

  /// Computes the share of one matrix of the batch.
  void compute(const T* a, const T* b, T* c) {
    const std::int64_t columns = std::min(block_columns, columns_.last - columns_.first);
    T* memory = static_cast<T*>(
        scratch(sizeof(T) * static_cast<std::size_t>(packed_volume(columns, depth_) +
                                                     block_rows * packed_stride)));
    packed_a_ = memory + packed_volume(columns, depth_);
    for (std::int64_t column = columns_.first; column < columns_.last; column += block_columns) {
      const Part block{column, std::min(columns_.last, column + block_columns)};
      for (std::int64_t term = 0; term < product_.terms(); term += block_terms) {
        pack(b, block, term, memory);
        multiply_blocks(a, memory, block, term, c + rows_.first * product_.columns());
      }
    }
  }

  /// Copies all columns, block of terms after block of terms.
  void pack_all(const T* b, T* packed) {
    for (std::int64_t term = 0; term < product_.terms(); term += block_terms) {
      pack(b, columns_, term, packed + packed_volume(product_.columns(), term));
    }
  }

  /// Computes the rows from columns that pack_all copied.
  void compute_packed(const T* a, const T* packed, T* c) {
    packed_a_ =
        static_cast<T*>(scratch(sizeof(T) * static_cast<std::size_t>(block_rows * packed_stride)));
    for (std::int64_t term = 0; term < product_.terms(); term += block_terms) {
      multiply_blocks(a, packed + packed_volume(product_.columns(), term), columns_, term, c);
    }
  }

  /// How many elements that many columns take, padded to whole panels, for that many terms.
  static std::int64_t packed_volume(std::int64_t columns, std::int64_t terms) {
    return (columns + wide - 1) / wide * wide * terms;
  }

 private:
  static constexpr int tall = tile_rows<T>;
  static constexpr int wide = tile_columns<T>;
  /// So many neighbours tell whether terms lie together.
  static constexpr std::int64_t few_terms = 4;

  /// Copies columns of B into panels, term after term; missing columns of the last one are 0.
  void pack(const T* b, Part columns, std::int64_t term, T* packed) {
    const std::int64_t terms = std::min(block_terms, product_.terms() - term);
    const std::int64_t* lines = product_.b_terms.data() + term;
    for (std::int64_t first = columns.first; first < columns.last; first += wide) {
      T* panel = packed + (first - columns.first) * depth_;
      const std::int64_t count = std::min<std::int64_t>(wide, columns.last - first);
      const std::int64_t* places = product_.b_columns.data() + first;
      if (count == wide && is_contiguous(product_.b_columns, first, wide)) {
        const T* from = b + places[0];
        for (std::int64_t k = 0; k < terms; ++k) {
          std::copy_n(from + lines[k], wide, panel + k * wide);
        }
        continue;
      }
      // The inner loop goes along what lies together.
      if (is_contiguous(product_.b_terms, term, std::min<std::int64_t>(terms, few_terms))) {
        for (std::int64_t j = 0; j < count; ++j) {
          const T* from = b + places[j];
          for (std::int64_t k = 0; k < terms; ++k) panel[k * wide + j] = from[lines[k]];
        }
      } else {
        for (std::int64_t k = 0; k < terms; ++k) {
          const T* from = b + lines[k];
          for (std::int64_t j = 0; j < count; ++j) panel[k * wide + j] = from[places[j]];
        }
      }
      for (std::int64_t j = count; j < wide; ++j) {
        for (std::int64_t k = 0; k < terms; ++k) panel[k * wide + j] = T{0};
      }
    }
  }

  /// All rows times a block of columns and terms; the first row goes to `c`.
  void multiply_blocks(const T* a, const T* packed, Part columns, std::int64_t term, T* c) {
    const std::int64_t terms = std::min(block_terms, product_.terms() - term);
    for (std::int64_t row = rows_.first; row < rows_.last; row += block_rows) {
      const std::int64_t rows = std::min(block_rows, rows_.last - row);
      if (packs_rows_) pack_rows(a, row, rows, term, terms);
      multiply_block(a, packed, row, rows, columns, term, terms,
                     c + (row - rows_.first) * product_.columns());
    }
  }

  /// Copies rows of A: the terms of each row side by side, or those of six rows if rows are
  /// neighbours in memory.
  void pack_rows(const T* a, std::int64_t row, std::int64_t rows, std::int64_t term,
                 std::int64_t terms) {
    const std::int64_t* lines = product_.a_terms.data() + term;
    const std::int64_t* places = product_.a_rows.data() + row;
    packs_side_by_side_ = !is_contiguous(product_.a_terms, term, terms);
    if (!packs_side_by_side_) {
      for (std::int64_t i = 0; i < rows; ++i) {
        std::copy_n(a + places[i] + lines[0], terms, packed_a_ + i * packed_stride);
      }
      return;
    }
    for (std::int64_t first = 0; first < rows; first += tall) {
      T* strip = packed_a_ + first * packed_stride;
      const std::int64_t count = std::min<std::int64_t>(tall, rows - first);
      if (count == tall && is_contiguous(product_.a_rows, row + first, tall)) {
        const T* from = a + places[first];
        for (std::int64_t k = 0; k < terms; ++k)
          std::copy_n(from + lines[k], tall, strip + k * tall);
        continue;
      }
      for (std::int64_t k = 0; k < terms; ++k) {
        const T* from = a + lines[k];
        for (std::int64_t i = 0; i < count; ++i) strip[k * tall + i] = from[places[first + i]];
      }
    }
  }

  /// Where row `down + i` of a block begins, and where its terms lie from there.
  const T* strip_of(const T* a, std::int64_t row, std::int64_t down, std::int64_t i) const {
    if (!packs_rows_) return a + product_.a_rows[static_cast<std::size_t>(row + down + i)];
    return packs_side_by_side_ ? packed_a_ + down * packed_stride + i
                               : packed_a_ + (down + i) * packed_stride;
  }
  const std::int64_t* terms_of_strip(std::int64_t term) const {
    if (!packs_rows_) return product_.a_terms.data() + term;
    return packs_side_by_side_ ? packed_terms<tall>.data() : packed_terms<1>.data();
  }

  void multiply_block(const T* a, const T* packed, std::int64_t row, std::int64_t rows,
                      Part columns, std::int64_t term, std::int64_t terms, T* c) {
    for (std::int64_t right = columns.first; right < columns.last; right += wide) {
      const T* panel = packed + (right - columns.first) * depth_;
      const std::int64_t width = std::min<std::int64_t>(wide, columns.last - right);
      for (std::int64_t down = 0; down < rows; down += tall) {
        const std::int64_t height = std::min<std::int64_t>(tall, rows - down);
        const T* strips[tall];
        for (std::int64_t i = 0; i < height; ++i) strips[i] = strip_of(a, row, down, i);
        const Tile<T> tile{strips,
                           terms_of_strip(term),
                           panel,
                           packed_terms<wide>.data(),
                           terms,
                           c + down * product_.columns() + right,
                           product_.columns(),
                           term > 0};
        if (width == wide) {
          functions_.of_rows[height - 1](tile);
        } else {
          multiply_edge(tile, height, width);
        }
      }
    }
  }

  /// A tile that reaches beyond the last column is computed aside.
  void multiply_edge(Tile<T> tile, std::int64_t height, std::int64_t width) {
    T aside[tall * wide];
    T* c = tile.c;
    const std::int64_t stride = tile.c_stride;
    const bool adds = tile.adds;
    tile.c = aside;
    tile.c_stride = wide;
    tile.adds = false;
    functions_.of_rows[height - 1](tile);
    for (std::int64_t i = 0; i < height; ++i) {
      for (std::int64_t j = 0; j < width; ++j) {
        T& place = c[i * stride + j];
        place = adds ? place + aside[i * wide + j] : aside[i * wide + j];
      }
    }
  }

  const Product& product_;
  bool packs_rows_;
  Part rows_, columns_;
  /// How many terms are copied together at most: panels lie that far apart.
  std::int64_t depth_;
  const TileFunctions<T>& functions_;
  T* packed_a_ = nullptr;
  /// Whether the copy has the terms of six rows side by side.
  bool packs_side_by_side_ = false;
};

/// Cuts a product among the threads: whole matrices of the batch, else columns or rows.
template <class T>
void multiply_as(const Product& product, const T* a, const T* b, T* c, Team& team) {
  const std::int64_t size = product.rows() * product.columns();
  constexpr double alone = 1e5;
  const int parts = product.operations() < alone ? 1 : team.size();
  const bool packs_rows = should_pack_rows(product);
  const bool by_batch = product.batch() >= parts;
  const bool by_columns = !by_batch && product.columns() >= product.rows();
  const auto share = [&](int number) {
    const Part all{0, product.batch()};
    const Part batch = by_batch ? part_of(product.batch(), number, parts) : all;
    Part rows{0, product.rows()};
    Part columns{0, product.columns()};
    if (!by_batch && by_columns)
      columns = part_of(product.columns(), number, parts, tile_columns<T>);
    if (!by_batch && !by_columns) rows = part_of(product.rows(), number, parts, tile_rows<T>);
    Share<T> own(product, packs_rows, rows, columns);
    for (std::int64_t k = batch.first; k < batch.last; ++k) {
      const auto matrix = static_cast<std::size_t>(k);
      own.compute(a + product.a_batch[matrix], b + product.b_batch[matrix], c + k * size);
    }
  };
  if (parts == 1) {
    share(0);
  } else {
    team.run(share);
  }
}

}  // namespace

double Product::operations() const {
  return 2.0 * static_cast<double>(batch() * rows()) * static_cast<double>(columns() * terms());
}

double cost(const Product& product) {
  const std::int64_t wide = product.element == float64 ? tile_columns<double> : tile_columns<float>;
  const auto rounded = [](std::int64_t value, std::int64_t step) {
    return static_cast<double>((value + step - 1) / step * step);
  };
  const double columns = rounded(product.columns(), wide);
  const auto terms = static_cast<double>(product.terms());
  const auto rows = static_cast<double>(product.rows());
  // How many operations take as long as copying an element: few where whole panels lie together.
  const bool in_panels = product.columns() >= wide && is_contiguous(product.b_columns, 0, wide);
  const double packing =
      (in_panels ? 8 : 40) * columns * terms + (should_pack_rows(product) ? 6 * rows * terms : 0);
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

std::size_t packed_bytes(const Product& product) {
  std::int64_t bytes = 0;
  with_element(product.element, [&]<class T>(T*) {
    const std::int64_t terms = (product.terms() + block_terms - 1) / block_terms * block_terms;
    bytes =
        Share<T>::packed_volume(product.columns(), terms) * static_cast<std::int64_t>(sizeof(T));
  });
  return static_cast<std::size_t>(bytes);
}

void pack_columns(const Product& product, std::int64_t matrix, const void* b, void* packed) {
  with_element(product.element, [&]<class T>(T*) {
    const T* from = static_cast<const T*>(b) + product.b_batch[static_cast<std::size_t>(matrix)];
    Share<T>(product, false, {0, 0}, {0, product.columns()})
        .pack_all(from, static_cast<T*>(packed));
  });
}

void multiply_rows(const Product& product, std::int64_t matrix, Part rows, const void* a,
                   const void* packed, void* c) {
  with_element(product.element, [&]<class T>(T*) {
    const T* from = static_cast<const T*>(a) + product.a_batch[static_cast<std::size_t>(matrix)];
    Share<T>(product, should_pack_rows(product), rows, {0, product.columns()})
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
