#include "axial/plan/stepwise.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "axial/plan/groups.hpp"
#include "axial/plan/stepwise_loops.hpp"
#include "axial/reference/definitions.hpp"

namespace axial::plan {

struct Stepwise::Steps {
  /// Where values lie: in an input, a result, memory of the run, or as a constant.
  struct Block {
    enum class Kind : std::uint8_t { input, result, passing, constant } kind;
    ElementType element;
    Shape shape;
    /// Which input or constant, the first result that lies here, or where in the memory of the run.
    std::int64_t place = 0;
  };
  /// A value: its block, and how it lies there.
  struct Value {
    int block;
    Shape layout;
    expr::Type type;
  };
  struct Instruction {
    /// Null where the definition of the node is used itself.
    CarryOut carry_out = nullptr;
    Work work;
    std::array<int, stream_count> streams = {};
    std::size_t step = 0;
  };

  expr::Program program;
  std::vector<Block> blocks;
  std::vector<Value> values;
  std::vector<Array> constants;
  std::vector<Instruction> instructions;
  std::int64_t bytes = 0;

  Steps(expr::Program given, const std::vector<Shape>& layouts) : program(std::move(given)) {
    for (std::size_t k = 0; k < layouts.size(); ++k) {
      const expr::Type& type = program.inputs[k];
      blocks.push_back(
          {Block::Kind::input, storage(type), layouts[k], static_cast<std::int64_t>(k)});
      values.push_back({static_cast<int>(k), layouts[k], type});
    }
    for (std::size_t k = 0; k < program.steps.size(); ++k) add(k);
    for (std::size_t k = 0; k < program.results.size(); ++k) {
      Block& block = blocks[static_cast<std::size_t>(value(program.results[k]).block)];
      if (block.kind != Block::Kind::passing) continue;
      block.kind = Block::Kind::result;
      block.place = static_cast<std::int64_t>(k);
    }
    for (Block& block : blocks) {
      if (block.kind != Block::Kind::passing) continue;
      constexpr std::int64_t line = 64;
      block.place = bytes;
      bytes += (block.shape.volume() * facts(block.element).bytes + line - 1) / line * line;
    }
  }

  const Value& value(std::int64_t number) const { return values[static_cast<std::size_t>(number)]; }

  void add(std::size_t number) {
    const expr::Step& step = program.steps[number];
    if (std::holds_alternative<expr::Rename>(step.kind)) {
      const Value& operand = value(step.operands[0]);
      // An input may lie in another order than its type says; then names change in that order.
      if (operand.layout.is_written_as(operand.type.shape)) {
        values.push_back({operand.block, step.type.shape, step.type});
        return;
      }
    }
    const int block = static_cast<int>(blocks.size());
    blocks.push_back({Block::Kind::passing, storage(step.type), step.type.shape});
    if (const auto* literal = std::get_if<expr::Literal>(&step.kind)) {
      blocks.back().kind = Block::Kind::constant;
      blocks.back().place = std::ssize(constants);
      constants.push_back(scalar(literal->value, storage(step.type)));
    } else {
      Instruction instruction;
      instruction.step = number;
      instruction.streams[0] = block;
      instruction.work.results = step.type.shape.volume();
      std::visit([&](const auto& kind) { choose(kind, step, instruction); }, step.kind);
      if (instruction.work.walk.sizes.size() > max_loops) instruction.carry_out = nullptr;
      instructions.push_back(std::move(instruction));
    }
    values.push_back({block, step.type.shape, step.type});
  }

  /// Sets the streams of an instruction whose elements are those of `walked`.
  void set_walk(Instruction& instruction, const expr::Step& step, const Shape& walked) const {
    std::vector<Track> tracks{track(step.type.shape, walked)};
    for (std::size_t k = 0; k < step.operands.size(); ++k) {
      const Value& operand = value(step.operands[k]);
      instruction.streams[k + 1] = operand.block;
      tracks.push_back(track(operand.layout, walked));
    }
    for (std::size_t loop = 0; loop < walked.written().size(); ++loop) {
      Offsets strides{};
      for (std::size_t k = 0; k < tracks.size(); ++k) strides[k] = tracks[k].strides[loop];
      add_loop(instruction.work.walk, walked.written()[loop].size, strides);
    }
  }

  bool share_element(const expr::Step& step) const {
    return std::ranges::all_of(step.operands, [&](std::int64_t operand) {
      return storage(value(operand).type) == storage(value(step.operands[0]).type);
    });
  }

  /// The general kind is left to its definition.
  template <class Kind>
  void choose(const Kind&, const expr::Step&, Instruction&) const {}

