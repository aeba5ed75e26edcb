#include "axial/kernels/llvm_fold.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

namespace axial::kernels {
namespace {

llvm::Value* lanes_from(llvm::IRBuilder<>& builder, llvm::Value* all, int first, int count) {
  if (count == 1) return builder.CreateExtractElement(all, static_cast<std::uint64_t>(first));
  std::vector<int> chosen(static_cast<std::size_t>(count));
  std::iota(chosen.begin(), chosen.end(), first);
  return builder.CreateShuffleVector(all, chosen);
}

}  // namespace

Lanes neutral_of(LlvmEmitter& emitter, const Reduction& fold, ElementType element) {
  if (is_real(element)) return emitter.constant(fold.real_start, element);
  constexpr std::int64_t low = std::numeric_limits<std::int32_t>::min();
  constexpr std::int64_t high = std::numeric_limits<std::int32_t>::max();
  const std::int64_t start =
      element == int32 ? std::clamp(fold.whole_start, low, high) : fold.whole_start;
  return emitter.whole_constant(start, element);
}

Lanes folded(LlvmEmitter& emitter, llvm::IRBuilder<>& builder, Lanes lanes, const Word& combine) {
  for (int width = LlvmEmitter::width_of(LlvmEmitter::value_of(lanes)) / 2; width >= 1;
       width /= 2) {
    llvm::Value* all = LlvmEmitter::value_of(lanes);
    const Lanes low = emitter.wrap(lanes_from(builder, all, 0, width), lanes.element);
    const Lanes high = emitter.wrap(lanes_from(builder, all, width, width), lanes.element);
    lanes = emitter.applied(combine, {low, high});
  }
  return lanes;
}

}  // namespace axial::kernels
