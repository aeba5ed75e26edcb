#include "axial/kernels/turn.hpp"

#include <algorithm>

#include "axial/base/error.hpp"
#include "axial/kernels/tile.hpp"

namespace axial::kernels {
namespace {

/// Each thread turns some of the matrices, or some rows of the only ones.
template <class T>
void turn_as(const Turn& turn, const T* from, T* to, Team& team) {
  const auto matrices = static_cast<std::int64_t>(turn.from.size());
  constexpr std::int64_t line = 64 / static_cast<std::int64_t>(sizeof(T));
  const std::int64_t passed = 2 * matrices * turn.rows * turn.columns;
  team.share(passed, [&](int number, int parts) {
    const bool by_matrix = matrices >= parts;
    const Part some = by_matrix ? part_of(matrices, number, parts) : Part{0, matrices};
    const Part rows = by_matrix ? Part{0, turn.rows} : part_of(turn.rows, number, parts, line);
    // Where rows lie further apart than columns will, only some rows are passed at a time, but those of
    // several matrices, which often follow one another in memory.
    const bool is_spread = turn.from_stride > turn.to_stride;
    const std::int64_t matrices_at_once = is_spread ? 4 : 1;
    const std::int64_t rows_at_once = is_spread ? line : turn.rows;
    for (std::int64_t first = some.first; first < some.last; first += matrices_at_once) {
      const std::int64_t last = std::min(some.last, first + matrices_at_once);
      for (std::int64_t row = rows.first; row < rows.last; row += rows_at_once) {
        const std::int64_t count = std::min(rows_at_once, rows.last - row);
        for (std::int64_t k = first; k < last; ++k) {
          const auto matrix = static_cast<std::size_t>(k);
          tile_functions<T>().turn({from + turn.from[matrix] + row * turn.from_stride,
                                    turn.from_stride, to + turn.to[matrix] + row, turn.to_stride,
                                    count, turn.columns});
        }
      }
    }
  });
}

/// Calls `use` with a pointer to the type of the elements.
template <class Use>
void with_element_of(const Turn& turn, const Use& use) {
  if (turn.element_bytes == 4) {
    use(static_cast<float*>(nullptr));
  } else if (turn.element_bytes == 8) {
    use(static_cast<double*>(nullptr));
  } else {
    bug("elements of 4 or 8 bytes are turned");
  }
}

}  // namespace

void turn(const Turn& turn, const void* from, void* to, Team& team) {
  with_element_of(turn, [&]<class T>(T*) {
    turn_as(turn, static_cast<const T*>(from), static_cast<T*>(to), team);
  });
}

void turn_rows(const Turn& turn, std::int64_t matrix, Part rows, const void* from, void* to) {
  with_element_of(turn, [&]<class T>(T*) {
    const T* first =
        static_cast<const T*>(from) + turn.from[static_cast<std::size_t>(matrix)] + rows.first;
    // As many as fill a line of the cache: they are read along, what is written stays near.
    constexpr std::int64_t line = 64 / static_cast<std::int64_t>(sizeof(T));
    for (std::int64_t row = 0; row < turn.rows; row += line) {
      tile_functions<T>().turn({first + row * turn.from_stride, turn.from_stride,
                                static_cast<T*>(to) + row, turn.rows,
                                std::min(line, turn.rows - row), rows.last - rows.first});
    }
  });
}

}  // namespace axial::kernels
