#include "axial/plan/stepwise.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "axial/plan/groups.hpp"
#include "axial/reference/carrier.hpp"
#include "axial/reference/definitions.hpp"

namespace axial::plan {
namespace {

using reference::Carrier;
using reference::meaning;

constexpr std::size_t stream_count = 4;
constexpr std::size_t max_loops = 16;
using Offsets = std::array<std::int64_t, stream_count>;

/// A walk through the elements that a step writes (stream 0) and reads: its loops, the last innermost,
/// and how far each moves every stream.
struct Walk {
  std::vector<std::int64_t> sizes;
  std::vector<Offsets> strides;
  std::int64_t volume = 1;
};

/// Adds an inner loop; one that goes on where the loop around it would is joined with it.
void add_loop(Walk& walk, std::int64_t size, const Offsets& strides) {
  walk.volume *= size;
  if (size == 1) return;
  const auto continues = [&] {
    for (std::size_t k = 0; k < stream_count; ++k) {
      if (walk.strides.back()[k] != strides[k] * size) return false;
    }
    return true;
  };
  if (!walk.sizes.empty() && continues()) {
    walk.sizes.back() *= size;
    walk.strides.back() = strides;
  } else {
    walk.sizes.push_back(size);
    walk.strides.push_back(strides);
  }
}

/// Calls visit(offsets) for all positions of the first `loops` loops, the last of them fastest.
template <class Visit>
void pass_outer(const Walk& walk, std::size_t loops, const Visit& visit) {
  if (walk.volume == 0) return;
  Offsets at{};
  std::array<std::int64_t, max_loops> positions{};
  while (true) {
    visit(at);
    std::size_t loop = loops;
    while (loop > 0 && ++positions[loop - 1] == walk.sizes[loop - 1]) {
      --loop;
      positions[loop] = 0;
      for (std::size_t s = 0; s < stream_count; ++s)
        at[s] -= walk.strides[loop][s] * (walk.sizes[loop] - 1);
    }
    if (loop == 0) return;
    for (std::size_t s = 0; s < stream_count; ++s) at[s] += walk.strides[loop - 1][s];
  }
}

/// Calls visit(offsets, strides, count) for each run of the innermost loop.
template <class Visit>
void pass(const Walk& walk, const Visit& visit) {
  if (walk.sizes.empty()) {
    if (walk.volume > 0) visit(Offsets{}, Offsets{}, 1);
    return;
  }
  pass_outer(walk, walk.sizes.size() - 1,
             [&](const Offsets& at) { visit(at, walk.strides.back(), walk.sizes.back()); });
}

using Streams = std::array<std::byte*, stream_count>;

/// What a step does to its streams.
struct Work {
  Walk walk;
  const Word* word = nullptr;
  double real_start = 0;
  std::int64_t whole_start = 0;
  /// How many elements the result has.
  std::int64_t results = 0;
};
using CarryOut = void (*)(const Work&, const Streams&);

/// Applies f to `arity` elements at a time.
template <class T, class R, int arity, class Function>
void map_by(const Function& f, const Work& work, const Streams& streams) {
  using C = Carrier<T>;
  auto* out = reinterpret_cast<R*>(streams[0]);
  const auto* a = reinterpret_cast<const T*>(streams[1]);
  const auto* b = reinterpret_cast<const T*>(streams[2]);
  const auto* c = reinterpret_cast<const T*>(streams[3]);
  pass(work.walk, [&](const Offsets& at, const Offsets& by, std::int64_t count) {
    for (std::int64_t k = 0; k < count; ++k) {
      const auto read = [&](const T* from, std::size_t s) {
        return static_cast<C>(from[at[s] + k * by[s]]);
      };
      R& to = out[at[0] + k * by[0]];
      if constexpr (arity == 1) to = static_cast<R>(f(read(a, 1)));
      if constexpr (arity == 2) to = static_cast<R>(f(read(a, 1), read(b, 2)));
      if constexpr (arity == 3) to = static_cast<R>(f(read(a, 1), read(b, 2), read(c, 3)));
    }
  });
}

template <class T, class R, int arity>
void map(const Work& work, const Streams& streams) {
  map_by<T, R, arity>(meaning<Carrier<T>>(*work.word), work, streams);
}

/// The same for a word that is known while this is compiled, so that its meaning becomes part of the loop.
template <class T, std::size_t number>
void map_word(const Work& work, const Streams& streams) {
  constexpr const Meaning<double>& meant = elementwise_words[number].real;
  if constexpr (meant.arity() > 0) {
    map_by<T, T, meant.arity()>([](auto... x) { return elementwise_words[number].real(x...); },
                                work, streams);
  } else {
    bug("this word has no meaning for real numbers");
  }
}
template <std::floating_point T>
constexpr auto maps_of_words = []<std::size_t... number>(std::index_sequence<number...>) {
  return std::array{&map_word<T, number>...};
}(std::make_index_sequence<elementwise_words.size()>());

/// Memory for carriers of results, kept for the next step.
template <class C>
std::vector<C>& totals(std::int64_t count, C start) {
  thread_local std::vector<C> memory;
  memory.assign(static_cast<std::size_t>(count), start);
  return memory;
}

template <class T>
void reduce(const Work& work, const Streams& streams) {
  using C = Carrier<T>;
  const Meaning<C>& combine = meaning<C>(*work.word);
  const auto* a = reinterpret_cast<const T*>(streams[1]);
  std::vector<C>& sums =
      totals<C>(work.results, std::same_as<C, double> ? static_cast<C>(work.real_start)
                                                      : static_cast<C>(work.whole_start));
  pass(work.walk, [&](const Offsets& at, const Offsets& by, std::int64_t count) {
    for (std::int64_t k = 0; k < count; ++k) {
      C& sum = sums[static_cast<std::size_t>(at[0] + k * by[0])];
      sum = combine(sum, static_cast<C>(a[at[1] + k * by[1]]));
    }
  });
  std::ranges::transform(sums, reinterpret_cast<T*>(streams[0]),
                         [](C value) { return static_cast<T>(value); });
}

/// A sum's next value. For real numbers the processor has the two words that it takes; to call them would
/// take longer than they do.
template <class C>
C with_product(C sum, C left, C right) {
  if constexpr (std::same_as<C, double>) {
    return sum + left * right;
  } else {
    static const Meaning<C>& multiply = meaning<C>(word("mul"));
    static const Meaning<C>& add = meaning<C>(word("add"));
    return add(sum, multiply(left, right));
  }
}

/// `count` sums that lie side by side, of one row and as many columns: none waits for another.
template <class T, int count>
void add_beside(const T* row, std::int64_t row_stride, const T* columns, std::int64_t stride,
                std::int64_t terms, Carrier<T>* sums) {
  using C = Carrier<T>;
  C totals[count];
  std::copy_n(sums, count, totals);
  for (std::int64_t k = 0; k < terms; ++k, row += row_stride, columns += stride) {
    const C factor = static_cast<C>(*row);
    // Unrolled, the totals stay in registers.
#pragma GCC unroll 8
    for (int j = 0; j < count; ++j)
      totals[j] = with_product(totals[j], factor, static_cast<C>(columns[j]));
  }
  std::copy_n(totals, count, sums);
}

/// For each count of sums up to a few how they are added.
template <class T>
constexpr auto add_beside_of = []<int... k>(std::integer_sequence<int, k...>) {
  return std::array{&add_beside<T, k + 1>...};
}(std::make_integer_sequence<int, 8>());

template <class T>
void contract(const Work& work, const Streams& streams) {
  using C = Carrier<T>;
  const auto* a = reinterpret_cast<const T*>(streams[1]);
  const auto* b = reinterpret_cast<const T*>(streams[2]);
  std::vector<C>& sums = totals<C>(work.results, C{0});
  const Walk& walk = work.walk;
  const std::size_t loops = walk.sizes.size();
  const auto moves = [&](std::size_t loop, const Offsets& strides) {
    return loop < loops &&
           std::equal(strides.begin(), strides.begin() + 3, walk.strides[loop].begin());
  };
  const bool left_is_row = moves(loops - 2, {1, 0, 1});
  if (loops >= 2 && walk.strides[loops - 1][0] == 0 &&
      (left_is_row || moves(loops - 2, {1, 1, 0}))) {
    const std::size_t row = left_is_row ? 1 : 2, column = 3 - row;
    const T* rows = left_is_row ? a : b;
    const T* columns = left_is_row ? b : a;
    const Offsets& along = walk.strides[loops - 1];
    pass_outer(walk, loops - 2, [&](const Offsets& at) {
      constexpr auto most = static_cast<std::int64_t>(add_beside_of<T>.size());
      for (std::int64_t j = 0; j < walk.sizes[loops - 2]; j += most) {
        const std::int64_t count = std::min(most, walk.sizes[loops - 2] - j);
        add_beside_of<T>[static_cast<std::size_t>(count - 1)](
            rows + at[row], along[row], columns + at[column] + j, along[column],
            walk.sizes[loops - 1], sums.data() + at[0] + j);
      }
    });
  } else {
    pass(walk, [&](const Offsets& at, const Offsets& by, std::int64_t count) {
      const T* left = a + at[1];
      const T* right = b + at[2];
      C* sum = sums.data() + at[0];
      if (by[0] == 0) {
        add_beside<T, 1>(left, by[1], right, by[2], count, sum);
        return;
      }
      for (std::int64_t k = 0; k < count; ++k, left += by[1], right += by[2], sum += by[0])
        *sum = with_product(*sum, static_cast<C>(*left), static_cast<C>(*right));
    });
  }
  std::ranges::transform(sums, reinterpret_cast<T*>(streams[0]),
                         [](C value) { return static_cast<T>(value); });
}

template <class T>
void copy(const Work& work, const Streams& streams) {
  auto* out = reinterpret_cast<T*>(streams[0]);
  const auto* a = reinterpret_cast<const T*>(streams[1]);
  pass(work.walk, [&](const Offsets& at, const Offsets& by, std::int64_t count) {
    for (std::int64_t k = 0; k < count; ++k) out[at[0] + k * by[0]] = a[at[1] + k * by[1]];
  });
}

template <class T, class R>
CarryOut map_of(const Word& word) {
  if constexpr (std::floating_point<T> && std::same_as<T, R>) {
    return maps_of_words<T>[static_cast<std::size_t>(&word - elementwise_words.data())];
  } else {
    const int arity = word.arity();
    return arity == 1 ? map<T, R, 1> : arity == 2 ? map<T, R, 2> : map<T, R, 3>;
  }
}

}  // namespace

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
      if (std::ranges::equal(operand.layout.written(), operand.type.shape.written())) {
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
    const ElementType result = storage(step.type);
    if (!share_element(step)) return;
    instruction.work.word = node.word;
    set_walk(instruction, step, step.type.shape);
    visit_element(storage(value(step.operands[0]).type), [&]<class T>() {
      if (result == element_type_of<T>())
        instruction.carry_out = map_of<T, T>(*node.word);
      else if (result == boolean)
        instruction.carry_out = map_of<T, bool>(*node.word);
    });
  }

