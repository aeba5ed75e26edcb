// Trees into typed expressions: every name is given its meaning.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "axial/expr/node.hpp"
#include "axial/notation/tree.hpp"

namespace axial::notation {

/// What the names in a formula stand for. A formal axis may stand for several axes at once.
struct Scope {
  std::map<std::string, expr::Expr, std::less<>> tensors;
  std::map<std::string, Axes, std::less<>> axes;
};

/// The expression that `tree` denotes in `scope`; axes that are not formal stand for themselves.
/// Fails with undeclared for unknown names and with the typing errors of expressions, placed.
expr::Expr elaborate(const Tree& tree, const Scope& scope);

/// The function called `name` on its axes and operands: a word, reduction, primitive, structural
/// operation or phrase. Fails with undeclared if there is none, with wrong-arity if it does not fit.
expr::Expr apply_function(std::string_view name, const std::vector<Axes>& axes,
                          std::vector<expr::Expr> operands);

/// True if `name` is a function of the vocabulary or the prelude.
bool is_function(std::string_view name);

}  // namespace axial::notation
