// Finding chains: product or turn, nest, and perhaps product and nest.
#include <algorithm>

#include "axial/kernels/passes.hpp"
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

bool contains(const std::vector<int>& buffers, int buffer) {
  return std::ranges::find(buffers, buffer) != buffers.end();
}

/// True if a stream passes what it begins with row after row, as the outer loops number them; or, if it
/// repeats each element for a row of so many, element after element.
bool goes_row_by_row(const kernels::Nest& nest, const kernels::Stream& stream,
                     std::int64_t repeats) {
  std::int64_t stride = 1;
  std::vector<std::int64_t> sizes = nest.outer;
  sizes.insert(sizes.end(), nest.row.begin(), nest.row.end());
  for (std::size_t loop = sizes.size(); loop-- > 0;) {
    const bool repeated = repeats > 1;
    if (repeated && repeats % sizes[loop] != 0) return false;
    if (sizes[loop] > 1 && stream.strides[loop] != (repeated ? 0 : stride)) return false;
    if (repeated) {
      repeats /= sizes[loop];
    } else {
      stride *= sizes[loop];
    }
  }
  return true;
}

/// True if all that is read from a buffer or written to it is so.
bool streams_go_row_by_row(const RunNest& run, int buffer, std::int64_t repeats = 1) {
  const auto start_of = [&](const kernels::Operation& operation) {
    return run.starts[static_cast<std::size_t>(operation.stream)];
  };
  for (const kernels::Operation& operation : run.nest.operations) {
    const bool jumps = operation.kind == kernels::Operation::Kind::gather;
    if (jumps && start_of(operation).buffer == buffer) return false;
  }
  for (std::size_t k = 0; k < run.starts.size(); ++k) {
    if (run.starts[k].buffer != buffer) continue;
    if (run.starts[k].offset != 0) return false;
    if (!goes_row_by_row(run.nest, run.nest.streams[k], repeats)) return false;
  }
  return true;
}

/// True if a nest may write a buffer over the rows that it reads: it does so in its last pass, after
/// which it writes nothing that varies along a row.
bool may_write_over_rows(const RunNest& run, int buffer) {
  const kernels::Passes passes = kernels::passes(run.nest);
  for (int k = 0; k < static_cast<int>(run.nest.operations.size()); ++k) {
    const kernels::Operation& operation = run.nest.operations[static_cast<std::size_t>(k)];
    if (operation.kind != kernels::Operation::Kind::store) continue;
    const bool is_it = run.starts[static_cast<std::size_t>(operation.stream)].buffer == buffer;
    for (int pass = 0; pass < passes.count; ++pass) {
      const bool is_last = pass + 1 == passes.count;
      if (passes.runs_in(run.nest, k, pass) && !(is_it && is_last)) return false;
    }
  }
  return true;
}

/// True if code can run on some rows alone, as plan/chain_run.cpp does: it meets the elements of one row, which
/// has so many columns, after the other.
bool runs_by_rows(const kernels::Nest& nest, std::int64_t columns) {
  const kernels::Nest loops = kernels::collapsed(nest);
  const kernels::Schedule schedule = kernels::schedule(loops);
  if (schedule.in_row) return kernels::volume(nest.row) == columns;
  const std::int64_t lane_loop = std::ssize(loops.outer) - 1;
  if (!loops.row.empty() || loops.outer.empty() || schedule.lane_loop != lane_loop) return false;
  const auto are_beside = [&](const kernels::Stream& stream) {
    return stream.strides.back() == 0 || stream.strides.back() == 1;
  };
  const std::int64_t lanes = loops.outer.back();
  return std::ranges::all_of(loops.streams, are_beside) &&
         (columns % lanes == 0 || lanes % columns == 0);
}

/// True if the entries are 0, step, 2·step, …
bool are_multiples(const std::vector<std::int64_t>& table, std::int64_t step) {
  for (std::size_t k = 0; k < table.size(); ++k) {
    if (table[k] != static_cast<std::int64_t>(k) * step) return false;
  }
  return true;
}

/// True if it pays to compute the nest with some rows of a product at a time, though nothing follows:
/// its columns, at least, stay near. They are copied together, which few rows would not repay. Rows are
/// computed as a whole, which would be twice the work of a symmetric product.
bool is_worth_joining(const RunProduct& run, std::int64_t least_joined) {
  constexpr std::int64_t near = 2 << 20, few_rows = 48;
  const kernels::Product& product = run.product;
  return product.runs.empty() && !product.is_symmetric &&
         (product.rows() >= few_rows || least_joined == 0) &&
         product.columns() * product.terms() * facts(product.element).bytes <= near;
}
/// Matrices are turned some rows at a time if these lie side by side afterwards.
bool is_worth_joining(const RunTurn& run, std::int64_t) {
  const kernels::Turn& turn = run.turn;
  return run.to.offset == 0 && turn.to_stride == turn.rows &&
         are_multiples(turn.to, turn.rows * turn.columns);
}

/// True if the second product takes the rows that the first one gave, matrix by matrix.
bool continues(const kernels::Product& first, const kernels::Product& second) {
  return second.element == first.element && second.batch() == first.batch() &&
         second.rows() == first.rows() && second.terms() == first.columns() &&
         are_multiples(second.a_terms, 1) && are_multiples(second.a_rows, second.terms()) &&
         are_multiples(second.a_batch, second.rows() * second.terms());
}

