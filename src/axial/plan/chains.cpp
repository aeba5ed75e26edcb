// Finding chains: product, nest, product.
#include <algorithm>
#include <map>

#include "axial/plan/plan.hpp"

namespace axial::plan {
namespace {

/// Which steps read and write each buffer.
struct Uses {
  std::vector<std::size_t> readers;
  std::vector<std::size_t> writers;
};

std::vector<Uses> uses(const Plan& plan) {
  std::vector<Uses> result(plan.buffers.size());
  for (std::size_t step = 0; step < plan.steps.size(); ++step) {
    for (const int buffer : reads(plan.steps[step].action)) {
      auto& readers = result[static_cast<std::size_t>(buffer)].readers;
      if (readers.empty() || readers.back() != step) readers.push_back(step);
    }
    for (const int buffer : writes(plan.steps[step].action)) {
      result[static_cast<std::size_t>(buffer)].writers.push_back(step);
    }
  }
  return result;
}

/// True if a stream passes a buffer row after row, as the outer loops number them.
bool goes_row_by_row(const kernels::Nest& nest, const kernels::Stream& stream) {
  std::int64_t stride = 1;
  std::vector<std::int64_t> sizes = nest.outer;
  sizes.insert(sizes.end(), nest.row.begin(), nest.row.end());
  for (std::size_t loop = sizes.size(); loop-- > 0;) {
    if (sizes[loop] > 1 && stream.strides[loop] != stride) return false;
    stride *= sizes[loop];
  }
  return true;
}

bool streams_go_row_by_row(const RunNest& run, int buffer) {
  for (std::size_t k = 0; k < run.starts.size(); ++k) {
    if (run.starts[k].buffer != buffer) continue;
    if (run.starts[k].offset != 0 || !goes_row_by_row(run.nest, run.nest.streams[k])) return false;
  }
  return true;
}

/// True if the entries are 0, step, 2·step, …
bool are_multiples(const std::vector<std::int64_t>& table, std::int64_t step) {
  for (std::size_t k = 0; k < table.size(); ++k) {
    if (table[k] != static_cast<std::int64_t>(k) * step) return false;
  }
  return true;
}

/// True if the second product takes the rows that the first one gave, matrix by matrix.
bool continues(const kernels::Product& first, const kernels::Product& second) {
  return second.element == first.element && second.batch() == first.batch() &&
         second.rows() == first.rows() && second.terms() == first.columns() &&
         are_multiples(second.a_terms, 1) && are_multiples(second.a_rows, second.terms()) &&
         are_multiples(second.a_batch, second.rows() * second.terms());
}

class Joiner {
 public:
  explicit Joiner(Plan& plan) : plan_(plan), uses_(uses(plan)), gone_(plan.steps.size(), false) {}

  void run() {
    for (std::size_t step = 0; step < plan_.steps.size(); ++step) join_at(step);
    std::vector<PlanStep> kept;
    for (std::size_t step = 0; step < plan_.steps.size(); ++step) {
      if (!gone_[step]) kept.push_back(std::move(plan_.steps[step]));
    }
    plan_.steps = std::move(kept);
  }

 private:
  /// The step that alone reads what alone `writer` writes; nothing if the buffer outlives the plan.
  std::optional<std::size_t> only_reader(int buffer, std::size_t writer) const {
    const auto& [readers, writers] = uses_[static_cast<std::size_t>(buffer)];
    const Buffer& each = plan_.buffers[static_cast<std::size_t>(buffer)];
    const bool is_private = each.input < 0 && !each.is_result && readers.size() == 1 &&
                            writers.size() == 1 && writers[0] == writer;
    return is_private ? std::optional(readers[0]) : std::nullopt;
  }

  void join_at(std::size_t step) {
    const auto* first = std::get_if<RunProduct>(&plan_.steps[step].action);
    if (first == nullptr) return;
    const int scores = first->c.buffer;
    const auto middle = only_reader(scores, step);
    if (!middle) return;
    const auto* nest = std::get_if<RunNest>(&plan_.steps[*middle].action);
    if (nest == nullptr || nest->nest.row.empty()) return;
    const std::vector<int> written = writes(*nest);
    if (written.size() != 1) return;
    const auto end = only_reader(written[0], *middle);
    if (!end) return;
    const auto* second = std::get_if<RunProduct>(&plan_.steps[*end].action);
    if (second == nullptr || second->a.buffer != written[0] || second->b.buffer == written[0] ||
        second->a.offset != 0) {
      return;
    }
    const bool fits = continues(first->product, second->product) &&
                      streams_go_row_by_row(*nest, scores) &&
                      streams_go_row_by_row(*nest, written[0]) &&
                      volume(nest->nest.row) == first->product.columns() &&
                      kernels::schedule(kernels::collapsed(nest->nest)).in_row;
    if (!fits) return;
    RunChain chain{*first, *nest, *second};
    plan_.steps[*end] = {std::move(chain), plan_.steps[*middle].purpose};
    gone_[step] = gone_[*middle] = true;
  }

  static std::int64_t volume(const std::vector<std::int64_t>& sizes) {
    std::int64_t result = 1;
    for (const std::int64_t size : sizes) result *= size;
    return result;
  }

  Plan& plan_;
  std::vector<Uses> uses_;
  std::vector<bool> gone_;
};

}  // namespace

void join_chains(Plan& plan) { Joiner(plan).run(); }

}  // namespace axial::plan
