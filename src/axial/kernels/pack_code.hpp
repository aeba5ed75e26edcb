// Copying rows or columns together for tiles. Like the code of tiles it is compiled more than once,
// so everything here is private to the file that includes it.
#pragma once

#include <algorithm>
#include <cstring>

#include "axial/kernels/tile.hpp"

namespace axial::kernels {
namespace {

constexpr int vector_bytes = 32;

template <class T>
struct Vectors {
  typedef T Vector __attribute__((vector_size(vector_bytes)));
  /// The same at any address.
  typedef T Loose __attribute__((vector_size(vector_bytes), aligned(sizeof(T)), may_alias));
  static constexpr int lanes = vector_bytes / static_cast<int>(sizeof(T));
};

/// How many of the entries from the first on follow one another.
inline std::int64_t neighbours(const std::int64_t* entries, std::int64_t count) {
  std::int64_t number = 1;
  while (number < count && entries[number] == entries[number - 1] + 1) ++number;
  return number;
}

/// Rows become columns. The choices of elements are those that machines have instructions for.
inline void transpose(Vectors<float>::Vector (&v)[8]) {
  using Vector = Vectors<float>::Vector;
  Vector pairs[8], fours[8];
  for (int i = 0; i < 8; i += 2) {
    pairs[i] = __builtin_shufflevector(v[i], v[i + 1], 0, 8, 1, 9, 4, 12, 5, 13);
    pairs[i + 1] = __builtin_shufflevector(v[i], v[i + 1], 2, 10, 3, 11, 6, 14, 7, 15);
  }
  for (int i = 0; i < 8; i += 4) {
    for (int j = 0; j < 2; ++j) {
      fours[i + 2 * j] =
          __builtin_shufflevector(pairs[i + j], pairs[i + j + 2], 0, 1, 8, 9, 4, 5, 12, 13);
      fours[i + 2 * j + 1] =
          __builtin_shufflevector(pairs[i + j], pairs[i + j + 2], 2, 3, 10, 11, 6, 7, 14, 15);
    }
  }
  for (int i = 0; i < 4; ++i) {
    v[i] = __builtin_shufflevector(fours[i], fours[i + 4], 0, 1, 2, 3, 8, 9, 10, 11);
    v[i + 4] = __builtin_shufflevector(fours[i], fours[i + 4], 4, 5, 6, 7, 12, 13, 14, 15);
  }
}
inline void transpose(Vectors<double>::Vector (&v)[4]) {
  using Vector = Vectors<double>::Vector;
  Vector pairs[4];
  for (int i = 0; i < 4; i += 2) {
    pairs[i] = __builtin_shufflevector(v[i], v[i + 1], 0, 4, 2, 6);
    pairs[i + 1] = __builtin_shufflevector(v[i], v[i + 1], 1, 5, 3, 7);
  }
  for (int i = 0; i < 2; ++i) {
    v[i] = __builtin_shufflevector(pairs[i], pairs[i + 2], 0, 1, 4, 5);
    v[i + 2] = __builtin_shufflevector(pairs[i], pairs[i + 2], 2, 3, 6, 7);
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
  constexpr std::size_t whole = (exact + vector_bytes - 1) / vector_bytes * vector_bytes;
  for (std::int64_t k = 0; k < lines.count_of_terms; ++k) {
    const T* term = from + lines.terms[k];
    T* to = packed + k * wide;
    for (std::int64_t strip = 0; strip + 1 < strips; ++strip) {
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

/// `count` lines of a strip from `first` on: squares of terms that are neighbours in memory are
/// transposed.
template <class T, int wide, int count>
void pack_lines(const Lines<T>& lines, const bool* are_squares, int first, T* packed) {
  using Loose = typename Vectors<T>::Loose;
  constexpr int lanes = Vectors<T>::lanes;
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
    typename Vectors<T>::Vector square[lanes];
#pragma GCC unroll 8
    for (int j = 0; j < lanes; ++j) {
      square[j] = *reinterpret_cast<const Loose*>(from[j] + lines.terms[k]);
    }
    transpose(square);
#pragma GCC unroll 8
    for (int j = 0; j < lanes; ++j) {
      std::memcpy(packed + (k + j) * wide + first, &square[j], written * sizeof(T));
    }
  }
  pack_terms<T, wide, count>(lines, from, k, lines.count_of_terms, packed + first);
}

/// Lines of one strip, or fewer.
template <class T, int wide>
void pack_strip(const Lines<T>& lines, const bool* are_squares, T* packed) {
  constexpr int lanes = Vectors<T>::lanes;
  constexpr int whole = wide / lanes * lanes;
  for (int first = 0; first < whole; first += lanes) {
    pack_lines<T, wide, lanes>(lines, are_squares, first, packed);
  }
  if constexpr (whole < wide) {
    pack_lines<T, wide, wide - whole>(lines, are_squares, whole, packed);
  }
}

template <class T, int wide>
void pack(const Lines<T>& lines, std::int64_t stride, T* packed) {
  constexpr int lanes = Vectors<T>::lanes;
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

/// Two squares, one below the other, so that every line of the cache is written at once.
template <class T>
void turn_squares(const T* from, std::int64_t from_stride, T* to, std::int64_t to_stride) {
  using Loose = typename Vectors<T>::Loose;
  constexpr int lanes = Vectors<T>::lanes;
  typename Vectors<T>::Vector squares[2][lanes];
#pragma GCC unroll 2
  for (int half = 0; half < 2; ++half) {
#pragma GCC unroll 8
    for (int i = 0; i < lanes; ++i) {
      squares[half][i] = *reinterpret_cast<const Loose*>(from + (half * lanes + i) * from_stride);
    }
    transpose(squares[half]);
  }
#pragma GCC unroll 8
  for (int j = 0; j < lanes; ++j) {
    auto* line = reinterpret_cast<Loose*>(to + j * to_stride);
    line[0] = squares[0][j];
    line[1] = squares[1][j];
  }
}

/// Whole lines of the cache are read and written at a time; what is left over goes one by one.
template <class T>
void turn(const Turned<T>& matrix) {
  constexpr int lanes = Vectors<T>::lanes;
  constexpr std::int64_t line = 2 * lanes;
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
