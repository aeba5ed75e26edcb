// Copying rows or columns together for tiles. Like the code of tiles it is compiled more than once,
// so everything here is private to the file that includes it.
#pragma once

#include <algorithm>
#include <cstring>
#include <utility>

#include "axial/kernels/tile.hpp"

namespace axial::kernels {
namespace {

/// What fits in a register, and what squares of few lines are turned in.
#ifdef __AVX512F__
constexpr int widest_vector = 64;
#else
constexpr int widest_vector = 32;
#endif
constexpr int short_vector = 32;

template <class T, int bytes>
struct Vectors {
  typedef T Vector __attribute__((vector_size(bytes)));
  /// The same at any address.
  typedef T Loose __attribute__((vector_size(bytes), aligned(sizeof(T)), may_alias));
  static constexpr int lanes = bytes / static_cast<int>(sizeof(T));
  /// How many lanes lie in the groups of 16 bytes in which machines move them easily.
  static constexpr int group = 16 / static_cast<int>(sizeof(T));
};

/// How many of the entries from the first on follow one another.
inline std::int64_t neighbours(const std::int64_t* entries, std::int64_t count) {
  std::int64_t number = 1;
  while (number < count && entries[number] == entries[number - 1] + 1) ++number;
  return number;
}

/// Lane l of the result becomes lane Choice::of(l) of two vectors, one behind the other.
template <class Choice, class Vector, int... lane>
void choose(Vector& result, const Vector& a, const Vector& b, std::integer_sequence<int, lane...>) {
  result = __builtin_shufflevector(a, b, Choice::of(lane)...);
}

/// Runs of `run` lanes by turns from a and b, from the lower or the upper half of each group.
template <int lanes, int group, int run, bool upper>
struct Interleaved {
  static constexpr int of(int lane) {
    const int place = lane % group, number = place / run;
    return lane - place + (upper ? group / 2 : 0) + number / 2 * run + place % run +
           number % 2 * lanes;
  }
};
/// Every second group of a, then of b.
template <int lanes, int group, bool odd>
struct EverySecondGroup {
  static constexpr int of(int lane) {
    return (2 * (lane / group) + (odd ? 1 : 0)) * group + lane % group;
  }
};

/// As many vectors as each has lanes.
template <class T, int bytes>
using SquareOf = typename Vectors<T, bytes>::Vector[Vectors<T, bytes>::lanes];

/// Rows become columns. The choices of lanes are those that machines have instructions for.
template <class T, int bytes>
inline void transpose(SquareOf<T, bytes>& v) {
  constexpr int lanes = Vectors<T, bytes>::lanes, group = Vectors<T, bytes>::group;
  using Vector = typename Vectors<T, bytes>::Vector;
  using All = std::make_integer_sequence<int, lanes>;
  // Both results of a pair take the places of the pair.
  const auto pair = [&]<class First, class Second>(int i, int j, First, Second) {
    Vector first;
    choose<First>(first, v[i], v[j], All{});
    choose<Second>(v[j], v[i], v[j], All{});
    v[i] = first;
  };
  // First in each group, rows i … i + group of which hold a square.
#pragma GCC unroll 16
  for (int i = 0; i < lanes; i += 2) {
    pair(i, i + 1, Interleaved<lanes, group, 1, false>{}, Interleaved<lanes, group, 1, true>{});
  }
  if constexpr (group == 4) {
#pragma GCC unroll 16
    for (int i = 0; i < lanes; i += 4) {
      pair(i, i + 2, Interleaved<lanes, group, 2, false>{}, Interleaved<lanes, group, 2, true>{});
      pair(i + 1, i + 3, Interleaved<lanes, group, 2, false>{},
           Interleaved<lanes, group, 2, true>{});
      std::swap(v[i + 1], v[i + 2]);
    }
  }
  // Then whole groups: those of rows r, r + group, … are a square.
  constexpr EverySecondGroup<lanes, group, false> even;
  constexpr EverySecondGroup<lanes, group, true> odd;
#pragma GCC unroll 4
  for (int r = 0; r < group; ++r) {
    if constexpr (lanes == 2 * group) {
      pair(r, r + group, even, odd);
    } else {
      static_assert(lanes == 4 * group);
      pair(r, r + group, even, odd);
      pair(r + 2 * group, r + 3 * group, even, odd);
      pair(r, r + 2 * group, even, odd);
      pair(r + group, r + 3 * group, even, odd);
    }
  }
}

/// Lines that are neighbours in memory: all of them term after term, so that every line of the cache
/// is read once.
template <class T, int wide>
void pack_neighbours(const Lines<T>& lines, std::int64_t stride, T* packed) {
  const T* from = lines.from + lines.places[0];
  const std::int64_t strips = lines.count / wide;
  // Whole vectors are quicker. What they write beyond a strip's lines is where its next term goes, and
  // what they read there belongs to the next strip, which only the last one lacks.
  constexpr std::size_t exact = wide * sizeof(T);
  constexpr std::size_t whole = (exact + short_vector - 1) / short_vector * short_vector;
  // Pieces of a few lines that lie apart are too short for the processor to foresee.
  constexpr std::int64_t terms_ahead = 8;
  for (std::int64_t k = 0; k < lines.count_of_terms; ++k) {
    const T* term = from + lines.terms[k];
    const T* later = from + lines.terms[std::min(k + terms_ahead, lines.count_of_terms - 1)];
    T* to = packed + k * wide;
    for (std::int64_t strip = 0; strip + 1 < strips; ++strip) {
      __builtin_prefetch(later + strip * wide);
      std::memcpy(to + strip * stride, term + strip * wide, whole);
    }
    std::memcpy(to + (strips - 1) * stride, term + (strips - 1) * wide, exact);
  }
}

/// Some terms, one by one.
template <class T, int wide, int count>
void pack_terms(const Lines<T>& lines, const T* const* from, std::int64_t first, std::int64_t last,
                T* packed) {
  for (std::int64_t k = first; k < last; ++k) {
    const std::int64_t term = lines.terms[k];
#pragma GCC unroll 8
    for (int j = 0; j < count; ++j) packed[k * wide + j] = from[j][term];
  }
}

/// The `present` first of `count` lines of a strip, which are neighbours in memory. With them goes what
/// lies behind them, as far as it belongs to the operand.
template <class T, int wide, int count>
void pack_together(const Lines<T>& lines, std::int64_t present, int first, T* packed) {
  const T* from = lines.from + lines.places[first];
  const std::int64_t last_term = *std::max_element(lines.terms, lines.terms + lines.count_of_terms);
  for (std::int64_t k = 0; k < lines.count_of_terms; ++k) {
    const std::int64_t term = lines.terms[k];
    T* to = packed + k * wide + first;
    if (term + count <= last_term + present) {
      std::memcpy(to, from + term, count * sizeof(T));
    } else {
      std::copy_n(from + term, present, to);
    }
  }
}

/// `count` lines of a strip from `first` on, or those of them that there are. Lines that are neighbours in
/// memory are copied as vectors; of others squares of terms that are neighbours are transposed.
template <class T, int wide, int bytes, int count>
void pack_lines(const Lines<T>& lines, const bool* are_squares, int first, T* packed) {
  const std::int64_t present = std::min<std::int64_t>(count, lines.count - first);
  if (present <= 0) return;
  if (neighbours(lines.places + first, present) == present) {
    return pack_together<T, wide, count>(lines, present, first, packed);
  }
  using Loose = typename Vectors<T, bytes>::Loose;
  constexpr int lanes = Vectors<T, bytes>::lanes;
  // A whole vector may be written where only some of it is wanted, if the next term comes later.
  constexpr int written = wide < lanes ? lanes : count;
  const T* from[lanes];
  for (int j = 0; j < lanes; ++j) {
    // Where lines are missing, the last one stands in; nobody looks at what becomes of it.
    const std::int64_t line =
        std::min<std::int64_t>(first + std::min(j, count - 1), lines.count - 1);
    from[j] = lines.from + lines.places[line];
  }
  std::int64_t k = 0;
  for (; k + lanes <= lines.count_of_terms; k += lanes) {
    if (!are_squares[k / lanes]) {
      pack_terms<T, wide, count>(lines, from, k, k + lanes, packed + first);
      continue;
    }
    typename Vectors<T, bytes>::Vector square[lanes];
#pragma GCC unroll 16
    for (int j = 0; j < lanes; ++j) {
      square[j] = *reinterpret_cast<const Loose*>(from[j] + lines.terms[k]);
    }
    transpose<T, bytes>(square);
#pragma GCC unroll 16
    for (int j = 0; j < lanes; ++j) {
      std::memcpy(packed + (k + j) * wide + first, &square[j], written * sizeof(T));
    }
  }
  pack_terms<T, wide, count>(lines, from, k, lines.count_of_terms, packed + first);
}

/// The vectors in which strips of so many lines are turned.
template <class T, int wide>
constexpr int vector_for_strip =
    wide % (widest_vector / static_cast<int>(sizeof(T))) == 0 ? widest_vector : short_vector;

/// Lines of one strip, or fewer.
template <class T, int wide>
void pack_strip(const Lines<T>& lines, const bool* are_squares, T* packed) {
  constexpr int bytes = vector_for_strip<T, wide>;
  constexpr int lanes = Vectors<T, bytes>::lanes;
  constexpr int whole = wide / lanes * lanes;
  for (int first = 0; first < whole; first += lanes) {
    pack_lines<T, wide, bytes, lanes>(lines, are_squares, first, packed);
  }
  if constexpr (whole < wide) {
    pack_lines<T, wide, bytes, wide - whole>(lines, are_squares, whole, packed);
  }
}

template <class T, int wide>
void pack(const Lines<T>& lines, std::int64_t stride, T* packed) {
  constexpr int lanes = Vectors<T, vector_for_strip<T, wide>>::lanes;
  bool are_squares[most_terms / lanes];
  for (std::int64_t k = 0; k + lanes <= lines.count_of_terms; k += lanes) {
    are_squares[k / lanes] = neighbours(lines.terms + k, lanes) == lanes;
  }
  for (std::int64_t first = 0; first < lines.count;) {
    // As many whole strips as lie side by side, else one.
    const std::int64_t together =
        neighbours(lines.places + first, lines.count - first) / wide * wide;
    Lines<T> some = lines;
    some.places += first;
    some.count = together > 0 ? together : std::min<std::int64_t>(wide, lines.count - first);
    T* to = packed + first / wide * stride;
    if (together > 0) {
      pack_neighbours<T, wide>(some, stride, to);
    } else {
      pack_strip<T, wide>(some, are_squares, to);
    }
    first += some.count;
  }
}

/// Some rows and columns, one by one.
template <class T>
void turn_singly(const Turned<T>& matrix, std::int64_t first_row, std::int64_t last_row,
                 std::int64_t first_column, std::int64_t last_column) {
  for (std::int64_t j = first_column; j < last_column; ++j) {
    for (std::int64_t i = first_row; i < last_row; ++i) {
      matrix.to[j * matrix.to_stride + i] = matrix.from[i * matrix.from_stride + j];
    }
  }
}

/// Squares below one another, so that every line of the cache is written at once.
template <class T>
void turn_squares(const T* from, std::int64_t from_stride, T* to, std::int64_t to_stride) {
  using Loose = typename Vectors<T, widest_vector>::Loose;
  constexpr int lanes = Vectors<T, widest_vector>::lanes;
  constexpr int count = 64 / widest_vector;
  typename Vectors<T, widest_vector>::Vector squares[count][lanes];
#pragma GCC unroll 2
  for (int square = 0; square < count; ++square) {
#pragma GCC unroll 16
    for (int i = 0; i < lanes; ++i) {
      squares[square][i] =
          *reinterpret_cast<const Loose*>(from + (square * lanes + i) * from_stride);
    }
    transpose<T, widest_vector>(squares[square]);
  }
#pragma GCC unroll 16
  for (int j = 0; j < lanes; ++j) {
    auto* line = reinterpret_cast<Loose*>(to + j * to_stride);
#pragma GCC unroll 2
    for (int square = 0; square < count; ++square) line[square] = squares[square][j];
  }
}

/// Whole lines of the cache are read and written at a time; what is left over goes one by one.
template <class T>
void turn(const Turned<T>& matrix) {
  constexpr int lanes = Vectors<T, widest_vector>::lanes;
  constexpr std::int64_t line = 64 / sizeof(T);
  const std::int64_t rows = matrix.rows / line * line;
  const std::int64_t columns = matrix.columns / lanes * lanes;
  for (std::int64_t column = 0; column < columns; column += line) {
    for (std::int64_t row = 0; row < rows; row += line) {
      for (std::int64_t j = column; j < std::min(columns, column + line); j += lanes) {
        turn_squares(matrix.from + row * matrix.from_stride + j, matrix.from_stride,
                     matrix.to + j * matrix.to_stride + row, matrix.to_stride);
      }
    }
  }
  turn_singly(matrix, rows, matrix.rows, 0, columns);
  turn_singly(matrix, 0, matrix.rows, columns, matrix.columns);
}

}  // namespace
}  // namespace axial::kernels
