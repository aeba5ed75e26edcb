// Comparing expressions by structure: a number that is equal for expressions that are built alike,
// whatever the order and nesting of the operands of sums, products and contractions.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "axial/expr/node.hpp"

namespace axial::calculus {

using Fingerprint = std::uint64_t;

/// Equal values have equal fingerprints as far as sums and products go: x + x - x and x have the same.
/// Computes fingerprints and remembers them. Leaves and parameters are equal only to themselves.
class Fingerprints {
 public:
  Fingerprint operator()(const expr::Expr& expression);
  /// How much there is to write: the number of nodes, shared ones as often as they are used.
  double size(const expr::Expr& expression);
  /// True if neither value nor way of writing differ.
  bool same(const expr::Expr& left, const expr::Expr& right) {
    return (*this)(left) == (*this)(right) && size(left) == size(right);
  }

 private:
  /// What is known of a node: its fingerprint, and what it adds to that of a sum or a product.
  struct Entry {
    expr::Expr node;  // kept alive, so that its address is not used again
    Fingerprint value;
    Fingerprint as_term;
    Fingerprint as_factor;
    double size = 1;
  };
  Entry entry_of(const expr::Expr& node) const;
  const Entry& known(const expr::Expr& expression);

  std::unordered_map<const expr::Node*, Entry> known_;
};

}  // namespace axial::calculus
