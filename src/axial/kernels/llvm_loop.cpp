#include "axial/kernels/llvm_loop.hpp"

namespace axial::kernels {

Carried emit_loop(llvm::IRBuilder<>& builder, llvm::Value* first, llvm::Value* last,
                  std::int64_t step, const Carried& start, const LoopBody& body) {
  llvm::BasicBlock* before = builder.GetInsertBlock();
  llvm::BasicBlock* turn =
      llvm::BasicBlock::Create(builder.getContext(), "turn", before->getParent());
  llvm::BasicBlock* after =
      llvm::BasicBlock::Create(builder.getContext(), "after", before->getParent());
  builder.CreateCondBr(builder.CreateICmpSLT(first, last), turn, after);
  builder.SetInsertPoint(turn);
  llvm::PHINode* index = builder.CreatePHI(builder.getInt64Ty(), 2);
  index->addIncoming(first, before);
  std::vector<llvm::PHINode*> carried;
  for (llvm::Value* value : start) {
    carried.push_back(builder.CreatePHI(value->getType(), 2));
    carried.back()->addIncoming(value, before);
  }
  const Carried next = body(index, {carried.begin(), carried.end()});
  llvm::Value* following =
      builder.CreateAdd(index, builder.getInt64(static_cast<std::uint64_t>(step)));
  llvm::BasicBlock* end = builder.GetInsertBlock();
  index->addIncoming(following, end);
  for (std::size_t k = 0; k < next.size(); ++k) carried[k]->addIncoming(next[k], end);
  builder.CreateCondBr(builder.CreateICmpSLT(following, last), turn, after);
  builder.SetInsertPoint(after);
  Carried results;
  for (std::size_t k = 0; k < next.size(); ++k) {
    llvm::PHINode* result = builder.CreatePHI(next[k]->getType(), 2);
    result->addIncoming(start[k], before);
    result->addIncoming(next[k], end);
    results.push_back(result);
  }
  return results;
}

}  // namespace axial::kernels
