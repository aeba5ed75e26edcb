// Expressions that are made again and again on other leaves.
#pragma once

#include <span>
#include <vector>

#include "axial/expr/node.hpp"

namespace axial::expr {

/// Expressions in some parameters. What is needed to replace these is worked out once.
class Pattern {
 public:
  Pattern(std::span<const Expr> parameters, std::span<const Expr> expressions);

  /// The expressions with these in place of the parameters, whose types they must have.
  std::vector<Expr> on(std::span<const Expr> leaves) const;

 private:
  /// A node above a parameter, and the numbers of its operands: first come the parameters, then what
  /// does not depend on them, then the nodes in this order.
  struct Above {
    Expr node;
    std::vector<std::size_t> operands;
  };

  std::size_t parameter_count_;
  std::vector<Expr> constants_;
  std::vector<Above> nodes_;
  std::vector<std::size_t> results_;
};

}  // namespace axial::expr