/// Lets streams pass through the cache that other parts of the chain use, which are not far, and those of
/// which some rows may begin anywhere in a line of the cache, since only whole lines may bypass it.
void keep_near(RunChain& chain) {
  for (Link& link : chain.links) {
    if (!link.nest) continue;
    const std::int64_t columns = matrices_of(link).columns;
    for (std::size_t k = 0; k < link.nest->starts.size(); ++k) {
      kernels::Stream& stream = link.nest->nest.streams[k];
      const bool is_between = lies_between(chain, link.nest->starts[k].buffer);
      stream.bypasses &= columns * facts(stream.element).bytes % 64 == 0 && !is_between;
      stream.is_far &= !is_between;
    }
  }
}

/// The same step, computed row by row as a whole.
RunProduct by_rows(RunProduct run) {
  run.product.is_symmetric = false;
  return run;
}
const RunTurn& by_rows(const RunTurn& run) { return run; }

class Joiner {
 public:
  Joiner(Plan& plan, std::int64_t least_joined)
      : plan_(plan),
        least_joined_(least_joined),
        uses_(uses(plan)),
        gone_(plan.steps.size(), false) {}

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
    const Action& action = plan_.steps[step].action;
    if (const auto* product = std::get_if<RunProduct>(&action)) join(*product, step);
    if (const auto* turn = std::get_if<RunTurn>(&action)) join(*turn, step);
  }

  template <class First>
  void join(const First& first, std::size_t step) {
    const Matrices rows = matrices_of(first);
    const auto middle = nest_after(first, step);
    if (!middle) return;
    const auto& nest = std::get<RunNest>(plan_.steps[*middle].action);
    const auto end = second_product(first, nest, *middle);
    // What stays near until the nest reads it may as well be there as a whole.
    const bool is_large = rows.volume() * rows.element_bytes >= least_joined_;
    if (!end && !(is_large && is_worth_joining(first, least_joined_))) return;
    RunChain chain{{{by_rows(first), nest, {rows.buffer}}}};
    std::vector<std::size_t> joined = {step, *middle};
    std::string purpose = plan_.steps[*middle].purpose;
    if (end) {
      const auto& second = std::get<RunProduct>(plan_.steps[*end].action);
      chain.links[0].between.push_back(second.a.buffer);
      chain.links.push_back({second, std::nullopt});
      joined.push_back(*end);
      if (const auto last = last_nest(nest, second, *end)) {
        chain.links[1].nest = std::get<RunNest>(plan_.steps[*last].action);
        chain.links[1].between = {second.c.buffer};
        joined.push_back(*last);
        purpose += " " + plan_.steps[*last].purpose;
      }
    }
    keep_near(chain);
    plan_.steps[joined.back()] = {std::move(chain), std::move(purpose)};
    for (const std::size_t each : joined) gone_[each] = each != joined.back();
  }

  /// The nest that alone reads the rows which a step gives, if it can run on some of them alone.
  template <class First>
  std::optional<std::size_t> nest_after(const First& first, std::size_t step) const {
    const Matrices rows = matrices_of(first);
    const auto reader = only_reader(rows.buffer, step);
    if (!reader || gone_[*reader]) return std::nullopt;
    const auto* nest = std::get_if<RunNest>(&plan_.steps[*reader].action);
    const bool fits = nest != nullptr && kernels::iterations(nest->nest) == rows.volume() &&
                      streams_go_row_by_row(*nest, rows.buffer) &&
                      runs_by_rows(nest->nest, rows.columns);
    return fits ? reader : std::nullopt;
  }

  /// Nothing is multiplied before.
  std::optional<std::size_t> second_product(const RunTurn&, const RunNest&, std::size_t) const {
    return std::nullopt;
  }
  /// The product that alone reads the rows that alone the nest writes. Of what the nest writes besides,
  /// nothing may be needed before.
  std::optional<std::size_t> second_product(const RunProduct& first, const RunNest& nest,
                                            std::size_t middle) const {
    if (nest.nest.row.empty()) return std::nullopt;
    const std::vector<int> written = writes(nest);
    for (const int buffer : written) {
      const auto end = only_reader(buffer, middle);
      if (!end) continue;
      const auto* second = std::get_if<RunProduct>(&plan_.steps[*end].action);
      // What lies between must be worth leaving out: a larger result had rather be joined to its own nest.
      const bool fits =
          second != nullptr && second->a.buffer == buffer && !contains(written, second->b.buffer) &&
          second->a.offset == 0 && second->product.columns() <= first.product.columns() &&
          continues(first.product, second->product) && streams_go_row_by_row(nest, buffer) &&
          may_write_over_rows(nest, buffer) && nobody_reads_before(written, *end);
      if (fits) return end;
    }
    return std::nullopt;
  }

  /// The nest over the rows of the second product, if what it needs of the first nest belongs to these.
  std::optional<std::size_t> last_nest(const RunNest& nest, const RunProduct& second,
                                       std::size_t end) const {
    const auto last = nest_after(second, end);
    if (!last) return std::nullopt;
    const auto& following = std::get<RunNest>(plan_.steps[*last].action);
    std::vector<int> others = writes(nest);
    std::erase(others, second.a.buffer);
    const bool fits =
        nobody_reads_before(others, *last) && std::ranges::all_of(others, [&](int buffer) {
          return streams_go_row_by_row(following, buffer, second.product.columns());
        });
    return fits ? last : std::nullopt;
  }

  bool nobody_reads_before(const std::vector<int>& buffers, std::size_t step) const {
    return std::ranges::all_of(buffers, [&](int buffer) {
      return std::ranges::all_of(uses_[static_cast<std::size_t>(buffer)].readers,
                                 [&](std::size_t reader) { return reader >= step; });
    });
  }

  Plan& plan_;
  std::int64_t least_joined_;
  std::vector<Uses> uses_;
  std::vector<bool> gone_;
};

}  // namespace

void join_chains(Plan& plan, std::int64_t least_joined) { Joiner(plan, least_joined).run(); }

}  // namespace axial::plan
