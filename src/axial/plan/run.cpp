#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <cstring>

#include "axial/base/error.hpp"
#include "axial/kernels/tile.hpp"
#include "axial/plan/chain_run.hpp"
#include "axial/plan/groups.hpp"
#include "axial/plan/plan.hpp"
#include "axial/reference/definitions.hpp"
#include "axial/tensor/memory.hpp"

namespace axial::plan {
namespace {

using Clock = std::chrono::steady_clock;

/// One run of a plan: where its buffers are in memory.
class Run {
 public:
  Run(const Plan& plan, expr::Inputs inputs, kernels::Team& team)
      : plan_(plan), inputs_(inputs), team_(team) {
    arena_ = take_block(static_cast<std::size_t>(plan.arena_bytes));
    if (arena_ == nullptr) {
      throw Error(
          code("too-large"),
          fmt::format("no memory for what is computed on the way: it takes {} bytes at once",
                      plan.arena_bytes),
          "use smaller sizes, or work on slices");
    }
    blocks_.resize(plan.buffers.size());
    for (const Result& result : plan.results) {
      const auto k = static_cast<std::size_t>(result.buffer);
      const Buffer& each = plan.buffers[k];
      if (each.is_result && blocks_[k] == nullptr)
        blocks_[k] = allocate(each.element, result.layout);
    }
    memory_.reserve(plan.buffers.size());
    for (std::size_t k = 0; k < plan.buffers.size(); ++k) memory_.push_back(memory_of(k));
  }

  expr::Results results(const StepTimer& timer) {
    for (std::size_t k = 0; k < plan_.steps.size(); ++k) {
      const auto start = timer ? Clock::now() : Clock::time_point{};
      std::visit([&](const auto& action) { carry_out(action); }, plan_.steps[k].action);
      if (timer) timer(k, std::chrono::duration<double>(Clock::now() - start).count());
    }
    expr::Results results;
    for (const Result& result : plan_.results) results.push_back(array_of(result));
    return results;
  }

 private:
  std::byte* memory_of(std::size_t number) const {
    const Buffer& each = plan_.buffers[number];
    if (each.input >= 0) {
      // Inputs are only read; nests and products take all memory by one kind of pointer.
      return const_cast<std::byte*>(inputs_[static_cast<std::size_t>(each.input)]->bytes());
    }
    if (each.is_result) return static_cast<std::byte*>(blocks_[number].get());
    const bool is_used = each.arena_offset >= 0;
    return is_used ? static_cast<std::byte*>(arena_.get()) + each.arena_offset : nullptr;
  }
  const Buffer& buffer(int number) const { return plan_.buffers[static_cast<std::size_t>(number)]; }
  std::byte* at(const Start& start) const {
    return memory_[static_cast<std::size_t>(start.buffer)] +
           start.offset * facts(buffer(start.buffer).element).bytes;
  }

  Array array_of(const Result& result) const {
    const int input = buffer(result.buffer).input;
    if (input >= 0) return inputs_[static_cast<std::size_t>(input)]->reinterpreted(result.layout);
    return {result.element, result.layout, blocks_[static_cast<std::size_t>(result.buffer)]};
  }

  void carry_out(const RunNest& run) {
    std::vector<void*> streams;
    streams.reserve(run.starts.size());
    for (const Start& start : run.starts) streams.push_back(at(start));
    const kernels::MachineCode& code = run.code;
    const std::int64_t passed = kernels::iterations(run.nest);
    const auto task = [&](int number, int parts) {
      const bool by_rows = code.rows >= parts;
      const kernels::Part part = by_rows ? kernels::part_of(code.rows, number, parts)
                                         : kernels::part_of(code.lanes, number, parts, code.width);
      // Without lanes, code does all of its rows whoever asks.
      if (part.first == part.last) return;
      if (by_rows) {
        code.function(streams.data(), part.first, part.last, 0, code.lanes);
      } else {
        code.function(streams.data(), 0, code.rows, part.first, part.last);
      }
    };
    // Lanes that lie side by side are passed together as far as can be.
    const bool has_many_rows = code.rows >= 64 * team_.size();
    team_.share(passed, task,
                has_many_rows ? kernels::CostOfParts::none : kernels::CostOfParts::some);
  }

  void carry_out(const RunProduct& run) {
    kernels::multiply(run.product, at(run.a), at(run.b), at(run.c), team_);
  }

  void carry_out(const RunWindows& run) {
    kernels::multiply(run.product, at(run.x), at(run.w), at(run.points), at(run.y), team_);
  }

  void carry_out(const RunChain& chain) {
    const Matrices all = matrices_of(chain.links.front());
    const auto task = [&](int number, int parts) {
      const bool by_matrix = all.batch >= parts;
      const kernels::Part all_matrices{0, all.batch};
      const kernels::Part all_rows{0, all.rows};
      const kernels::Part matrices =
          by_matrix ? kernels::part_of(all.batch, number, parts) : all_matrices;
      const kernels::Part rows =
          by_matrix ? all_rows : kernels::part_of(all.rows, number, parts, rows_at_once(chain));
      if (rows.first == rows.last) return;
      run_rows(chain, matrices, rows, [&](const Start& start) { return at(start); });
    };
    // What is prepared for a matrix serves all of its rows.
    const bool has_many_matrices = all.batch >= 64 * team_.size();
    team_.share(passed(chain), task,
                has_many_matrices ? kernels::CostOfParts::none : kernels::CostOfParts::some);
  }

