#include "axial/kernels/llvm_emitter.hpp"

#include <fmt/format.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <numeric>

#include "axial/base/error.hpp"
#include "axial/kernels/processor.hpp"
#include "axial/vocabulary/elementwise.hpp"

namespace axial::kernels {
namespace {

/// How a real number of single or double precision is made of bits.
struct Bits {
  int width, fraction, bias;
  /// A number so large that adding it rounds to a whole number, which stands in the last bits.
  double magic;
};
Bits bits_of(ElementType element) {
  return element == float32 ? Bits{32, 23, 127, 0x1.8p23} : Bits{64, 52, 1023, 0x1.8p52};
}

/// Lets a product be rounded only with the sum that it is part of. Of two products both are rounded,
/// so that x·x − y·y is never less than nothing where x is y.
llvm::Value* rounded_once(llvm::Value* sum) {
  auto* operation = llvm::dyn_cast<llvm::Instruction>(sum);
  if (operation == nullptr) return sum;  // a constant
  const auto product = [&](unsigned k) -> llvm::Instruction* {
    auto* operand = llvm::dyn_cast<llvm::Instruction>(operation->getOperand(k));
    return operand != nullptr && operand->getOpcode() == llvm::Instruction::FMul ? operand
                                                                                 : nullptr;
  };
  if ((product(0) != nullptr) == (product(1) != nullptr)) return sum;
  for (llvm::Instruction* each : {operation, product(0), product(1)}) {
    if (each != nullptr) each->setHasAllowContract(true);
  }
  return sum;
}

}  // namespace

std::string symbol_of(const Word& word, bool is_real) {
  return fmt::format("axial_{}_{}", is_real ? "real" : "whole", word.name);
}

llvm::Type* LlvmEmitter::scalar_type(ElementType element) const {
  switch (element) {
    case float32: return builder_.getFloatTy();
    case float64: return builder_.getDoubleTy();
    case int32: return builder_.getInt32Ty();
    case int64: return builder_.getInt64Ty();
    case boolean: return builder_.getInt1Ty();
  }
  bug("unknown element type");
}

int LlvmEmitter::width_of(const llvm::Value* value) {
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(value->getType());
  return vector != nullptr ? static_cast<int>(vector->getNumElements()) : 1;
}

llvm::Value* LlvmEmitter::widened(llvm::Value* value, int width) {
  if (width_of(value) == width) return value;
  return builder_.CreateVectorSplat(static_cast<unsigned>(width), value);
}

std::pair<llvm::Value*, llvm::Value*> LlvmEmitter::matched(Lanes a, Lanes b) {
  const int width = std::max(width_of(value_of(a)), width_of(value_of(b)));
  return {widened(value_of(a), width), widened(value_of(b), width)};
}

llvm::Type* LlvmEmitter::like(llvm::Value* value, llvm::Type* scalar) const {
  const int width = width_of(value);
  return width == 1 ? scalar : llvm::FixedVectorType::get(scalar, static_cast<unsigned>(width));
}

Lanes LlvmEmitter::constant(double value, ElementType element) {
  if (!is_real(element)) return whole_constant(static_cast<std::int64_t>(value), element);
  return wrap(llvm::ConstantFP::get(scalar_type(element), value), element);
}

Lanes LlvmEmitter::whole_constant(std::int64_t value, ElementType element) {
  if (is_real(element)) return constant(static_cast<double>(value), element);
  return wrap(llvm::ConstantInt::getSigned(scalar_type(element), value), element);
}

std::optional<double> LlvmEmitter::known(Lanes a) const {
  if (const auto* number = llvm::dyn_cast<llvm::ConstantFP>(value_of(a))) {
    const llvm::APFloat& value = number->getValueAPF();
    return number->getType()->isFloatTy() ? static_cast<double>(value.convertToFloat())
                                          : value.convertToDouble();
  }
  return std::nullopt;
}

Lanes LlvmEmitter::binary(Binary operation, Lanes a, Lanes b) {
  const auto [x, y] = matched(a, b);
  const bool real = is_real(a.element);
  switch (operation) {
    case Binary::add:
      return wrap(real ? rounded_once(builder_.CreateFAdd(x, y)) : builder_.CreateAdd(x, y),
                  a.element);
    case Binary::sub:
      return wrap(real ? rounded_once(builder_.CreateFSub(x, y)) : builder_.CreateSub(x, y),
                  a.element);
    case Binary::mul:
      return wrap(real ? builder_.CreateFMul(x, y) : builder_.CreateMul(x, y), a.element);
    case Binary::div: return wrap(builder_.CreateFDiv(x, y), a.element);
    case Binary::both: return wrap(builder_.CreateAnd(x, y), a.element);
    case Binary::either: return wrap(builder_.CreateOr(x, y), a.element);
  }
  bug("unknown operation");
}

Lanes LlvmEmitter::unary(Unary operation, Lanes a) {
  llvm::Value* x = value_of(a);
  switch (operation) {
    case Unary::negative:
      return wrap(is_real(a.element) ? builder_.CreateFNeg(x) : builder_.CreateNeg(x), a.element);
    case Unary::inverted: return wrap(builder_.CreateNot(x), a.element);
    case Unary::square_root:
      return wrap(builder_.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, x), a.element);
    case Unary::floor:
      return wrap(builder_.CreateUnaryIntrinsic(llvm::Intrinsic::floor, x), a.element);
    case Unary::ceiling:
      return wrap(builder_.CreateUnaryIntrinsic(llvm::Intrinsic::ceil, x), a.element);
    case Unary::nearest:
      return wrap(builder_.CreateUnaryIntrinsic(llvm::Intrinsic::roundeven, x), a.element);
  }
  bug("unknown operation");
}

