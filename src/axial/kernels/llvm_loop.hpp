// Loops of LLVM's intermediate code.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include <cstdint>
#include <functional>
#include <vector>

namespace axial::kernels {

/// Values that a loop carries from turn to turn.
using Carried = std::vector<llvm::Value*>;
using LoopBody = std::function<Carried(llvm::Value* index, Carried)>;

/// for (index = first; index < last; index += step), where the builder stands. Gives what was carried
/// out of the last turn; nothing happens if the range is empty.
Carried emit_loop(llvm::IRBuilder<>& builder, llvm::Value* first, llvm::Value* last,
                  std::int64_t step, const Carried& start, const LoopBody& body);

}  // namespace axial::kernels
