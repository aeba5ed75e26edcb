#include "axial/plan/chain_run.hpp"

#include <algorithm>
#include <numeric>

#include "axial/kernels/processor.hpp"
#include "axial/tensor/memory.hpp"

namespace axial::plan {
namespace {

// What gives the rows of a link says how much it passes, how many rows it computes at once, and how much
// memory it needs for a matrix; and it does something before the rows of a matrix, and for some of them,
// of which the first one of its operand lies at `from`.
std::int64_t passed_by(const RunProduct& run) { return kernels::passed(run.product); }
std::int64_t passed_by(const RunTurn& run) { return 2 * matrices_of(run).volume(); }

std::int64_t rows_at_once(const RunProduct& run) { return kernels::rows_at_once(run.product); }
/// As many as fill a line of the cache.
std::int64_t rows_at_once(const RunTurn&) { return 16; }

std::size_t bytes_for_matrix(const RunProduct& run) { return kernels::packed_bytes(run.product); }
std::size_t bytes_for_matrix(const RunTurn&) { return 0; }

void prepare(const RunProduct& run, std::int64_t matrix, void* memory, const PlaceOf& place_of) {
  kernels::pack_columns(run.product, matrix, place_of(run.b), memory);
}
void prepare(const RunTurn&, std::int64_t, void*, const PlaceOf&) {}

void compute(const RunProduct& run, std::int64_t matrix, kernels::Part rows, const void* memory,
             void* result, const PlaceOf& place_of) {
  kernels::multiply_rows(run.product, matrix, rows, place_of(run.a), memory, result);
}
void compute(const RunTurn& run, std::int64_t matrix, kernels::Part rows, const void*, void* result,
             const PlaceOf& place_of) {
  kernels::turn_rows(run.turn, matrix, rows, place_of(run.from), result);
}

Start result_of(const Link& link) {
  const auto* product = std::get_if<RunProduct>(&link.rows);
  return product != nullptr ? product->c : std::get<RunTurn>(link.rows).to;
}

std::int64_t row_bytes(const Link& link) {
  const Matrices rows = matrices_of(link);
  return rows.columns * rows.element_bytes;
}

/// How many rows of a chain stay in the second level of the cache.
std::int64_t rows_that_stay_near(const RunChain& chain) {
  std::int64_t bytes = 0;
  for (const Link& link : chain.links) {
    if (link.nest) bytes += row_bytes(link);
  }
  return kernels::near_bytes() / bytes;
}

/// A chain on one thread.
class ChainRun {
 public:
  ChainRun(const RunChain& chain, std::int64_t height, const PlaceOf& place_of)
      : chain_(chain), place_of_(place_of) {
    for (const Link& link : chain.links) {
      between_.push_back(
          take_block(static_cast<std::size_t>(link.nest ? row_bytes(link) * height : 0)));
      packed_.push_back(take_block(
          std::visit([](const auto& rows) { return bytes_for_matrix(rows); }, link.rows)));
    }
  }

  void begin_matrix(std::int64_t matrix) {
    for (std::size_t k = 0; k < chain_.links.size(); ++k) {
      std::visit([&](const auto& rows) { prepare(rows, matrix, packed_[k].get(), place_of_); },
                 chain_.links[k].rows);
    }
  }

  /// Computes `part` of the rows of a matrix, of which the first has number `number` among those of all
  /// matrices.
  void run(std::int64_t matrix, kernels::Part part, std::int64_t number) {
    first_ = number;
    count_ = part.last - part.first;
    for (std::size_t k = 0; k < chain_.links.size(); ++k) {
      const Link& link = chain_.links[k];
      std::byte* result = row(result_of(link), row_bytes(link));
      if (k == 0) {
        std::visit(
            [&](const auto& rows) {
              compute(rows, matrix, part, packed_[k].get(), result, place_of_);
            },
            link.rows);
      } else {
        // The rows that the link before gave lie side by side.
        const auto& product = std::get<RunProduct>(link.rows);
        kernels::multiply_rows(product.product, 0, {0, count_},
                               row(product.a, row_bytes(chain_.links[k - 1])), packed_[k].get(),
                               result);
      }
      if (link.nest) run_nest(*link.nest, matrices_of(link));
    }
  }

 private:
  /// Where a buffer begins; if it lies between, such that its rows at hand are at their place there.
  std::byte* beginning(const Start& start) const {
    for (std::size_t k = 0; k < chain_.links.size(); ++k) {
      const Link& link = chain_.links[k];
      if (!lies_between(link, start.buffer)) continue;
      return static_cast<std::byte*>(between_[k].get()) - first_ * row_bytes(link);
    }
    return place_of_(start);
  }
  /// Where the rows at hand lie in a buffer whose rows have so many bytes.
  std::byte* row(const Start& start, std::int64_t bytes) const {
    return beginning(start) + first_ * bytes;
  }

  /// The nest on the rows at hand.
  void run_nest(const RunNest& nest, const Matrices& all) {
    std::vector<void*> streams;
    streams.reserve(nest.starts.size());
    for (const Start& start : nest.starts) streams.push_back(beginning(start));
    const kernels::MachineCode& code = nest.code;
    const std::int64_t all_rows = all.batch * all.rows;
    if (code.rows % all_rows == 0) {
      const std::int64_t each = code.rows / all_rows;
      code.function(streams.data(), first_ * each, (first_ + count_) * each, 0, code.lanes);
      return;
    }
    // The lanes go through several rows, not always through as many as are asked for.
    const std::int64_t last = (first_ + count_) * all.columns;
    for (std::int64_t next = first_ * all.columns; next < last;) {
      const std::int64_t part = next / code.lanes, lane = next % code.lanes;
      const std::int64_t end = std::min(code.lanes, lane + last - next);
      code.function(streams.data(), part, part + 1, lane, end);
      next += end - lane;
    }
  }

  const RunChain& chain_;
  const PlaceOf& place_of_;
  /// For each link memory for its rows at hand, and for what is prepared for a matrix.
  std::vector<std::shared_ptr<void>> between_, packed_;
  /// The rows at hand, as numbered in all matrices.
  std::int64_t first_ = 0, count_ = 0;
};

}  // namespace

std::int64_t passed(const RunChain& chain) {
  std::int64_t all = 0;
  for (const Link& link : chain.links)
    all += std::visit([](const auto& rows) { return passed_by(rows); }, link.rows);
  return all;
}

std::int64_t rows_at_once(const RunChain& chain) {
  std::int64_t all = 1;
  for (const Link& link : chain.links)
    all = std::lcm(all, std::visit([](const auto& rows) { return rows_at_once(rows); }, link.rows));
  return all;
}

void run_rows(const RunChain& chain, kernels::Part matrices, kernels::Part rows,
              const PlaceOf& place_of) {
  // At least as many as are computed at once; more than `most` gain nothing.
  constexpr std::int64_t most = 384;
  const std::int64_t least = rows_at_once(chain);
  const std::int64_t height =
      std::clamp(rows_that_stay_near(chain) / least * least, least, std::max(least, most));
  ChainRun run(chain, height, place_of);
  const std::int64_t all_rows = matrices_of(chain.links.front()).rows;
  for (std::int64_t matrix = matrices.first; matrix < matrices.last; ++matrix) {
    run.begin_matrix(matrix);
    for (std::int64_t row = rows.first; row < rows.last; row += height) {
      run.run(matrix, {row, std::min(rows.last, row + height)}, matrix * all_rows + row);
    }
  }
}

}  // namespace axial::plan
