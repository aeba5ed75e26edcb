// Lanes as values of LLVM.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include "axial/vocabulary/elementwise.hpp"

namespace axial::kernels {

/// Emits what words ask for at the place where `builder` stands. Lanes may be a single number, which
/// stands for itself in every lane.
class LlvmEmitter final : public Emitter {
 public:
  explicit LlvmEmitter(llvm::IRBuilder<>& builder) : builder_(builder) {}

  Lanes constant(double value, ElementType element) override;
  Lanes binary(Binary operation, Lanes a, Lanes b) override;
  Lanes unary(Unary operation, Lanes a) override;
  Lanes compare(Relation relation, Lanes a, Lanes b) override;
  Lanes select(Lanes condition, Lanes a, Lanes b) override;
  Lanes fused(Lanes a, Lanes b, Lanes c) override;
  Lanes power_of_two(Lanes n) override;
  Lanes exponent(Lanes a) override;
  Lanes significand(Lanes a) override;
  bool looks_up(ElementType element) const override;
  Lanes looked_up(Lanes place, std::span<const double, 16> table) override;
  Lanes scaled(Lanes a, Lanes n) override;
  std::optional<double> known(Lanes a) const override;

  Lanes whole_constant(std::int64_t value, ElementType element);
  /// The same numbers as another element type; only conversions that cannot fail.
  Lanes converted(Lanes a, ElementType element);
  /// `word` of the operands: its own code, or a call of its meaning for each lane.
  Lanes applied(const Word& word, std::vector<Lanes> operands);

  llvm::Type* scalar_type(ElementType element) const;
  /// As many lanes as `width`: a single number is repeated.
  llvm::Value* widened(llvm::Value* value, int width);
  static int width_of(const llvm::Value* value);
  Lanes wrap(llvm::Value* value, ElementType element) { return {this, value, element}; }
  static llvm::Value* value_of(Lanes lanes) { return static_cast<llvm::Value*>(lanes.value); }

 private:
  /// Gives both operands the same number of lanes.
  std::pair<llvm::Value*, llvm::Value*> matched(Lanes a, Lanes b);
  Lanes called(const Word& word, const std::vector<Lanes>& operands);
  llvm::Type* like(llvm::Value* value, llvm::Type* scalar) const;
  /// What `apply` makes of 16 lanes at a time, for any number of them.
  template <class Apply>
  llvm::Value* by_sixteen(std::initializer_list<llvm::Value*> operands, const Apply& apply);

  llvm::IRBuilder<>& builder_;
};

/// The name under which generated code finds the meaning of a word.
std::string symbol_of(const Word& word, bool is_real);

}  // namespace axial::kernels