  void choose(const expr::Map& node, const expr::Step& step, Instruction& instruction) const {
    if (!share_element(step)) return;
    instruction.work.word = node.word;
    set_walk(instruction, step, step.type.shape);
    const ElementType operands = storage(value(step.operands[0]).type);
    instruction.carry_out = map_loop(*node.word, operands, storage(step.type));
  }

  void choose(const expr::Reduce& node, const expr::Step& step, Instruction& instruction) const {
    const Value& operand = value(step.operands[0]);
    if (storage(operand.type) != storage(step.type)) return;
    instruction.work.word = node.word->combine;
    instruction.work.real_start = node.word->real_start;
    instruction.work.whole_start = node.word->whole_start;
    set_walk(instruction, step, step.type.shape* restrict(operand.type.shape, node.over));
    instruction.carry_out = reduce_loop(storage(step.type));
  }

  void choose(const expr::Contract& node, const expr::Step& step, Instruction& instruction) const {
    if (step.operands.size() != 2 || !share_element(step)) return;
    const Shape all = value(step.operands[0]).type.shape | value(step.operands[1]).type.shape;
    set_walk(instruction, step, step.type.shape* restrict(all, node.over));
    instruction.carry_out = contract_loop(storage(step.type));
  }

  void choose(const expr::Broadcast&, const expr::Step& step, Instruction& instruction) const {
    set_walk(instruction, step, step.type.shape);
    instruction.carry_out = copy_loop(storage(step.type));
  }

  /// The value by the definition of the node.
  void define(const Instruction& instruction, std::byte* const* memory) const {
    const expr::Step& step = program.steps[instruction.step];
    std::vector<Array> operands;
    for (const std::int64_t operand : step.operands) {
      const Value& one = value(operand);
      const Array array(storage(one.type), one.layout,
                        std::shared_ptr<const void>(std::shared_ptr<const void>(),
                                                    memory[static_cast<std::size_t>(one.block)]));
      operands.push_back(laid_out(array, one.type.shape.names()));
    }
    const Array defined =
        laid_out(reference::define(step.kind, operands, step.type), step.type.shape.names());
    std::memcpy(memory[static_cast<std::size_t>(instruction.streams[0])], defined.bytes(),
                static_cast<std::size_t>(defined.volume() * facts(defined.type()).bytes));
  }
};

Stepwise::Stepwise(expr::Program program, const std::vector<Shape>& layouts)
    : steps_(std::make_shared<const Steps>(std::move(program), layouts)) {}

expr::Results Stepwise::run(expr::Inputs inputs) const {
  using Kind = Steps::Block::Kind;
  const Steps& steps = *steps_;
  // Kept for the next run.
  struct Workspace {
    std::vector<std::byte> passing;
    std::vector<std::byte*> memory;
  };
  thread_local Workspace workspace;
  auto& [passing, memory] = workspace;
  passing.resize(std::max(passing.size(), static_cast<std::size_t>(steps.bytes)));
  memory.resize(std::max(memory.size(), steps.blocks.size()));
  expr::Results results;
  for (const std::int64_t number : steps.program.results) {
    const Steps::Value& value = steps.value(number);
    const Steps::Block& block = steps.blocks[static_cast<std::size_t>(value.block)];
    const auto place = static_cast<std::size_t>(block.place);
    if (block.kind == Kind::input)
      results.push_back(inputs[place]->reinterpreted(value.layout));
    else if (block.kind == Kind::constant)
      results.push_back(steps.constants[place]);
    else if (place == results.size())
      results.push_back({block.element, value.layout, allocate(block.element, block.shape)});
    else
      results.push_back(results[place].reinterpreted(value.layout));
  }
  for (std::size_t k = 0; k < steps.blocks.size(); ++k) {
    const Steps::Block& block = steps.blocks[k];
    const auto place = static_cast<std::size_t>(block.place);
    switch (block.kind) {
      // Inputs and constants are only read.
      case Kind::input: memory[k] = const_cast<std::byte*>(inputs[place]->bytes()); break;
      case Kind::constant:
        memory[k] = const_cast<std::byte*>(steps.constants[place].bytes());
        break;
      case Kind::passing: memory[k] = passing.data() + place; break;
      // Nobody else has the result yet.
      case Kind::result: memory[k] = const_cast<std::byte*>(results[place].bytes()); break;
    }
  }
  for (const Steps::Instruction& instruction : steps.instructions) {
    if (instruction.carry_out == nullptr) {
      steps.define(instruction, memory.data());
      continue;
    }
    Streams streams;
    for (std::size_t k = 0; k < stream_count; ++k)
      streams[k] = memory[static_cast<std::size_t>(instruction.streams[k])];
    instruction.carry_out(instruction.work, streams);
  }
  return results;
}

}  // namespace axial::plan
