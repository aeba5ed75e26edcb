#include "axial/kernels/llvm_nest.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <span>

#include "axial/kernels/divisor.hpp"
#include "axial/kernels/fetching.hpp"
#include "axial/kernels/llvm_emitter.hpp"
#include "axial/kernels/llvm_fold.hpp"
#include "axial/kernels/llvm_loop.hpp"
#include "axial/kernels/llvm_memory.hpp"
#include "axial/kernels/passes.hpp"

namespace axial::kernels {
namespace {

using Kind = Operation::Kind;
using llvm::Value;

/// Generates the code of one nest. "Here" is the place where the builder stands; the members say
/// where the loops are there.
class NestWriter {
 public:
  NestWriter(llvm::Module& module, const std::string& name, const Nest& nest,
             const Schedule& schedule)
      : nest_(nest),
        schedule_(schedule),
        passes_(passes(nest)),
        builder_(module.getContext()),
        emitter_(builder_),
        rows_(together()) {
    llvm::Type* pointer = builder_.getPtrTy();
    llvm::Type* whole = builder_.getInt64Ty();
    function_ = llvm::Function::Create(
        llvm::FunctionType::get(builder_.getVoidTy(), {pointer, whole, whole, whole, whole}, false),
        llvm::Function::ExternalLinkage, name, module);
  }

  void write() {
    builder_.SetInsertPoint(llvm::BasicBlock::Create(builder_.getContext(), "entry", function_));
    for (std::size_t k = 0; k < nest_.streams.size(); ++k) {
      Value* slot = builder_.CreateConstGEP1_64(builder_.getPtrTy(), function_->getArg(0), k);
      bases_.push_back(builder_.CreateLoad(builder_.getPtrTy(), slot));
    }
    for (Row& row : rows_) {
      row.positions.assign(nest_.outer.size() + nest_.row.size(), nullptr);
      for (const int kept : passes_.kept) row.shelves[kept] = shelf(kept);
    }
    write_rows();
    // What bypassed the cache must have arrived before another thread is told that all is done.
    if (std::ranges::any_of(nest_.streams, &Stream::bypasses)) {
      builder_.CreateFence(llvm::AtomicOrdering::SequentiallyConsistent);
    }
    builder_.CreateRetVoid();
  }

 private:
  /// What is known of one record of the outer loops, or of a vector of them, while it is computed.
  struct Row {
    /// Where each loop is, and where each stream begins.
    std::vector<Value*> positions;
    std::vector<Value*> origins;
    std::vector<std::optional<Lanes>> values;
    /// Those of the values that are the same for every lane, computed before these.
    std::vector<std::optional<Lanes>> steady;
    std::map<int, Divisor> divisors;
    std::map<int, Value*> shelves;
  };

  /// How many rows are computed side by side: while the total of one is folded, which takes long, the
  /// next one is passed.
  std::size_t together() const {
    if (!schedule_.in_row || passes_.count < 2) return 1;
    const std::int64_t length = volume(nest_.row);
    return length <= 256 ? 4 : length <= 1024 ? 2 : 1;
  }

  /// All rows that the function is asked for: as many together as can be, then one by one.
  void write_rows() {
    Value* first = function_->getArg(1);
    Value* last = function_->getArg(2);
    const auto side_by_side = static_cast<std::int64_t>(rows_.size());
    Value* count = builder_.CreateSub(last, first);
    Value* rest = builder_.CreateSRem(count, whole(side_by_side));
    Value* middle = builder_.CreateSub(last, rest);
    const auto write_each = [&](Value* from, Value* to, std::span<Row> rows) {
      for_each(from, to, std::ssize(rows), {}, [&](Value* number, Carried) {
        for (std::size_t k = 0; k < rows.size(); ++k) {
          row_ = &rows[k];
          enter_row(builder_.CreateAdd(number, whole(static_cast<std::int64_t>(k))));
        }
        if (vectorises_outer()) {
          over_lanes();
        } else {
          iteration(rows);
        }
        return Carried{};
      });
    };
    write_each(first, middle, rows_);
    if (rows_.size() > 1) write_each(middle, last, std::span(rows_).first(1));
  }

  Value* whole(std::int64_t value) { return builder_.getInt64(static_cast<std::uint64_t>(value)); }
  /// How many lanes passes have that do little with each element: more sums at a time hide how long an
  /// addition takes. Others would run out of registers.
  int widest() const {
    constexpr std::int64_t many = 4;
    const bool is_long = schedule_.in_row && nest_.row.back() >= many * 2 * schedule_.width;
    return is_long ? 2 * schedule_.width : schedule_.width;
  }
  bool vectorises_outer() const { return schedule_.lane_loop >= 0 && !schedule_.in_row; }
  std::size_t lane_loop() const { return static_cast<std::size_t>(schedule_.lane_loop); }
  const Operation& at(int operation) const {
    return nest_.operations[static_cast<std::size_t>(operation)];
  }
  int operation_count() const { return static_cast<int>(nest_.operations.size()); }
  bool varies(int operation) const { return passes_.varies[static_cast<std::size_t>(operation)]; }