  void choose(const expr::Reduce& node, const expr::Step& step, Instruction& instruction) const {
    const Value& operand = value(step.operands[0]);
    if (storage(operand.type) != storage(step.type)) return;
    instruction.work.word = node.word->combine;
    instruction.work.real_start = node.word->real_start;
    instruction.work.whole_start = node.word->whole_start;
    set_walk(instruction, step, step.type.shape* restrict(operand.type.shape, node.over));
    visit_element(storage(step.type), [&]<class T>() { instruction.carry_out = reduce<T>; });
  }

  void choose(const expr::Contract& node, const expr::Step& step, Instruction& instruction) const {
    if (step.operands.size() != 2 || !share_element(step)) return;
    const Shape all = value(step.operands[0]).type.shape | value(step.operands[1]).type.shape;
    set_walk(instruction, step, step.type.shape* restrict(all, node.over));
    visit_element(storage(step.type), [&]<class T>() { instruction.carry_out = contract<T>; });
  }

  void choose(const expr::Broadcast&, const expr::Step& step, Instruction& instruction) const {
    set_walk(instruction, step, step.type.shape);
    visit_element(storage(step.type), [&]<class T>() { instruction.carry_out = copy<T>; });
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

std::vector<Array> Stepwise::run(const std::vector<Array>& inputs) const {
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
  std::vector<Array> results;
  results.reserve(steps.program.results.size());
  for (const std::int64_t number : steps.program.results) {
    const Steps::Value& value = steps.value(number);
    const Steps::Block& block = steps.blocks[static_cast<std::size_t>(value.block)];
    const auto place = static_cast<std::size_t>(block.place);
    if (block.kind == Kind::input)
      results.push_back(inputs[place].reinterpreted(value.layout));
    else if (block.kind == Kind::constant)
      results.push_back(steps.constants[place]);
    else if (place == results.size())
      results.emplace_back(block.element, value.layout, allocate(block.element, block.shape));
    else
      results.push_back(results[place].reinterpreted(value.layout));
  }
  for (std::size_t k = 0; k < steps.blocks.size(); ++k) {
    const Steps::Block& block = steps.blocks[k];
    const auto place = static_cast<std::size_t>(block.place);
    switch (block.kind) {
      // Inputs and constants are only read.
      case Kind::input: memory[k] = const_cast<std::byte*>(inputs[place].bytes()); break;
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