Lanes LlvmEmitter::compare(Relation relation, Lanes a, Lanes b) {
  const auto [x, y] = matched(a, b);
  const bool real = is_real(a.element);
  switch (relation) {
    case Relation::equal:
      return wrap(real ? builder_.CreateFCmpOEQ(x, y) : builder_.CreateICmpEQ(x, y), boolean);
    case Relation::less:
      return wrap(real ? builder_.CreateFCmpOLT(x, y) : builder_.CreateICmpSLT(x, y), boolean);
    case Relation::less_equal:
      return wrap(real ? builder_.CreateFCmpOLE(x, y) : builder_.CreateICmpSLE(x, y), boolean);
    case Relation::unordered:
      if (real) return wrap(builder_.CreateFCmpUNO(x, y), boolean);
      return wrap(widened(builder_.getFalse(), width_of(x)), boolean);
  }
  bug("unknown relation");
}

Lanes LlvmEmitter::select(Lanes condition, Lanes a, Lanes b) {
  auto [x, y] = matched(a, b);
  llvm::Value* chooses = value_of(condition);
  const int width = std::max(width_of(chooses), width_of(x));
  return wrap(builder_.CreateSelect(widened(chooses, width), widened(x, width), widened(y, width)),
              a.element);
}

Lanes LlvmEmitter::fused(Lanes a, Lanes b, Lanes c) {
  auto [x, y] = matched(a, b);
  llvm::Value* z = value_of(c);
  const int width = std::max(width_of(x), width_of(z));
  x = widened(x, width);
  return wrap(builder_.CreateIntrinsic(llvm::Intrinsic::fma, {x->getType()},
                                       {x, widened(y, width), widened(z, width)}),
              a.element);
}

Lanes LlvmEmitter::power_of_two(Lanes n) {
  const Bits bits = bits_of(n.element);
  // So large a number has the exponent of 2^n in its last bits; shifted, they are in their place.
  llvm::Value* shifted = value_of(n);
  llvm::Type* whole = like(shifted, builder_.getIntNTy(static_cast<unsigned>(bits.width)));
  llvm::Value* power = builder_.CreateShl(builder_.CreateBitCast(shifted, whole),
                                          static_cast<std::uint64_t>(bits.fraction));
  return wrap(builder_.CreateBitCast(power, shifted->getType()), n.element);
}