  Carried for_each(Value* first, Value* last, std::int64_t step, const Carried& start,
                   const LoopBody& body) {
    return emit_loop(builder_, first, last, step, start, body);
  }

  /// Finds the positions of the outer loops, but for the vectorised one, from the row's number.
  void enter_row(Value* row) {
    for (std::size_t loop = nest_.outer.size(); loop-- > 0;) {
      if (vectorises_outer() && loop == lane_loop()) continue;
      Value* size = whole(nest_.outer[loop]);
      row_->positions[loop] = builder_.CreateURem(row, size);
      row = builder_.CreateUDiv(row, size);
    }
    row_->origins.clear();
    for (std::size_t k = 0; k < nest_.streams.size(); ++k) {
      Value* offset = whole(0);
      for (std::size_t loop = 0; loop < nest_.outer.size(); ++loop) {
        if (vectorises_outer() && loop == lane_loop()) continue;
        offset = stepped(offset, row_->positions[loop], nest_.streams[k].strides[loop]);
      }
      row_->origins.push_back(moved(k, bases_[k], offset));
    }
  }

  Value* stepped(Value* offset, Value* position, std::int64_t stride) {
    if (stride == 0) return offset;
    return builder_.CreateAdd(offset, builder_.CreateMul(position, whole(stride)));
  }

  llvm::Type* memory_type(ElementType element) { return memory().type_of(element); }
  Value* moved(std::size_t stream, Value* pointer, Value* offset) {
    return builder_.CreateGEP(memory_type(nest_.streams[stream].element), pointer, offset);
  }

  /// Runs whole vectors of lanes, then what is left with a mask.
  void over_lanes() {
    Value* first = function_->getArg(3);
    Value* last = function_->getArg(4);
    const std::int64_t width = schedule_.width;
    compute_steady();
    width_ = schedule_.width;
    Value* count = builder_.CreateSub(last, first);
    Value* whole_count = builder_.CreateMul(builder_.CreateSDiv(count, whole(width)), whole(width));
    Value* middle = builder_.CreateAdd(first, whole_count);
    for_each(first, middle, width, {}, [&](Value* lane, Carried) {
      row_->positions[lane_loop()] = lane;
      iteration({row_, 1});
      return Carried{};
    });
    for_each(middle, last, width, {}, [&](Value* lane, Carried) {
      row_->positions[lane_loop()] = lane;
      mask_ = first_lanes(builder_.CreateSub(last, lane));
      iteration({row_, 1});
      mask_ = nullptr;
      return Carried{};
    });
    width_ = 1;
  }

  /// Finds what changes neither from lane to lane nor along the row, so that it is computed once.
  void compute_steady() {
    row_->values.assign(nest_.operations.size(), std::nullopt);
    std::vector<bool> is_steady;
    for (int k = 0; k < operation_count(); ++k) {
      const Operation& node = at(k);
      const bool stays = node.kind == Kind::literal || node.kind == Kind::map ||
                         node.kind == Kind::cast ||
                         (node.kind == Kind::load && stream_of(node).strides[lane_loop()] == 0);
      const bool reads_steady = std::ranges::all_of(
          node.operands, [&](int operand) { return is_steady[static_cast<std::size_t>(operand)]; });
      is_steady.push_back(stays && reads_steady && !varies(k));
      if (is_steady.back()) row_->values[static_cast<std::size_t>(k)] = computed(k);
    }
    row_->steady = row_->values;
    for (int k = 0; k < operation_count(); ++k) {
      if (is_steady[static_cast<std::size_t>(k)] && !is_place(k)) repeat_steady(k);
    }
  }

  /// Puts the same number into every lane once, instead of wherever it meets others.
  void repeat_steady(int operation) {
    Lanes& lanes = *row_->steady[static_cast<std::size_t>(operation)];
    llvm::Value* single = LlvmEmitter::value_of(lanes);
    if (llvm::isa<llvm::Constant>(single)) return;
    lanes = emitter_.wrap(emitter_.widened(single, schedule_.width), lanes.element);
  }

