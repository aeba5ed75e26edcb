// A loop nest as data: what it reads, computes and writes. The nest is the only thing that code is
// generated from, so whatever is not a matrix product is said as one.
//
// The `outer` loops run over independent iterations. For each of them the `row` loops are passed
// once or several times: values that depend on a row are computed anew in each pass that needs them,
// and a reduction folds a row to one value, which later passes may use.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "axial/vocabulary/elementwise.hpp"
#include "axial/vocabulary/reductions.hpp"

namespace axial::kernels {

/// A walk through memory: elements of one type, and how many elements neighbours along each loop are
/// apart (outer loops first, then row loops).
struct Stream {
  ElementType element;
  std::vector<std::int64_t> strides;
  /// True if what is written is too large to be kept in the cache, so that it had better not pass
  /// through it. The stream must begin at a multiple of 64 bytes then.
  bool bypasses = false;
  /// True if what is read is so large that it comes from further than the second level of the cache, so
  /// that it had better be fetched before it is needed.
  bool is_far = false;
};

/// One value of an iteration, or a store of one. Operands are earlier operations.
struct Operation {
  enum class Kind : std::uint8_t {
    load,      ///< the element of `stream`
    gather,    ///< the element of `stream` that lies operand 0 times `stride` further
    literal,   ///< `number`
    position,  ///< where loop `loop` is
    map,       ///< `word` of the operands
    cast,      ///< the operand as `element`
    reduce,    ///< the fold of the operand over the row by `reduction`
    store,     ///< writes operand 0 to `stream`
  };
  Kind kind;
  ElementType element = float32;
  std::vector<int> operands = {};
  int stream = -1;
  int loop = -1;
  std::int64_t stride = 0;
  Number number = 0;
  const Word* word = nullptr;
  const Reduction* reduction = nullptr;
};

struct Nest {
  std::vector<std::int64_t> outer;
  std::vector<std::int64_t> row;
  std::vector<Stream> streams;
  std::vector<Operation> operations;
};

/// How the iterations of a nest are laid on the machine: which loop fills the lanes of a vector, and
/// how many lanes.
struct Schedule {
  /// The loop that is vectorised: an outer one, or the last of the row.
  int lane_loop = -1;
  bool in_row = false;
  int width = 1;
};

/// The same nest with as few loops as possible: those of one position go, and neighbours that every
/// stream passes as one are one.
Nest collapsed(const Nest& nest);

/// The schedule that reads and writes most memory side by side.
Schedule schedule(const Nest& nest);

/// The same nest for a schedule that leaves gaps between lanes: the outer loops are put in the order in
/// which neighbours in memory are met soonest. The schedule is that of the result.
Nest untangled(const Nest& nest, Schedule& schedule);

/// The nest as text: equal exactly for equal nests, whatever process wrote it.
std::string to_text(const Nest& nest);

/// The number of records of loops of these sizes.
std::int64_t volume(const std::vector<std::int64_t>& sizes);
/// How many iterations there are in all.
std::int64_t iterations(const Nest& nest);
/// How many elements a nest reads and writes, each stream counted once per element.
std::int64_t bytes_moved(const Nest& nest);

}  // namespace axial::kernels