Lanes LlvmEmitter::exponent(Lanes a) {
  const Bits bits = bits_of(a.element);
  llvm::Value* x = value_of(a);
  llvm::Type* whole = like(x, builder_.getIntNTy(static_cast<unsigned>(bits.width)));
  llvm::Value* field = builder_.CreateLShr(builder_.CreateBitCast(x, whole),
                                           static_cast<std::uint64_t>(bits.fraction));
  // The field is a small whole number: put into the last bits of the magic number it becomes real.
  llvm::Value* magic =
      builder_.CreateBitCast(llvm::ConstantFP::get(x->getType(), bits.magic), whole);
  llvm::Value* real = builder_.CreateBitCast(builder_.CreateAdd(magic, field), x->getType());
  return wrap(real, a.element) - (bits.magic + bits.bias - 1);
}

Lanes LlvmEmitter::significand(Lanes a) {
  const Bits bits = bits_of(a.element);
  llvm::Value* x = value_of(a);
  llvm::Type* whole = like(x, builder_.getIntNTy(static_cast<unsigned>(bits.width)));
  const std::uint64_t fraction = (std::uint64_t{1} << bits.fraction) - 1;
  const std::uint64_t half = static_cast<std::uint64_t>(bits.bias - 1) << bits.fraction;
  llvm::Value* kept = builder_.CreateAnd(builder_.CreateBitCast(x, whole), fraction);
  return wrap(builder_.CreateBitCast(builder_.CreateOr(kept, half), x->getType()), a.element);
}

bool LlvmEmitter::looks_up(ElementType element) const {
  return element == float32 && has_wide_vectors();
}

namespace {

/// `count` lanes from the first one on; those that are missing may be anything.
llvm::Value* lanes_of(llvm::IRBuilder<>& builder, llvm::Value* value, int first, int count) {
  std::vector<int> chosen(static_cast<std::size_t>(count));
  std::iota(chosen.begin(), chosen.end(), first);
  const int width = LlvmEmitter::width_of(value);
  std::ranges::replace_if(chosen, [&](int lane) { return lane >= width; }, llvm::PoisonMaskElem);
  return builder.CreateShuffleVector(value, chosen);
}

}  // namespace

template <class Apply>
llvm::Value* LlvmEmitter::by_sixteen(std::initializer_list<llvm::Value*> operands,
                                     const Apply& apply) {
  constexpr int each = 16;
  int width = 1;
  for (const llvm::Value* operand : operands) width = std::max(width, width_of(operand));
  llvm::Value* all = nullptr;
  for (int first = 0; first < width; first += each) {
    std::vector<llvm::Value*> some;
    for (llvm::Value* operand : operands) {
      // A single number is repeated, so that all of its lanes are the same.
      some.push_back(width_of(operand) == 1 ? widened(operand, each)
                                            : lanes_of(builder_, operand, first, each));
    }
    llvm::Value* result = apply(some);
    if (width <= each) {
      return width == 1 ? builder_.CreateExtractElement(result, std::uint64_t{0})
                        : lanes_of(builder_, result, 0, width);
    }
    all = all == nullptr
              ? lanes_of(builder_, result, 0, width)
              : builder_.CreateInsertVector(all->getType(), all, result, builder_.getInt64(first));
  }
  return all;
}

Lanes LlvmEmitter::looked_up(Lanes place, std::span<const double, 16> table) {
  std::vector<llvm::Constant*> entries;
  for (const double entry : table) {
    entries.push_back(llvm::ConstantFP::get(scalar_type(place.element), entry));
  }
  llvm::Constant* numbers = llvm::ConstantVector::get(entries);
  const auto apply = [&](const std::vector<llvm::Value*>& places) {
    llvm::Type* whole = like(places[0], builder_.getInt32Ty());
    return builder_.CreateIntrinsic(llvm::Intrinsic::x86_avx512_permvar_sf_512, {},
                                    {numbers, builder_.CreateBitCast(places[0], whole)});
  };
  return wrap(by_sixteen({value_of(place)}, apply), place.element);
}