  /// True if the operation says where a gather looks, for which one number will do.
  bool is_place(int operation) const {
    return std::ranges::any_of(nest_.operations, [&](const Operation& node) {
      return node.kind == Kind::gather && node.operands[0] == operation;
    });
  }

  Value* first_lanes(Value* count) {
    return builder_.CreateICmpSLT(memory().lane_numbers(), emitter_.widened(count, width_));
  }

  /// Records of the outer loops side by side, or one vector of them.
  void iteration(std::span<Row> rows) {
    for (Row& row : rows) {
      row.values = row.steady;
      row.values.resize(nest_.operations.size());
    }
    for (int pass = 0; pass <= passes_.count; ++pass) {
      for (Row& row : rows) {
        row_ = &row;
        between(pass);
        if (pass < passes_.count) run(pass);
      }
    }
  }

  /// Computes and stores what does not vary along the row and is ready after `done` passes.
  void between(int done) {
    for (int k = 0; k < operation_count(); ++k) {
      if (varies(k) || passes_.ready[static_cast<std::size_t>(k)] != done) continue;
      auto& known = row_->values[static_cast<std::size_t>(k)];
      if (at(k).kind != Kind::reduce && !known) known = computed(k);
    }
    for (int k = 0; k < operation_count(); ++k) {
      if (!divides_row(k)) continue;
      const int divisor = at(k).operands[1];
      if (passes_.ready[static_cast<std::size_t>(divisor)] != done) continue;
      row_->divisors.insert_or_assign(divisor, divisor_of(value(divisor)));
    }
  }

  /// True if all of the row is divided by the same real number.
  bool divides_row(int operation) const {
    const Operation& node = at(operation);
    return node.kind == Kind::map && node.word == &word("div") && is_real(node.element) &&
           varies(operation) && !varies(node.operands[1]);
  }

  /// One pass through the row.
  void run(int pass) {
    std::vector<int> reductions;
    Carried start;
    if (schedule_.in_row) row_width_ = passes_.is_light(nest_, pass) ? widest() : schedule_.width;
    const int width = schedule_.in_row ? row_width_ : width_;
    for (int k = 0; k < operation_count(); ++k) {
      if (at(k).kind != Kind::reduce || !passes_.runs_in(nest_, k, pass)) continue;
      reductions.push_back(k);
      const Lanes neutral = neutral_of(emitter_, *at(k).reduction, at(k).element);
      start.push_back(emitter_.widened(LlvmEmitter::value_of(neutral), width));
    }
    const Carried sums = over_row(
        0, start, [&](Carried carried) { return visit(pass, reductions, std::move(carried)); });
    for (std::size_t k = 0; k < reductions.size(); ++k) {
      const int reduction = reductions[k];
      Lanes sum = emitter_.wrap(sums[k], at(reduction).element);
      if (schedule_.in_row)
        sum = folded(emitter_, builder_, sum, *at(reduction).reduction->combine);
      row_->values[static_cast<std::size_t>(reduction)] = sum;
    }
  }

  /// The loops of the row from number `loop` on; the last one fills the lanes if the schedule says.
  Carried over_row(std::size_t loop, const Carried& start,
                   const std::function<Carried(Carried)>& body) {
    if (loop == nest_.row.size()) return body(start);
    const std::int64_t size = nest_.row[loop];
    Value*& position = row_->positions[nest_.outer.size() + loop];
    if (!schedule_.in_row || loop + 1 < nest_.row.size()) {
      return for_each(whole(0), whole(size), 1, start, [&](Value* index, Carried carried) {
        position = index;
        return over_row(loop + 1, carried, body);
      });
    }
    const std::int64_t width = row_width_;
    const std::int64_t full = size / width * width;
    width_ = row_width_;
    Carried carried = start;
    if (full > 0) {
      carried = for_each(whole(0), whole(full), width, start, [&](Value* index, Carried values) {
        position = index;
        return body(std::move(values));
      });
    }
    if (full < size) {
      position = whole(full);
      mask_ = first_lanes(whole(size - full));
      carried = body(std::move(carried));
      mask_ = nullptr;
    }
    width_ = 1;
    return carried;
  }

  /// One element of the row, or a vector of them.
  Carried visit(int pass, const std::vector<int>& reductions, Carried carried) {
    row_values_.assign(nest_.operations.size(), std::nullopt);
    pass_ = pass;
    for (std::size_t k = 0; k < reductions.size(); ++k) {
      carried[k] = accumulated(reductions[k], carried[k]);
    }
    for (int k = 0; k < operation_count(); ++k) {
      if (at(k).kind == Kind::store && passes_.runs_in(nest_, k, pass)) computed(k);
    }
    for (const int kept : passes_.kept) {
      if (passes_.ready[static_cast<std::size_t>(kept)] == pass) {
        memory().put(value(kept), on_shelf(kept));
      }
    }
    const bool is_whole = width_ > 1 && mask_ == nullptr;
    if (is_whole && pass == fetching_pass(passes_.count)) fetch_ahead();
    return carried;
  }

