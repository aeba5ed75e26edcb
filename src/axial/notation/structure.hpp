// Forms that select, rearrange or spell out elements. Contracts as for elaborate().
#pragma once

#include <string_view>
#include <vector>

#include "axial/notation/elaborate.hpp"

namespace axial::notation {

expr::Expr elaborate_application(const Tree& tree, const Environment& environment);
expr::Expr elaborate_index(const Tree& tree, const Environment& environment);
expr::Expr elaborate_rename(const Tree& tree, const Environment& environment);
expr::Expr elaborate_mark(const Tree& tree, const Environment& environment);
expr::Expr elaborate_identity(const Tree& tree, const Environment& environment);
expr::Expr elaborate_array(const Tree& tree, const Environment& environment);
expr::Expr elaborate_cases(const Tree& tree, const Environment& environment);
expr::Expr elaborate_parity(const Tree& tree, const Environment& environment);
expr::Expr elaborate_fold(const Tree& tree, const Environment& environment);
expr::Expr elaborate_limit(const Tree& tree, const Environment& environment);
/// unroll and pool: the size of the window comes from the environment.
expr::Expr elaborate_window(const Tree& tree, const std::vector<Axes>& axes,
                            std::vector<expr::Expr> operands, const Environment& environment);

/// Fails with index-bound if a position may lie beyond the end of an axis.
void require_bound(const Tree& position, Axis axis, const Shape& shape,
                   const Environment& environment);

/// The only axis of a set. Fails with wrong-arity, naming the function, if there are more.
Axis single_axis(std::string_view name, const Axes& axes);

}  // namespace axial::notation
