// Comparing expressions by structure: a number that is equal for expressions that are built alike,
// whatever the order and nesting of the operands of sums, products and contractions.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "axial/expr/node.hpp"

namespace axial::calculus {

using Fingerprint = std::uint64_t;

/// Computes fingerprints and remembers them. Leaves and parameters are equal only to themselves.
class Fingerprints {
 public:
  Fingerprint operator()(const expr::Expr& expression);

 private:
  /// What is known of a node: its fingerprint, and what it adds to that of a sum or a product.
  struct Entry {
    expr::Expr node;  // kept alive, so that its address is not used again
    Fingerprint value;
    Fingerprint as_term;
    Fingerprint as_factor;
  };
  Entry entry_of(const expr::Expr& node) const;

  std::unordered_map<const expr::Node*, Entry> known_;
};

}  // namespace axial::calculus