  /// Fetches what will be read from afar.
  void fetch_ahead() {
    for (const Operation& node : nest_.operations) {
      if (node.kind != Kind::load || !varies_here(node) || lane_stride(node) != 1) continue;
      const Stream& stream = stream_of(node);
      const std::int64_t distance =
          fetching_distance(nest_, schedule_, passes_.count, std::ssize(rows_), stream);
      if (distance == 0) continue;
      Value* there = moved(static_cast<std::size_t>(node.stream), address(node), whole(distance));
      memory().fetch(stream.element, there);
    }
  }

  /// The fold of what was carried and the operand of a reduction.
  Value* accumulated(int reduction, Value* carried) {
    const Operation& fold = at(reduction);
    const Lanes before = emitter_.wrap(carried, fold.element);
    const Operation& operand = at(fold.operands[0]);
    const bool is_sum_of_products = fold.reduction->combine == &word("add") &&
                                    operand.kind == Kind::map && operand.word == &word("mul") &&
                                    is_real(fold.element);
    // Words look at their first operand first, and the new one is there before the fold is.
    const Lanes after =
        is_sum_of_products
            ? emitter_.fused(value(operand.operands[0]), value(operand.operands[1]), before)
            : emitter_.applied(*fold.reduction->combine, {value(fold.operands[0]), before});
    Value* result = emitter_.widened(LlvmEmitter::value_of(after), width_);
    return mask_ == nullptr ? result : builder_.CreateSelect(mask_, result, carried);
  }

  /// The value of an operation here: computed in this row, before, or in an earlier pass.
  Lanes value(int operation) {
    const auto k = static_cast<std::size_t>(operation);
    if (!varies(operation))
      return row_->values[k] ? *row_->values[k] : *(row_->values[k] = computed(operation));
    if (row_values_[k]) return *row_values_[k];
    const auto shelf = row_->shelves.find(operation);
    if (shelf != row_->shelves.end() && passes_.ready[k] < pass_) {
      return *(row_values_[k] = memory().get(at(operation).element, on_shelf(operation)));
    }
    return *(row_values_[k] = computed(operation));
  }

  Lanes computed(int operation) {
    const Operation& node = at(operation);
    switch (node.kind) {
      case Kind::load: return loaded(node, address(node), nullptr);
      case Kind::gather: return gathered(node);
      case Kind::literal:
        return node.number.is_whole() ? emitter_.whole_constant(node.number.whole(), node.element)
                                      : emitter_.constant(node.number.real(), node.element);
      case Kind::position: return position(node);
      case Kind::cast: return emitter_.converted(value(node.operands[0]), node.element);
      case Kind::map: {
        if (divides_row(operation)) {
          return divided(value(node.operands[0]), row_->divisors.at(node.operands[1]));
        }
        std::vector<Lanes> operands;
        for (const int operand : node.operands) operands.push_back(value(operand));
        return emitter_.applied(*node.word, operands);
      }
      case Kind::store: store(node); return {};
      case Kind::reduce: break;
    }
    bug("a reduction is folded, not computed");
  }

  Lanes position(const Operation& node) {
    Value* here = row_->positions[static_cast<std::size_t>(node.loop)];
    if (node.loop == schedule_.lane_loop && width_ > 1) {
      here = builder_.CreateAdd(emitter_.widened(here, width_), memory().lane_numbers());
    }
    return emitter_.converted(emitter_.wrap(here, int64), node.element);
  }

  const Stream& stream_of(const Operation& node) const {
    return nest_.streams[static_cast<std::size_t>(node.stream)];
  }
  /// How far apart the lanes of a stream are here; 0 if there is only one.
  std::int64_t lane_stride(const Operation& node) const {
    return width_ == 1 ? 0 : stream_of(node).strides[lane_loop()];
  }

  /// Where the first lane lies.
  Value* address(const Operation& node) {
    const auto& strides = stream_of(node).strides;
    Value* offset = whole(0);
    for (std::size_t loop = 0; loop < strides.size(); ++loop) {
      const bool in_row = loop >= nest_.outer.size();
      const bool is_open = in_row ? varies_here(node) : vectorises_outer() && loop == lane_loop();
      if (is_open) offset = stepped(offset, row_->positions[loop], strides[loop]);
    }
    return moved(static_cast<std::size_t>(node.stream),
                 row_->origins[static_cast<std::size_t>(node.stream)], offset);
  }
  bool varies_here(const Operation& node) const {
    const auto& strides = stream_of(node).strides;
    return std::any_of(strides.begin() + static_cast<std::ptrdiff_t>(nest_.outer.size()),
                       strides.end(), [](std::int64_t stride) { return stride != 0; });
  }