Lanes LlvmEmitter::scaled(Lanes a, Lanes n) {
  const auto apply = [&](const std::vector<llvm::Value*>& operands) {
    llvm::Value* every_lane = builder_.getInt16(0xffff);
    llvm::Value* as_always = builder_.getInt32(4);
    return builder_.CreateIntrinsic(
        llvm::Intrinsic::x86_avx512_mask_scalef_ps_512, {},
        {operands[0], operands[1], llvm::PoisonValue::get(operands[0]->getType()), every_lane,
         as_always});
  };
  return wrap(by_sixteen({value_of(a), value_of(n)}, apply), a.element);
}

Lanes LlvmEmitter::converted(Lanes a, ElementType element) {
  if (a.element == element) return a;
  llvm::Value* x = value_of(a);
  llvm::Type* type = like(x, scalar_type(element));
  if (is_real(element)) {
    if (is_real(a.element)) return wrap(builder_.CreateFPCast(x, type), element);
    if (a.element == boolean) return wrap(builder_.CreateUIToFP(x, type), element);
    return wrap(builder_.CreateSIToFP(x, type), element);
  }
  if (a.element == boolean) return wrap(builder_.CreateZExt(x, type), element);
  return wrap(builder_.CreateSExtOrTrunc(x, type), element);
}

Lanes LlvmEmitter::called(const Word& word, const std::vector<Lanes>& operands) {
  const ElementType element = operands.back().element;
  const bool real = is_real(element);
  llvm::Type* carrier =
      real ? builder_.getDoubleTy() : static_cast<llvm::Type*>(builder_.getInt64Ty());
  const std::vector<llvm::Type*> types(operands.size(), carrier);
  const llvm::FunctionCallee function = builder_.GetInsertBlock()->getModule()->getOrInsertFunction(
      symbol_of(word, real), llvm::FunctionType::get(carrier, types, false));
  int width = 1;
  for (const Lanes& operand : operands) width = std::max(width, width_of(value_of(operand)));
  const ElementType carried = real ? float64 : int64;
  const ElementType given = result_type(word.gives, element);
  llvm::Value* result = nullptr;
  for (int lane = 0; lane < width; ++lane) {
    std::vector<llvm::Value*> arguments;
    for (const Lanes& operand : operands) {
      llvm::Value* x = value_of(operand);
      if (width_of(x) > 1) x = builder_.CreateExtractElement(x, static_cast<std::uint64_t>(lane));
      arguments.push_back(value_of(converted(wrap(x, operand.element), carried)));
    }
    llvm::Value* y = builder_.CreateCall(function, arguments);
    if (given == boolean) {
      y = real ? builder_.CreateFCmpUNE(y, llvm::ConstantFP::get(carrier, 0.0))
               : builder_.CreateICmpNE(y, builder_.getInt64(0));
    } else {
      y = value_of(converted(wrap(y, carried), given));
    }
    if (width == 1) return wrap(y, given);
    if (result == nullptr) {
      result = llvm::PoisonValue::get(
          llvm::FixedVectorType::get(y->getType(), static_cast<unsigned>(width)));
    }
    result = builder_.CreateInsertElement(result, y, static_cast<std::uint64_t>(lane));
  }
  return wrap(result, given);
}

Lanes LlvmEmitter::applied(const Word& word, std::vector<Lanes> operands) {
  if (word.lanes) {
    std::vector<Lanes> all = operands;
    all.resize(3);
    const Lanes result = word.lanes(all[0], all[1], all[2]);
    if (result.value != nullptr) return result;
  }
  return called(word, operands);
}

}  // namespace axial::kernels
