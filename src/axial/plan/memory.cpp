// Who needs which memory when, and where it lies.
#include <algorithm>
#include <map>

#include "axial/plan/plan.hpp"

namespace axial::plan {
namespace {

constexpr std::int64_t line = 64;

/// A part of the arena that is free.
class FreeParts {
 public:
  /// The beginning of a part of that many bytes: the smallest that is large enough, or new memory.
  std::int64_t take(std::int64_t bytes) {
    auto best = parts_.end();
    for (auto part = parts_.begin(); part != parts_.end(); ++part) {
      if (part->second >= bytes && (best == parts_.end() || part->second < best->second))
        best = part;
    }
    if (best == parts_.end()) {
      // The last part may end where new memory begins.
      std::int64_t begin = end_;
      if (!parts_.empty() && parts_.rbegin()->first + parts_.rbegin()->second == end_) {
        begin = parts_.rbegin()->first;
        parts_.erase(begin);
      }
      end_ = begin + bytes;
      return begin;
    }
    const auto [begin, size] = *best;
    parts_.erase(best);
    if (size > bytes) parts_.emplace(begin + bytes, size - bytes);
    return begin;
  }

  void give_back(std::int64_t begin, std::int64_t bytes) {
    auto next = parts_.lower_bound(begin);
    if (next != parts_.end() && begin + bytes == next->first) {
      bytes += next->second;
      next = parts_.erase(next);
    }
    if (next != parts_.begin()) {
      const auto before = std::prev(next);
      if (before->first + before->second == begin) {
        begin = before->first;
        bytes += before->second;
        parts_.erase(before);
      }
    }
    parts_.emplace(begin, bytes);
  }

  std::int64_t end() const { return end_; }