  /// How lanes meet memory here.
  LlvmMemory memory() { return {builder_, emitter_, width_, mask_}; }

  Lanes loaded(const Operation& node, Value* pointer, Value* extra) {
    return memory().load(stream_of(node).element, pointer, lane_stride(node), extra);
  }

  Lanes gathered(const Operation& node) {
    const Lanes index = value(node.operands[0]);
    Value* where = LlvmEmitter::value_of(index);
    const int width = LlvmEmitter::width_of(where);
    llvm::Type* type = width == 1 ? static_cast<llvm::Type*>(builder_.getInt64Ty())
                                  : llvm::FixedVectorType::get(builder_.getInt64Ty(),
                                                               static_cast<unsigned>(width));
    where = is_real(index.element) ? builder_.CreateFPToSI(where, type)
                                   : builder_.CreateSExtOrTrunc(where, type);
    where = builder_.CreateMul(where, emitter_.widened(whole(node.stride), width));
    if (width > 1) return loaded(node, address(node), where);
    return loaded(node, moved(static_cast<std::size_t>(node.stream), address(node), where),
                  nullptr);
  }

  /// True if every vector that is written begins at a multiple of its size, as bypassing needs.
  bool may_bypass(const Stream& stream) const {
    const std::int64_t bytes = facts(stream.element).bytes;
    const std::int64_t lanes = LlvmMemory::aligned_bytes(bytes * width_) / bytes;
    constexpr std::int64_t least = 32;  // shorter stores fill no line before it leaves
    if (!stream.bypasses || stream.element == boolean || bytes * width_ < least) return false;
    for (std::size_t loop = 0; loop < stream.strides.size(); ++loop) {
      if (loop != lane_loop() && stream.strides[loop] % lanes != 0) return false;
    }
    return true;
  }

  void store(const Operation& node) {
    memory().store(value(node.operands[0]), address(node), lane_stride(node),
                   may_bypass(stream_of(node)));
  }

  /// Memory for the values that one operation takes along the row.
  Value* shelf(int operation) {
    std::int64_t count = schedule_.width;
    for (const std::int64_t size : nest_.row) count *= size;
    if (schedule_.in_row) {
      // The row itself fills the lanes; its last vector may reach beyond the end.
      count = widest();
      for (std::size_t loop = 0; loop + 1 < nest_.row.size(); ++loop) count *= nest_.row[loop];
      count *= (nest_.row.back() + widest() - 1) / widest();
    }
    auto* memory = builder_.CreateAlloca(memory_type(at(operation).element), whole(count));
    memory->setAlignment(llvm::Align(64));
    return memory;
  }
  Value* on_shelf(int operation) {
    Value* offset = whole(0);
    for (std::size_t loop = 0; loop < nest_.row.size(); ++loop) {
      const bool is_last = loop + 1 == nest_.row.size();
      const std::int64_t width = widest();
      const std::int64_t size = schedule_.in_row && is_last
                                    ? (nest_.row[loop] + width - 1) / width * width
                                    : nest_.row[loop];
      offset = builder_.CreateAdd(builder_.CreateMul(offset, whole(size)),
                                  row_->positions[nest_.outer.size() + loop]);
    }
    if (!schedule_.in_row) offset = builder_.CreateMul(offset, whole(schedule_.width));
    return builder_.CreateGEP(memory_type(at(operation).element), row_->shelves.at(operation),
                              offset);
  }

  const Nest& nest_;
  const Schedule schedule_;
  const Passes passes_;
  llvm::IRBuilder<> builder_;
  LlvmEmitter emitter_;
  llvm::Function* function_ = nullptr;
  std::vector<Value*> bases_;
  std::vector<Row> rows_;
  /// The row at hand.
  Row* row_ = nullptr;
  /// How many lanes there are here, and which of them count; all if there is no mask.
  int width_ = 1;
  /// How many the pass at hand has along the row, if it is the row that fills them.
  int row_width_ = 1;
  Value* mask_ = nullptr;
  int pass_ = 0;
  std::vector<std::optional<Lanes>> row_values_;
};

}  // namespace

void add_function(llvm::Module& module, const std::string& name, const Nest& nest,
                  const Schedule& schedule) {
  NestWriter(module, name, nest, schedule).write();
}

}  // namespace axial::kernels
