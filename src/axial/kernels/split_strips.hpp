// Splitting rows and columns into parts, in vectors of 512 bits. Everything here is private to the file
// that includes it, which is compiled for machines that have them; for others nothing is here.
#pragma once

#if defined(__AVX512F__)
#include <immintrin.h>

#include <bit>

#include "axial/kernels/pack_code.hpp"
#include "axial/kernels/split.hpp"

namespace axial::kernels {
namespace {

/// A tile has 16 lines of 16 pairs: term p of a chunk of 32 terms is paired with term p + 16. Rows lie
/// in lines of a tile, columns across them.
constexpr int lanes = 16;
constexpr int tile_pairs = lanes * lanes;
constexpr int parts = 3;
/// A chunk holds two tiles of lines, all parts of one behind those of the other.
constexpr int half_pairs = parts * tile_pairs;
constexpr int chunk_pairs = 2 * half_pairs;
static_assert(split_lines == 2 * lanes && split_terms == 2 * lanes);

using Floats = Vectors<float, 64>::Vector;
typedef std::uint32_t Bits __attribute__((vector_size(64)));

/// The bits of floats, and floats from them.
Bits bits(Floats x) { return std::bit_cast<Bits>(x); }
Floats floats(Bits x) { return std::bit_cast<Floats>(x); }

/// 16 lines with 16 terms each.
using Square = SquareOf<float, 64>;

/// What stands behind a strip: how its numbers are written, and the largest magnitude.
enum class Written : Pair { as_parts, as_they_are };
struct Trailer {
  Written written;
  float largest;
};
static_assert(sizeof(Trailer) <= lanes * sizeof(Pair));

/// The nearest number of 8 bits; of two that are equally near the larger in magnitude.
Floats rounded(Floats x) { return floats((bits(x) + 0x8000u) & 0xffff0000u); }
/// The upper halves of two numbers, that of the second one on top.
Bits paired(Floats x, Floats y) { return (bits(x) >> 16) | (bits(y) & 0xffff0000u); }

void store(Bits pairs, Pair* to) { std::memcpy(to, &pairs, sizeof pairs); }

/// Writes a line of each of the three tiles of parts.
void write_parts(Floats x, Floats y, Pair* to) {
  const Floats x_high = rounded(x), y_high = rounded(y);
  const Floats x_rest = x - x_high, y_rest = y - y_high;
  const Floats x_middle = rounded(x_rest), y_middle = rounded(y_rest);
  store(paired(x_high, y_high), to);
  store(paired(x_middle, y_middle), to + tile_pairs);
  store(paired(x_rest - x_middle, y_rest - y_middle), to + 2 * tile_pairs);
}

/// The upper and the lower half of each number instead.
void write_as_they_are(Floats x, Floats y, Pair* to) {
  store(paired(x, y), to);
  store(paired(floats(bits(x) << 16), floats(bits(y) << 16)), to + tile_pairs);
  store(Bits{}, to + 2 * tile_pairs);
}

/// The first `count` lanes.
__mmask16 first_lanes(std::int64_t count) { return static_cast<__mmask16>((1u << count) - 1); }
Floats load_some(const float* from, __mmask16 some) { return _mm512_maskz_loadu_ps(some, from); }

/// Up to 16 lines with up to 16 terms, and whether terms or lines lie side by side in memory.
struct Corner {
  const float* from = nullptr;
  const std::int64_t* places = nullptr;
  std::int64_t count = 0;
  const std::int64_t* terms = nullptr;
  std::int64_t count_of_terms = 0;
  bool terms_are_neighbours = false, lines_are_neighbours = false;
};

/// Loads lines of which nothing is missing.
template <class Place>
void load_whole(const Place& place, Square& square) {
  using Loose = Vectors<float, 64>::Loose;
#pragma GCC unroll 16
  for (int i = 0; i < lanes; ++i) square[i] = *reinterpret_cast<const Loose*>(place(i));
}

/// Loads a square, zeros where lines or terms are missing; as lines of terms, or turned.
template <bool turned>
void load(const Corner& corner, Square& square) {
  const bool is_whole = corner.count == lanes && corner.count_of_terms == lanes;
  const auto place = [&](std::int64_t line, std::int64_t term) {
    return corner.from + corner.places[line] + corner.terms[term];
  };
  if (!is_whole) {
    for (Floats& each : square) each = Floats{};
  }
  if (corner.terms_are_neighbours && is_whole) {
    load_whole([&](int i) { return place(i, 0); }, square);
  } else if (corner.terms_are_neighbours) {
    const __mmask16 some = first_lanes(corner.count_of_terms);
    for (std::int64_t i = 0; i < corner.count; ++i) square[i] = load_some(place(i, 0), some);
  } else if (corner.lines_are_neighbours && is_whole) {
    load_whole([&](int k) { return place(0, k); }, square);
  } else if (corner.lines_are_neighbours) {
    const __mmask16 some = first_lanes(corner.count);
    for (std::int64_t k = 0; k < corner.count_of_terms; ++k) {
      square[k] = load_some(place(0, k), some);
    }
  } else {
    for (std::int64_t i = 0; i < corner.count; ++i) {
      for (std::int64_t k = 0; k < corner.count_of_terms; ++k) square[i][k] = *place(i, k);
    }
  }
  const bool are_columns = corner.lines_are_neighbours && !corner.terms_are_neighbours;
  if (are_columns != turned) transpose<float, 64>(square);
}

/// Calls use(i, x, y) for each line i of two squares, without a detour where nothing is missing.
template <bool turned, class Use>
void for_each_line(const Corner& first, const Corner& second, const Use& use) {
  using Loose = Vectors<float, 64>::Loose;
  const auto at = [](const float* from) -> Floats { return *reinterpret_cast<const Loose*>(from); };
  const bool are_whole =
      first.count == lanes && first.count_of_terms == lanes && second.count_of_terms == lanes;
  if (!turned && are_whole && first.terms_are_neighbours && second.terms_are_neighbours) {
    for (int i = 0; i < lanes; ++i) {
      const float* from = first.from + first.places[i];
      use(i, at(from + first.terms[0]), at(from + second.terms[0]));
    }
  } else if (turned && are_whole && first.lines_are_neighbours) {
    const float* from = first.from + first.places[0];
    for (int k = 0; k < lanes; ++k) {
      use(k, at(from + first.terms[k]), at(from + second.terms[k]));
    }
  } else {
    Square x, y;
    load<turned>(first, x);
    load<turned>(second, y);
    for (int i = 0; i < lanes; ++i) use(i, x[i], y[i]);
  }
}

/// True if parts tell the numbers of a strip, or products of two strips, with this largest magnitude.
/// The machine takes what is less than the least normal number for zero; beside numbers of such a
/// magnitude that is less than what float32 rounds away. And none of their sums becomes infinite.
bool is_told_by_parts(float largest) {
  constexpr float least = 0x1p-96f, most = 0x1p96f;
  return largest == 0 || (largest >= least && largest <= most);
}

/// Cuts rows or columns into strips, and knows which of their terms are neighbours.
class Strips {
 public:
  Strips(const Lines<float>& lines, Pair* strips) : lines_(lines), strips_(strips) {
    for (std::int64_t term = 0; term < lines.count_of_terms; term += lanes) {
      const std::int64_t count = std::min<std::int64_t>(lanes, lines.count_of_terms - term);
      are_neighbours_[term / lanes] = neighbours(lines.terms + term, count) == count;
    }
  }

