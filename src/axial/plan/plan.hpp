// A plan: the steps that compute a program on this machine, for one layout of its inputs.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "axial/expr/program.hpp"
#include "axial/kernels/compiler.hpp"
#include "axial/kernels/product.hpp"
#include "axial/kernels/scatter.hpp"
#include "axial/kernels/turn.hpp"
#include "axial/kernels/windows.hpp"
#include "axial/plan/place.hpp"

namespace axial::plan {

/// Memory of a plan: an input, a result that outlives it, or a part of the arena.
struct Buffer {
  ElementType element = float32;
  std::int64_t volume = 0;
  /// Which input it is, or -1.
  int input = -1;
  bool is_result = false;
  /// Where it begins in the arena, in bytes.
  std::int64_t arena_offset = -1;

  std::int64_t bytes() const { return volume * facts(element).bytes; }
};

/// A point in a buffer.
struct Start {
  int buffer;
  std::int64_t offset;
};

/// A generated loop nest; `starts` are the beginnings of its streams.
struct RunNest {
  kernels::Nest nest;
  std::vector<Start> starts;
  kernels::MachineCode code = {};
};
/// A matrix product.
struct RunProduct {
  kernels::Product product;
  Start a, b, c;
};
/// A product of windows with kernels; `points` is memory for these.
struct RunWindows {
  kernels::WindowProduct product;
  Start x, w, points, y;
};
/// A copy in another order of axes.
struct RunTurn {
  kernels::Turn turn;
  Start from, to;
};
/// Rows that a product or a copy in another order gives, and a nest over them, if any.
struct Link {
  std::variant<RunProduct, RunTurn> rows;
  std::optional<RunNest> nest;
  /// The buffers whose rows lie in the same memory, some at a time: what the nest reads, and perhaps what
  /// it writes over that for the next link.
  std::vector<int> between = {};
};
/// Links, of which each but the first multiplies rows that the nest before gave, as in attention: some
/// rows at a time, so that what lies between is never there as a whole.
struct RunChain {
  std::vector<Link> links;
};
/// Fails if an element is not a position along an axis of that size.
struct CheckPositions {
  Place positions;
  SizedAxis axis;
};
/// Slices added up where positions say; `places` are the offsets of these.
struct RunScatter {
  kernels::Scatter scatter;
  std::vector<std::int64_t> places;
  SizedAxis axis;
  Start positions, x, c;
};
/// A node computed as the reference evaluator does; operands are dense in the order of their types.
struct Define {
  expr::Kind kind;
  std::vector<int> operands;
  std::vector<expr::Type> operand_types;
  expr::Type type;
  int result;
};

struct Plan;
/// A recurrence, whose step has a plan of its own. Sequences and states lie position by position, so
/// that a step reads and writes them where they are.
struct RunScan {
  std::shared_ptr<Plan> step;
  bool reverse;
  /// How many of the operands, after the first state, are sequences.
  std::int64_t inputs;
  std::int64_t count;
  std::vector<int> operands;
  /// How the operands of a step lie.
  std::vector<Shape> layouts;
  int result;
};

using Action = std::variant<RunNest, RunProduct, RunWindows, RunTurn, RunChain, RunScatter,
                            CheckPositions, Define, RunScan>;

/// One step, and what it is for: the name of a word or of a kind, for people.
struct PlanStep {
  Action action;
  std::string purpose;
};

/// A result: where it is, as a whole buffer, and how it lies there.
struct Result {
  int buffer;
  ElementType element;
  Shape layout;
};

/// What is larger does not stay near until it is read.
inline constexpr std::int64_t far_bytes = 512 << 10;

struct Plan {
  std::vector<Buffer> buffers;
  std::vector<PlanStep> steps;
  std::vector<Result> results;
  std::int64_t arena_bytes = 0;
};

/// True if a buffer lies between the parts of a link, or of a chain, so that it is never there as a whole.
bool lies_between(const Link& link, int buffer);
bool lies_between(const RunChain& chain, int buffer);

/// The matrices that a link of a chain computes: their rows lie side by side, in the buffer.
struct Matrices {
  int buffer;
  std::int64_t element_bytes;
  std::int64_t batch, rows, columns;

  std::int64_t volume() const { return batch * rows * columns; }
};
Matrices matrices_of(const RunProduct& run);
Matrices matrices_of(const RunTurn& run);
Matrices matrices_of(const Link& link);

/// The buffers that a step reads, and those that it writes.
std::vector<int> reads(const Action& action);
std::vector<int> writes(const Action& action);

/// Plans a program whose inputs lie as `layouts` say (their written order, last axis fastest). Every
/// value must have at least one element. A product of at least `least_joined` bytes is joined to what
/// follows it.
Plan plan(const expr::Program& program, const std::vector<Shape>& layouts,
          std::int64_t least_joined = far_bytes);

/// Joins a product, a nest, and perhaps a product and a nest to a chain where nothing else needs what
/// lies between.
void join_chains(Plan& plan, std::int64_t least_joined);

/// True if some value has no elements: such programs are quick in any case.
bool has_empty_values(const expr::Program& program);

/// Gives every buffer of the arena its offset, so that buffers which are never needed at the same
/// time share memory.
void place_buffers(Plan& plan);

/// Generates the code that the steps need.
void compile(Plan& plan, kernels::Compiler& compiler);

/// Is told how many seconds each step took.
using StepTimer = std::function<void(std::size_t step, double seconds)>;

/// Runs a plan.
expr::Results run(const Plan& plan, expr::Inputs inputs, kernels::Team& team,
                  const StepTimer& timer = {});

}  // namespace axial::plan
