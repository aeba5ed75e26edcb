// Where folds begin, and how lanes that were folded side by side become one number.
#pragma once

#include "axial/kernels/llvm_emitter.hpp"
#include "axial/vocabulary/reductions.hpp"

namespace axial::kernels {

/// The number that a fold begins with; for integers the nearest that they can hold.
Lanes neutral_of(LlvmEmitter& emitter, const Reduction& fold, ElementType element);

/// All lanes folded to one number, halves upon halves.
Lanes folded(LlvmEmitter& emitter, llvm::IRBuilder<>& builder, Lanes lanes, const Word& combine);

}  // namespace axial::kernels