 private:
  std::map<std::int64_t, std::int64_t> parts_;
  std::int64_t end_ = 0;
};

template <class... Cases>
struct Choose : Cases... {
  using Cases::operator()...;
};

/// True if something is stored through the stream.
bool is_written(const kernels::Nest& nest, std::size_t stream) {
  return std::ranges::any_of(nest.operations, [&](const kernels::Operation& operation) {
    return operation.kind == kernels::Operation::Kind::store &&
           operation.stream == static_cast<int>(stream);
  });
}

std::vector<int> nest_buffers(const RunNest& run, bool written) {
  std::vector<int> buffers;
  for (std::size_t k = 0; k < run.starts.size(); ++k) {
    if (is_written(run.nest, k) == written) buffers.push_back(run.starts[k].buffer);
  }
  return buffers;
}

std::vector<int> reads_of(const RunProduct& run) { return {run.a.buffer, run.b.buffer}; }
std::vector<int> reads_of(const RunTurn& run) { return {run.from.buffer}; }

std::vector<int> chain_writes(const RunChain& chain) {
  std::vector<int> buffers;
  for (const Link& link : chain.links) {
    if (link.nest) {
      std::ranges::copy(nest_buffers(*link.nest, true), std::back_inserter(buffers));
    } else {
      buffers.push_back(matrices_of(link).buffer);
    }
  }
  std::erase_if(buffers, [&](int buffer) { return lies_between(chain, buffer); });
  return buffers;
}

/// What a chain reads, without what it computes itself.
std::vector<int> chain_reads(const RunChain& chain) {
  std::vector<int> buffers;
  for (const Link& link : chain.links) {
    std::ranges::copy(std::visit([](const auto& rows) { return reads_of(rows); }, link.rows),
                      std::back_inserter(buffers));
    if (link.nest) std::ranges::copy(nest_buffers(*link.nest, false), std::back_inserter(buffers));
  }
  const std::vector<int> own = chain_writes(chain);
  std::erase_if(buffers, [&](int buffer) {
    return lies_between(chain, buffer) || std::ranges::find(own, buffer) != own.end();
  });
  return buffers;
}

}  // namespace

Matrices matrices_of(const RunProduct& run) {
  const kernels::Product& product = run.product;
  return {run.c.buffer, facts(product.element).bytes, product.batch(), product.rows(),
          product.columns()};
}
Matrices matrices_of(const RunTurn& run) {
  const kernels::Turn& turn = run.turn;
  return {run.to.buffer, turn.element_bytes, std::ssize(turn.from), turn.columns, turn.rows};
}
Matrices matrices_of(const Link& link) {
  return std::visit([](const auto& rows) { return matrices_of(rows); }, link.rows);
}

bool lies_between(const Link& link, int buffer) {
  return std::ranges::find(link.between, buffer) != link.between.end();
}
bool lies_between(const RunChain& chain, int buffer) {
  return std::ranges::any_of(chain.links,
                             [&](const Link& link) { return lies_between(link, buffer); });
}

std::vector<int> reads(const Action& action) {
  return std::visit(
      Choose{[](const RunNest& run) { return nest_buffers(run, false); },
             [](const RunProduct& run) { return reads_of(run); },
             [](const RunWindows& run) { return std::vector<int>{run.x.buffer, run.w.buffer}; },
             [](const RunChain& chain) { return chain_reads(chain); },
             [](const RunTurn& run) { return reads_of(run); },
             [](const RunScatter& run) {
               return std::vector<int>{run.positions.buffer, run.x.buffer};
             },
             [](const CheckPositions& check) { return std::vector<int>{check.positions.buffer}; },
             [](const Define& define) { return define.operands; },
             [](const RunScan& scan) { return scan.operands; }},
      action);
}

std::vector<int> writes(const Action& action) {
  return std::visit(Choose{[](const RunNest& run) { return nest_buffers(run, true); },
                           [](const RunProduct& run) { return std::vector<int>{run.c.buffer}; },
                           [](const RunWindows& run) {
                             return std::vector<int>{run.points.buffer, run.y.buffer};
                           },
                           [](const RunChain& chain) { return chain_writes(chain); },
                           [](const RunTurn& run) { return std::vector<int>{run.to.buffer}; },
                           [](const RunScatter& run) { return std::vector<int>{run.c.buffer}; },
                           [](const CheckPositions&) { return std::vector<int>{}; },
                           [](const Define& define) { return std::vector<int>{define.result}; },
                           [](const RunScan& scan) { return std::vector<int>{scan.result}; }},
                    action);
}

void place_buffers(Plan& plan) {
  const auto in_arena = [&](int buffer) {
    const Buffer& each = plan.buffers[static_cast<std::size_t>(buffer)];
    return each.input < 0 && !each.is_result;
  };
  std::vector<std::size_t> last(plan.buffers.size(), 0);
  for (std::size_t step = 0; step < plan.steps.size(); ++step) {
    for (const int buffer : reads(plan.steps[step].action))
      last[static_cast<std::size_t>(buffer)] = step;
    for (const int buffer : writes(plan.steps[step].action))
      last[static_cast<std::size_t>(buffer)] = step;
  }
  std::vector<std::vector<int>> ending(plan.steps.size());
  for (std::size_t buffer = 0; buffer < plan.buffers.size(); ++buffer) {
    if (in_arena(static_cast<int>(buffer)) && !plan.steps.empty()) {
      ending[last[buffer]].push_back(static_cast<int>(buffer));
    }
  }
  // Buffers a multiple of a page apart would compete for the same lines of the cache.
  constexpr std::int64_t page = 4096;
  const auto rounded = [](std::int64_t bytes) {
    return (bytes + line - 1) / line * line + (bytes >= page ? 5 * line : 0);
  };
  FreeParts parts;
  for (std::size_t step = 0; step < plan.steps.size(); ++step) {
    for (const int buffer : writes(plan.steps[step].action)) {
      Buffer& each = plan.buffers[static_cast<std::size_t>(buffer)];
      if (in_arena(buffer) && each.arena_offset < 0)
        each.arena_offset = parts.take(rounded(each.bytes()));
    }
    for (const int buffer : ending[step]) {
      const Buffer& each = plan.buffers[static_cast<std::size_t>(buffer)];
      if (each.arena_offset >= 0) parts.give_back(each.arena_offset, rounded(each.bytes()));
    }
  }
  plan.arena_bytes = parts.end();
}

}  // namespace axial::plan
