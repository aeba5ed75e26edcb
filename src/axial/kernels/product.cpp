#include "axial/kernels/product.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "axial/kernels/neighbours.hpp"
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

// A block of rows of A stays in the second level of the cache, a block of panels of B in the third.
constexpr std::int64_t block_terms = most_terms;
constexpr std::int64_t block_columns = 2048;
constexpr std::int64_t block_rows = 96;
/// Columns that take at most so much stay in the second level beside a block of rows.
constexpr std::int64_t near_bytes = 256 << 10;

using Table = std::vector<std::int64_t>;

/// 0, step, 2·step, …: where the terms lie in what was copied together.
template <int step>
constexpr auto packed_terms = [] {
  std::array<std::int64_t, block_terms> terms{};
  for (std::int64_t k = 0; k < block_terms; ++k) terms[static_cast<std::size_t>(k)] = k * step;
  return terms;
}();

/// True if tiles can read columns of B where they are.
template <class T>
bool has_whole_panels(const Product& product) {
  constexpr std::int64_t wide = tile_columns<T>;
  if (product.columns() < wide) return false;
  for (std::int64_t first = 0; first + wide <= product.columns(); first += wide) {
    const auto panel = std::span(product.b_columns).subspan(static_cast<std::size_t>(first), wide);
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
  constexpr std::int64_t few = 2 * tile_rows<T>;
  product.packs_columns = (rows > few && !is_near<T>(product.b_columns, product.b_terms)) ||
                          !has_whole_panels<T>(product);
}

/// One thread's share of a product: some rows and some columns of one matrix of the batch.
template <class T>
class Share {
 public:
  Share(const Product& product, bool packs_columns, Part rows, Part columns)
      : product_(product),
        packs_columns_(packs_columns),
        rows_(rows),
        columns_(columns),
        panel_stride_(panel_stride(product.terms())),
        functions_(tile_functions<T>()) {}

  /// Computes the share of one matrix of the batch.
  void compute(const T* a, const T* b, T* c) {
    c += rows_.first * product_.columns();
    if (packs_columns_ && product_.terms() > block_terms && packed_bytes() <= near_bytes) {
      T* memory = scratch_of(packed_volume(product_));
      pack_all(b, memory);
      multiply_packed(a, memory, c);
      return;
    }
    const std::int64_t columns = std::min(block_columns, columns_.last - columns_.first);
    T* memory = scratch_of(packed_volume(columns, panel_stride_));
    for (std::int64_t column = columns_.first; column < columns_.last; column += block_columns) {
      const Part block{column, std::min(columns_.last, column + block_columns)};
      for (std::int64_t term = 0; term < product_.terms(); term += block_terms) {
        pack(b, block, term, memory);
        multiply_blocks(a, b, memory, rows_, block, term, c);
      }
    }
  }

  /// Copies all columns, block of terms after block of terms.
  void pack_all(const T* b, T* packed) {
    for (std::int64_t term = 0; term < product_.terms(); term += block_terms) {
      pack(b, columns_, term, packed + packed_block(term));
    }
  }

  /// Computes the rows from columns that pack_all copied.
  void compute_packed(const T* a, const T* packed, T* c) {
    scratch_of(0);
    multiply_packed(a, packed, c);
  }

  /// How many elements pack_all writes.
  static std::int64_t packed_volume(const Product& product) {
    const std::int64_t blocks = (product.terms() + block_terms - 1) / block_terms;
    return blocks * packed_volume(product.columns(), panel_stride(product.terms()));
  }

 private:
  static constexpr int tall = tile_rows<T>;
  static constexpr int wide = tile_columns<T>;
  static constexpr std::int64_t strip_stride = tall * block_terms + strip_margin<T>;

  /// How far apart panels of B lie in what was copied.
  static std::int64_t panel_stride(std::int64_t terms) {
    return wide * std::min(block_terms, terms) + strip_margin<T>;
  }
  static std::int64_t packed_volume(std::int64_t columns, std::int64_t stride) {
    return (columns + wide - 1) / wide * stride;
  }

  std::int64_t packed_bytes() const {
    return packed_volume(product_) * static_cast<std::int64_t>(sizeof(T));
  }

  /// Memory for so many elements of B, and for a block of rows of A.
  T* scratch_of(std::int64_t elements) {
    constexpr std::int64_t strips = (block_rows + tall - 1) / tall * strip_stride;
    T* memory = static_cast<T*>(scratch(sizeof(T) * static_cast<std::size_t>(elements + strips)));
    packed_a_ = memory + elements;
    return memory;
  }
  /// Where the block that begins with a term lies in what pack_all writes.
  std::int64_t packed_block(std::int64_t term) const {
    return term / block_terms * packed_volume(product_.columns(), panel_stride_);
  }

  /// True if a panel of that many columns is not copied.
  bool reads_in_place(std::int64_t columns) const { return !packs_columns_ && columns == wide; }

  /// Copies columns of B into panels, term after term; only those of the last one, if it lacks some and
  /// the others are read in place.
  void pack(const T* b, Part columns, std::int64_t term, T* packed) {
    const std::int64_t count = columns.last - columns.first;
    const std::int64_t first = packs_columns_ ? 0 : count / wide * wide;
    if (first == count) return;
    const std::int64_t terms = std::min(block_terms, product_.terms() - term);
    functions_.pack_columns({b, product_.b_columns.data() + columns.first + first, count - first,
                             product_.b_terms.data() + term, terms},
                            panel_stride_, packed + first / wide * panel_stride_);
  }

  /// All rows, a block at a time, from columns that pack_all copied: what a block has of C stays near
  /// while its terms are added up.
  void multiply_packed(const T* a, const T* packed, T* c) {
    for (std::int64_t row = rows_.first; row < rows_.last; row += block_rows) {
      const Part rows{row, std::min(rows_.last, row + block_rows)};
      for (std::int64_t term = 0; term < product_.terms(); term += block_terms) {
        multiply_blocks(a, nullptr, packed + packed_block(term), rows, columns_, term,
                        c + (row - rows_.first) * product_.columns());
      }
    }
  }

  /// Rows times a block of columns and terms; the first row goes to `c`.
  void multiply_blocks(const T* a, const T* b, const T* packed, Part some, Part columns,
                       std::int64_t term, T* c) {
    const std::int64_t terms = std::min(block_terms, product_.terms() - term);
    for (std::int64_t row = some.first; row < some.last; row += block_rows) {
      const std::int64_t rows = std::min(block_rows, some.last - row);
      if (product_.packs_rows) pack_rows(a, row, rows, term, terms);
      multiply_block(a, b, packed, row, rows, columns, term, terms,
                     c + (row - some.first) * product_.columns());
    }
  }

  /// Copies rows of A, those of a tile side by side.
  void pack_rows(const T* a, std::int64_t row, std::int64_t rows, std::int64_t term,
                 std::int64_t terms) {
    functions_.pack_rows(
        {a, product_.a_rows.data() + row, rows, product_.a_terms.data() + term, terms},
        strip_stride, packed_a_);
  }

  /// Where row `down + i` of a block begins, and where its terms lie from there.
  const T* strip_of(const T* a, std::int64_t row, std::int64_t down, std::int64_t i) const {
    return product_.packs_rows ? packed_a_ + down / tall * strip_stride + i
                               : a + product_.a_rows[static_cast<std::size_t>(row + down + i)];
  }
  const std::int64_t* terms_of_strip(std::int64_t term) const {
    return product_.packs_rows ? packed_terms<tall>.data() : product_.a_terms.data() + term;
  }

  void multiply_block(const T* a, const T* b, const T* packed, std::int64_t row, std::int64_t rows,
                      Part columns, std::int64_t term, std::int64_t terms, T* c) {
    for (std::int64_t right = columns.first; right < columns.last; right += wide) {
      const std::int64_t width = std::min<std::int64_t>(wide, columns.last - right);
      const bool in_place = reads_in_place(width);
      const T* panel = in_place ? b + product_.b_columns[static_cast<std::size_t>(right)]
                                : packed + (right - columns.first) / wide * panel_stride_;
      const std::int64_t* terms_of_panel =
          in_place ? product_.b_terms.data() + term : packed_terms<wide>.data();
      for (std::int64_t down = 0; down < rows; down += tall) {
        const std::int64_t height = std::min<std::int64_t>(tall, rows - down);
        const T* strips[tall];
        for (std::int64_t i = 0; i < height; ++i) strips[i] = strip_of(a, row, down, i);
        const Tile<T> tile{strips,
                           terms_of_strip(term),
                           panel,
                           terms_of_panel,
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
  bool packs_columns_;
  Part rows_, columns_;
  std::int64_t panel_stride_;
  const TileFunctions<T>& functions_;
  T* packed_a_ = nullptr;
};

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
      columns = part_of(product.columns(), number, parts, tile_columns<T>);
    if (!by_batch && !by_columns) rows = part_of(product.rows(), number, parts, tile_rows<T>);
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

double cost(const Product& product) {
  const std::int64_t wide = product.element == float64 ? tile_columns<double> : tile_columns<float>;
  const auto rounded = [](std::int64_t value, std::int64_t step) {
    return static_cast<double>((value + step - 1) / step * step);
  };
  const double columns = rounded(product.columns(), wide);
  const auto terms = static_cast<double>(product.terms());
  const auto rows = static_cast<double>(product.rows());
  // How many operations take as long as copying an element.
  const double packing =
      8 * ((product.packs_columns ? columns * terms : 0) + (product.packs_rows ? rows * terms : 0));
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