  /// Some strips are written together, chunk by chunk, since lines that are neighbours lie in the same
  /// lines of the cache and pages of memory.
  template <bool turned>
  void write() const {
    constexpr std::int64_t most = 4;
    const std::int64_t count = count_of_blocks(lines_.count, split_lines);
    for (std::int64_t first = 0; first < count; first += most) {
      const std::int64_t last = std::min(count, first + most);
      Bits largest[most] = {};
      for (std::int64_t term = 0; term < lines_.count_of_terms; term += split_terms) {
        for (std::int64_t strip = first; strip < last; ++strip) {
          largest[strip - first] =
              greater(largest[strip - first], write_chunk<turned, Written::as_parts>(strip, term));
        }
      }
      for (std::int64_t strip = first; strip < last; ++strip) {
        finish<turned>(strip, largest[strip - first]);
      }
    }
  }

 private:
  static Bits greater(Bits x, Bits y) { return x > y ? x : y; }

  Pair* place(std::int64_t strip) const {
    return strips_ + strip * split_strip(lines_.count_of_terms);
  }

  /// Some lines, with the terms of half a chunk.
  Corner corner(std::int64_t line, std::int64_t term) const {
    Corner corner{
        .from = lines_.from,
        .places = lines_.places + line,
        .count = std::clamp<std::int64_t>(lines_.count - line, 0, lanes),
        .terms = lines_.terms + term,
        .count_of_terms = std::clamp<std::int64_t>(lines_.count_of_terms - term, 0, lanes)};
    corner.terms_are_neighbours = corner.count_of_terms > 0 && are_neighbours_[term / lanes];
    corner.lines_are_neighbours =
        corner.count > 0 && neighbours(corner.places, corner.count) == corner.count;
    return corner;
  }

  /// Writes the terms of one chunk, and returns twice the bits of the largest magnitudes in it.
  template <bool turned, Written written>
  Bits write_chunk(std::int64_t strip, std::int64_t term) const {
    Bits largest = {};
    Pair* to = place(strip) + term / split_terms * chunk_pairs;
    for (int half = 0; half < 2; ++half, to += half_pairs) {
      const std::int64_t line = strip * split_lines + half * lanes;
      for_each_line<turned>(corner(line, term), corner(line, term + lanes),
                            [&](int i, Floats x, Floats y) {
                              if constexpr (written == Written::as_parts) {
                                write_parts(x, y, to + i * lanes);
                                largest = greater(largest, greater(bits(x) << 1, bits(y) << 1));
                              } else {
                                write_as_they_are(x, y, to + i * lanes);
                              }
                            });
    }
    return largest;
  }

  /// Writes what stands behind a strip, and the numbers again if parts do not tell them.
  template <bool turned>
  void finish(std::int64_t strip, Bits doubled) const {
    Pair magnitude = 0;
    for (int i = 0; i < lanes; ++i) magnitude = std::max(magnitude, doubled[i] >> 1);
    Trailer trailer{Written::as_parts, std::bit_cast<float>(magnitude)};
    if (!is_told_by_parts(trailer.largest)) {
      trailer.written = Written::as_they_are;
      for (std::int64_t term = 0; term < lines_.count_of_terms; term += split_terms) {
        write_chunk<turned, Written::as_they_are>(strip, term);
      }
    }
    std::memcpy(place(strip + 1) - lanes, &trailer, sizeof trailer);
  }

  const Lines<float>& lines_;
  Pair* strips_;
  bool are_neighbours_[most_split_terms / lanes];
};

template <bool turned>
void split(const Lines<float>& lines, Pair* strips) {
  Strips(lines, strips).write<turned>();
}

}  // namespace
}  // namespace axial::kernels

#endif
