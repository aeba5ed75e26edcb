#include "axial/kernels/nest.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>

#include "axial/kernels/blocks.hpp"
#include "axial/kernels/passes.hpp"
#include "axial/kernels/processor.hpp"

namespace axial::kernels {
namespace {

using Kind = Operation::Kind;

/// True if an operation asks where this loop is, so that it must stay as it is.
bool position_is_used(const Nest& nest, std::size_t loop) {
  return std::ranges::any_of(nest.operations, [&](const Operation& operation) {
    return operation.kind == Kind::position && operation.loop == static_cast<int>(loop);
  });
}

std::int64_t& size_of(Nest& nest, std::size_t loop) {
  return loop < nest.outer.size() ? nest.outer[loop] : nest.row[loop - nest.outer.size()];
}

void erase_loop(Nest& nest, std::size_t loop) {
  if (loop < nest.outer.size()) {
    nest.outer.erase(nest.outer.begin() + static_cast<std::ptrdiff_t>(loop));
  } else {
    nest.row.erase(nest.row.begin() + static_cast<std::ptrdiff_t>(loop - nest.outer.size()));
  }
  for (Stream& stream : nest.streams) {
    stream.strides.erase(stream.strides.begin() + static_cast<std::ptrdiff_t>(loop));
  }
  for (Operation& operation : nest.operations) {
    if (operation.loop > static_cast<int>(loop)) --operation.loop;
  }
}

/// True if every stream passes loop `first` and the next one as if they were one.
bool are_one(Nest& nest, std::size_t first) {
  if (position_is_used(nest, first) || position_is_used(nest, first + 1)) return false;
  const std::int64_t inner = size_of(nest, first + 1);
  return std::ranges::all_of(nest.streams, [&](const Stream& stream) {
    return stream.strides[first] == stream.strides[first + 1] * inner;
  });
}

/// What it costs to pass the streams with loop `loop` in the lanes of a vector, per element.
double lane_cost(const Nest& nest, std::size_t loop) {
  double cost = 0;
  for (const Stream& stream : nest.streams) {
    const std::int64_t stride = stream.strides[loop];
    cost += stride == 0 ? 0.25 : stride == 1 ? 1 : 12;
  }
  return cost;
}

/// True if the row is long and some stream moves further than a line of memory with each step of it.
bool jumps_along_row(const Nest& nest) {
  constexpr std::int64_t line = 64;
  return volume(nest.row) >= line && std::ranges::any_of(nest.streams, [&](const Stream& stream) {
           return std::abs(stream.strides.back()) * facts(stream.element).bytes > line;
         });
}

/// True if the row is passed once, with little work for each element.
bool passes_once(const Nest& nest) {
  const Passes order = passes(nest);
  return order.count == 1 && order.is_light(nest, 0);
}

}  // namespace

Nest collapsed(const Nest& nest) {
  Nest result = nest;
  for (std::size_t loop = result.outer.size() + result.row.size(); loop-- > 0;) {
    if (size_of(result, loop) == 1 && !position_is_used(result, loop)) erase_loop(result, loop);
  }
  for (std::size_t loop = result.outer.size() + result.row.size(); loop-- > 1;) {
    if (loop == result.outer.size() || !are_one(result, loop - 1)) continue;
    size_of(result, loop) *= size_of(result, loop - 1);
    erase_loop(result, loop - 1);
  }
  return result;
}

Schedule schedule(const Nest& nest) {
  const std::size_t loops = nest.outer.size() + nest.row.size();
  Schedule best;
  double best_cost = 0;
  for (std::size_t loop = 0; loop < loops; ++loop) {
    const bool in_row = loop >= nest.outer.size();
    if (in_row && loop + 1 != loops) continue;
    const std::int64_t size = in_row ? nest.row.back() : nest.outer[loop];
    // A short loop leaves lanes empty; folding lanes at the end of a row is not free either.
    const double filled = static_cast<double>(size) / static_cast<double>((size + 7) / 8 * 8);
    double cost = lane_cost(nest, loop) / filled;
    if (in_row) cost *= 1 + 16.0 / static_cast<double>(size);
    if (!in_row && !nest.row.empty()) cost *= 1.1;
    // Among equals the later loop is nearer to its neighbours in memory.
    if (best.lane_loop < 0 || cost <= best_cost) {
      best = {static_cast<int>(loop), in_row, 1};
      best_cost = cost;
    }
  }
  if (best.lane_loop < 0) return best;
  const std::int64_t size =
      best.in_row ? nest.row.back() : nest.outer[static_cast<std::size_t>(best.lane_loop)];
  const bool is_wide = std::ranges::any_of(
      nest.streams, [](const Stream& stream) { return facts(stream.element).bytes == 8; });
  // Two registers of eight, or one of sixteen: enough to hide latencies, few enough to stay in registers.
  // Where each step along a row jumps to another line of memory, more lanes use more of that line and of
  // the next.
  const int few = is_wide ? 8 : 16;
  int most = few;
  constexpr std::int64_t cached = std::int64_t{4} << 20;
  if (!best.in_row && jumps_along_row(nest)) {
    // As many sums as there may be registers for.
    const auto sums = std::ranges::count(nest.operations, Kind::reduce, &Operation::kind);
    const int many =
        (has_wide_vectors() ? 16 : 8) / static_cast<int>(std::clamp<std::ptrdiff_t>(sums, 1, 4));
    most *= passes_once(nest) ? many : bytes_moved(nest) <= cached ? 2 : 4;
  }
  best.width = 1;
  while (best.width < most && best.width < size) best.width *= 2;
  // Of many lanes at most a fifth may lie beyond the end, where they compute in vain.
  while (best.width > few && rounded_up(size, best.width) * 4 > size * 5) best.width /= 2;
  return best;
}

Nest untangled(const Nest& nest, Schedule& schedule) {
  const auto lane = static_cast<std::size_t>(schedule.lane_loop);
  const bool has_gaps = schedule.lane_loop >= 0 && !schedule.in_row &&
                        std::ranges::any_of(nest.streams, [&](const Stream& stream) {
                          return stream.strides[lane] != 0 && stream.strides[lane] != 1;
                        });
  if (!has_gaps) return nest;
  const auto nearest = [&](std::size_t loop) {
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    for (const Stream& stream : nest.streams) {
      if (stream.strides[loop] != 0) least = std::min(least, std::abs(stream.strides[loop]));
    }
    return least;
  };
  std::vector<std::size_t> order(nest.outer.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater<>{}, nearest);
  Nest result = nest;
  for (std::size_t k = 0; k < order.size(); ++k) {
    result.outer[k] = nest.outer[order[k]];
    for (std::size_t stream = 0; stream < nest.streams.size(); ++stream) {
      result.streams[stream].strides[k] = nest.streams[stream].strides[order[k]];
    }
    for (std::size_t operation = 0; operation < nest.operations.size(); ++operation) {
      if (nest.operations[operation].loop == static_cast<int>(order[k])) {
        result.operations[operation].loop = static_cast<int>(k);
      }
    }
    if (order[k] == lane) schedule.lane_loop = static_cast<int>(k);
  }
  return result;
}

std::string to_text(const Nest& nest) {
  std::string text =
      fmt::format("outer {} row {}\n", fmt::join(nest.outer, " "), fmt::join(nest.row, " "));
  for (const Stream& stream : nest.streams) {
    text +=
        fmt::format("stream {} {}{}{}\n", to_text(stream.element), fmt::join(stream.strides, " "),
                    stream.bypasses ? " bypasses" : "", stream.is_far ? " far" : "");
  }
  for (const Operation& operation : nest.operations) {
    text += fmt::format("{} {} ({}) stream {} loop {} stride {} number {} {:a} {} {}\n",
                        static_cast<int>(operation.kind), to_text(operation.element),
                        fmt::join(operation.operands, " "), operation.stream, operation.loop,
                        operation.stride, to_text(operation.number), operation.number.real(),
                        operation.word != nullptr ? operation.word->name : "",
                        operation.reduction != nullptr ? operation.reduction->name : "");
  }
  return text;
}

std::int64_t volume(const std::vector<std::int64_t>& sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), std::int64_t{1}, std::multiplies<>{});
}

std::int64_t iterations(const Nest& nest) { return volume(nest.outer) * volume(nest.row); }

std::int64_t bytes_moved(const Nest& nest) {
  std::vector<std::int64_t> sizes = nest.outer;
  sizes.insert(sizes.end(), nest.row.begin(), nest.row.end());
  std::int64_t bytes = 0;
  for (const Stream& stream : nest.streams) {
    std::int64_t elements = 1;
    for (std::size_t loop = 0; loop < sizes.size(); ++loop) {
      if (stream.strides[loop] != 0) elements *= sizes[loop];
    }
    bytes += elements * facts(stream.element).bytes;
  }
  return bytes;
}

}  // namespace axial::kernels
