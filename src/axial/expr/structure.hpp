// What expressions have in common that differ only in their data: so that what was worked out for one
// of them can be used for the next.
#pragma once

#include <cstdint>
#include <forward_list>
#include <span>
#include <vector>

#include "axial/base/hash.hpp"
#include "axial/expr/node.hpp"

namespace axial::expr {

/// A number that stands for a structure as long as the process lives. It has 128 bits, and those of a
/// shape 64, so that two structures with the same number will not be met.
struct StructureHash {
  std::uint64_t high = 0x9e3779b97f4a7c15;
  std::uint64_t low = 0xc2b2ae3d27d4eb4f;

  /// Takes one more number in.
  void add(std::uint64_t value) {
    high = folded_product(high ^ value, 0xa0761d6478bd642f);
    low = folded_product(low + value, 0xe7037ed1a0b428db) ^ high;
  }
  void add(const Axes& axes);
  void add(const Shape& shape);
  void add(const Type& type);
  /// Takes in what a node of this kind says besides its operands.
  void add_fields(const Kind& kind);
  friend bool operator==(const StructureHash&, const StructureHash&) = default;
};

struct HashOfStructure {
  std::size_t operator()(const StructureHash& hash) const { return hash.low; }
};

/// Most expressions have no more leaves than these.
inline constexpr std::size_t few_leaves = 4;

/// The structure of expressions, and the nodes at which it ends. It says which of these are the same
/// node, but of their values only the types.
struct Structure {
  StructureHash hash;
  Few<Expr, few_leaves> leaves;
};

/// The structure down to what is known: leaves and values computed before, and how these values lie in
/// memory. The expressions must outlive it.
struct KnownStructure {
  StructureHash hash;
  /// Where the leaves stand in the expressions, and what is known of them.
  Few<const Expr*, few_leaves> leaves;
  Few<const Array*, few_leaves> values;
  /// Keeps the values that expressions may forget.
  std::forward_list<Array> held;
};
KnownStructure structure_above_values(std::span<const Expr> roots);

/// The structure down to variables and to what is known and does not depend on them.
Structure structure_above_variables(std::span<const Expr> roots, std::span<const Expr> variables);

/// The structure of a function's body.
StructureHash structure_of_body(std::span<const Expr> parameters, const Expr& body);

/// The roots with other expressions in place of the leaves.
std::vector<Expr> with_leaves(std::span<const Expr> roots, std::span<const Expr> leaves,
                              std::span<const Expr> replacements);

}  // namespace axial::expr
