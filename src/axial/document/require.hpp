// What a result must be: the axes and sizes that were declared for it.
#pragma once

#include <string_view>

#include "axial/document/world.hpp"

namespace axial::document {

/// Fails with result-axes, at the part that is to blame, unless a result has the declared axes.
void require_domain(const expr::Expr& result, const notation::Domain& domain,
                    const notation::Tree& body, const Frame& frame, std::string_view what);

/// Fails with size-clash where the sizes of a result are known to differ from the declared ones.
void require_sizes(const expr::Expr& result, const notation::Domain& domain,
                   const notation::Tree& body, const Frame& frame, std::string_view what);

/// A domain without the sizes that neither the parameters of a function nor the document tell.
notation::Domain determined_part(const notation::Domain& domain, const Function& function,
                                 const Symbols& symbols);

/// Fails with result-axes unless two sides have the same axes; a number equals a tensor of it.
void require_same_axes(const expr::Expr& left, const expr::Expr& right, Span place);

}  // namespace axial::document
