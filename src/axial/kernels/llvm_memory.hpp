// How lanes are read from memory and written to it.
#pragma once

#include <algorithm>

#include "axial/kernels/llvm_emitter.hpp"

namespace axial::kernels {

/// Accesses with a number of lanes, of which a mask may leave some out. Truth values are bits in
/// registers and bytes in memory.
class LlvmMemory {
 public:
  /// Without a mask all lanes count.
  LlvmMemory(llvm::IRBuilder<>& builder, LlvmEmitter& emitter, int width, llvm::Value* mask)
      : builder_(builder), emitter_(emitter), width_(width), mask_(mask) {}

  /// What a vector of so many bytes that bypasses the cache must be aligned to: itself, or a line.
  static constexpr std::int64_t aligned_bytes(std::int64_t bytes) {
    return std::min<std::int64_t>(bytes, 64);
  }

  llvm::Type* type_of(ElementType element) const;
  /// 0, 1, 2, … in the lanes.
  llvm::Value* lane_numbers() const;

  /// The elements from `pointer` on, `stride` apart, and `extra` elements further in each lane if that
  /// is given. With stride 0 there is one number for all lanes.
  Lanes load(ElementType element, llvm::Value* pointer, std::int64_t stride, llvm::Value* extra);
  /// Writes lanes `stride` apart; around the cache if `bypasses`, for which the pointer must be aligned
  /// as `aligned_bytes` says.
  void store(Lanes lanes, llvm::Value* pointer, std::int64_t stride, bool bypasses);

  /// Lets as many elements as there are lanes be on their way, which lie side by side from `pointer` on.
  void fetch(ElementType element, llvm::Value* pointer);

  /// All lanes side by side, whatever the mask says.
  Lanes get(ElementType element, llvm::Value* pointer);
  void put(Lanes lanes, llvm::Value* pointer);

 private:
  llvm::Type* vector_of(llvm::Type* scalar) const;
  llvm::Value* mask_or_all();
  llvm::Value* pointers(ElementType element, llvm::Value* pointer, std::int64_t stride,
                        llvm::Value* extra);
  Lanes from_memory(llvm::Value* value, ElementType element);
  llvm::Value* as_memory(Lanes lanes);

  llvm::IRBuilder<>& builder_;
  LlvmEmitter& emitter_;
  int width_;
  llvm::Value* mask_;
};

}  // namespace axial::kernels