  void carry_out(const CheckPositions& check) {
    const Place& place = check.positions;
    const ElementType element = buffer(place.buffer).element;
    std::vector<SizedAxis> axes;
    Track track{{}, place.offset};
    for (const Extent& each : place.axes) {
      axes.push_back(each.axis[each.size]);
      track.strides.push_back(each.stride);
    }
    visit_element(element, [&]<class T>() {
      const T* elements =
          reinterpret_cast<const T*>(memory_[static_cast<std::size_t>(place.buffer)]);
      walk(Shape(axes), {track},
           [&](const std::int64_t* offset) { require_position(elements[*offset], check.axis); });
    });
  }

  void carry_out(const RunTurn& run) { kernels::turn(run.turn, at(run.from), at(run.to), team_); }

  void carry_out(const RunScatter& run) {
    std::vector<std::int64_t> positions;
    positions.reserve(run.places.size());
    visit_element(buffer(run.positions.buffer).element, [&]<class T>() {
      const T* elements = reinterpret_cast<const T*>(at(run.positions));
      for (const std::int64_t place : run.places) {
        require_position(elements[place], run.axis);
        positions.push_back(static_cast<std::int64_t>(elements[place]));
      }
    });
    std::memset(at(run.c), 0, static_cast<std::size_t>(buffer(run.c.buffer).bytes()));
    kernels::scatter(run.scatter, positions, at(run.x), at(run.c), team_);
  }

  template <class T>
  static void require_position(T value, SizedAxis axis) {
    const auto real = static_cast<double>(value);
    if (std::trunc(real) == real && real >= 0 && real < static_cast<double>(axis.size)) return;
    reference::require_position(real, axis);
  }

  void carry_out(const Define& define) {
    std::vector<Array> operands;
    for (std::size_t k = 0; k < define.operands.size(); ++k) {
      const int number = define.operands[k];
      operands.push_back(borrowed(number, define.operand_types[k].shape,
                                  memory_[static_cast<std::size_t>(number)]));
    }
    const Array value = reference::define(define.kind, operands, define.type);
    const Array ordered = laid_out(value, define.type.shape.names());
    std::memcpy(memory_[static_cast<std::size_t>(define.result)], ordered.bytes(),
                static_cast<std::size_t>(buffer(define.result).bytes()));
  }

  void carry_out(const RunScan& scan) {
    const Shape& state = scan.layouts[0];
    const std::int64_t state_bytes = bytes_of(scan.result, state);
    std::byte* states = memory_[static_cast<std::size_t>(scan.result)];
    std::vector<Array> operands;
    for (std::size_t k = 0; k < scan.operands.size(); ++k) operands.push_back(one_of(scan, k, 0));
    for (std::int64_t step = 0; step < scan.count; ++step) {
      const std::int64_t position = scan.reverse ? scan.count - 1 - step : step;
      for (std::size_t k = 1; k <= static_cast<std::size_t>(scan.inputs); ++k) {
        operands[k] = one_of(scan, k, position);
      }
      const Array next =
          laid_out(run(*scan.step, expr::pointers_to(operands), team_)[0], state.names());
      std::byte* place = states + position * state_bytes;
      std::memcpy(place, next.bytes(), static_cast<std::size_t>(state_bytes));
      operands[0] = borrowed(scan.result, state, place);
    }
  }

  /// What a step of a scan takes at a position: that part of a sequence, or all of another operand.
  Array one_of(const RunScan& scan, std::size_t operand, std::int64_t position) const {
    const int number = scan.operands[operand];
    const Shape& layout = scan.layouts[operand];
    return borrowed(
        number, layout,
        memory_[static_cast<std::size_t>(number)] + position * bytes_of(number, layout));
  }
  std::int64_t bytes_of(int number, const Shape& shape) const {
    return shape.volume() * facts(buffer(number).element).bytes;
  }
  /// Memory of a buffer as an array that must not outlive it.
  Array borrowed(int number, const Shape& shape, const std::byte* place) const {
    return {buffer(number).element, shape,
            std::shared_ptr<const void>(std::shared_ptr<const void>(), place)};
  }

  const Plan& plan_;
  expr::Inputs inputs_;
  kernels::Team& team_;
  std::shared_ptr<void> arena_;
  std::vector<std::shared_ptr<void>> blocks_;
  std::vector<std::byte*> memory_;
};

}  // namespace

namespace {

/// All nests of a plan and of the plans inside it.
void collect(Plan& plan, std::vector<RunNest*>& runs) {
  for (PlanStep& step : plan.steps) {
    if (auto* run = std::get_if<RunNest>(&step.action)) runs.push_back(run);
    if (auto* chain = std::get_if<RunChain>(&step.action)) {
      for (Link& link : chain->links) {
        if (link.nest) runs.push_back(&*link.nest);
      }
    }
    if (auto* scan = std::get_if<RunScan>(&step.action)) collect(*scan->step, runs);
  }
}

}  // namespace

void compile(Plan& plan, kernels::Compiler& compiler) {
  std::vector<RunNest*> runs;
  std::vector<kernels::Nest> nests;
  collect(plan, runs);
  for (const RunNest* run : runs) nests.push_back(run->nest);
  const std::vector<kernels::MachineCode> codes = compiler.compile(nests);
  for (std::size_t k = 0; k < runs.size(); ++k) runs[k]->code = codes[k];
}

expr::Results run(const Plan& plan, expr::Inputs inputs, kernels::Team& team,
                  const StepTimer& timer) {
  return Run(plan, inputs, team).results(timer);
}

}  // namespace axial::plan
