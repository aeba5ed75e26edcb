// Comparing expressions by structure: a number that is equal for expressions that are built alike,
// whatever the order of the operands of sums, products and contractions.
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
  Fingerprint of_node(const expr::Expr& node) const;

  struct Entry {
    expr::Expr node;  // kept alive, so that its address is not used again
    Fingerprint value;
  };
  std::unordered_map<const expr::Node*, Entry> known_;
};

}  // namespace axial::calculus
