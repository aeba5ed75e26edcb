#include "axial/kernels/llvm_memory.hpp"

namespace axial::kernels {
namespace {

llvm::Align alignment(ElementType element) {
  return llvm::Align(static_cast<std::uint64_t>(facts(element).bytes));
}

}  // namespace

llvm::Type* LlvmMemory::type_of(ElementType element) const {
  return element == boolean ? builder_.getInt8Ty() : emitter_.scalar_type(element);
}

llvm::Type* LlvmMemory::vector_of(llvm::Type* scalar) const {
  return width_ == 1 ? scalar : llvm::FixedVectorType::get(scalar, static_cast<unsigned>(width_));
}

llvm::Value* LlvmMemory::lane_numbers() const {
  std::vector<llvm::Constant*> numbers;
  for (int k = 0; k < width_; ++k) {
    numbers.push_back(builder_.getInt64(static_cast<std::uint64_t>(k)));
  }
  return width_ == 1 ? numbers[0] : llvm::ConstantVector::get(numbers);
}

llvm::Value* LlvmMemory::mask_or_all() {
  return mask_ != nullptr ? mask_ : emitter_.widened(builder_.getTrue(), width_);
}

Lanes LlvmMemory::from_memory(llvm::Value* value, ElementType element) {
  if (element == boolean) {
    value = builder_.CreateICmpNE(value, llvm::Constant::getNullValue(value->getType()));
  }
  return emitter_.wrap(value, element);
}

llvm::Value* LlvmMemory::as_memory(Lanes lanes) {
  llvm::Value* value = emitter_.widened(LlvmEmitter::value_of(lanes), width_);
  return lanes.element == boolean ? builder_.CreateZExt(value, vector_of(builder_.getInt8Ty()))
                                  : value;
}

llvm::Value* LlvmMemory::pointers(ElementType element, llvm::Value* pointer, std::int64_t stride,
                                  llvm::Value* extra) {
  llvm::Value* step = builder_.getInt64(static_cast<std::uint64_t>(stride));
  llvm::Value* offsets = builder_.CreateMul(lane_numbers(), emitter_.widened(step, width_));
  if (extra != nullptr) offsets = builder_.CreateAdd(offsets, extra);
  return builder_.CreateGEP(type_of(element), pointer, offsets);
}

Lanes LlvmMemory::load(ElementType element, llvm::Value* pointer, std::int64_t stride,
                       llvm::Value* extra) {
  llvm::Type* scalar = type_of(element);
  const llvm::Align align = alignment(element);
  if (extra == nullptr && stride == 0) {
    return from_memory(builder_.CreateAlignedLoad(scalar, pointer, align), element);
  }
  llvm::Type* vector = vector_of(scalar);
  llvm::Value* nothing = llvm::Constant::getNullValue(vector);
  if (extra != nullptr || stride != 1) {
    return from_memory(
        builder_.CreateMaskedGather(vector, pointers(element, pointer, stride, extra), align,
                                    mask_or_all(), nothing),
        element);
  }
  return from_memory(
      mask_ == nullptr
          ? static_cast<llvm::Value*>(builder_.CreateAlignedLoad(vector, pointer, align))
          : builder_.CreateMaskedLoad(vector, pointer, align, mask_, nothing),
      element);
}

void LlvmMemory::store(Lanes lanes, llvm::Value* pointer, std::int64_t stride, bool bypasses) {
  llvm::Value* stored = as_memory(lanes);
  const llvm::Align align = alignment(lanes.element);
  if (width_ == 1) {
    builder_.CreateAlignedStore(stored, pointer, align);
  } else if (stride != 1) {
    builder_.CreateMaskedScatter(stored, pointers(lanes.element, pointer, stride, nullptr), align,
                                 mask_or_all());
  } else if (mask_ != nullptr) {
    builder_.CreateMaskedStore(stored, pointer, align, mask_);
  } else if (bypasses) {
    const std::int64_t bytes = aligned_bytes(width_ * facts(lanes.element).bytes);
    auto* around = builder_.CreateAlignedStore(stored, pointer,
                                               llvm::Align(static_cast<std::uint64_t>(bytes)));
    llvm::Metadata* one = llvm::ConstantAsMetadata::get(builder_.getInt32(1));
    around->setMetadata(llvm::LLVMContext::MD_nontemporal,
                        llvm::MDNode::get(builder_.getContext(), one));
  } else {
    builder_.CreateAlignedStore(stored, pointer, align);
  }
}

void LlvmMemory::fetch(ElementType element, llvm::Value* pointer) {
  constexpr std::uint32_t to_read = 0, to_keep = 3, data = 1;
  const std::int64_t line = 64 / facts(element).bytes;
  for (std::int64_t lane = 0; lane < width_; lane += line) {
    llvm::Value* there =
        builder_.CreateConstGEP1_64(type_of(element), pointer, static_cast<std::uint64_t>(lane));
    builder_.CreateIntrinsic(
        builder_.getVoidTy(), llvm::Intrinsic::prefetch,
        {there, builder_.getInt32(to_read), builder_.getInt32(to_keep), builder_.getInt32(data)});
  }
}

Lanes LlvmMemory::get(ElementType element, llvm::Value* pointer) {
  return from_memory(builder_.CreateLoad(vector_of(type_of(element)), pointer), element);
}

void LlvmMemory::put(Lanes lanes, llvm::Value* pointer) {
  builder_.CreateStore(as_memory(lanes), pointer);
}

}  // namespace axial::kernels
